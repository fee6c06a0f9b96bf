/* circle.c - a constraint x^2 + y^2 = l^2 leaves the model: a new state w
 * tells where on the circle, or the sphere, the states are. */
#include "model/model_struct.h"

#include <string.h>

enum { CIRCLE_MOST = 3 };

/* sum base_i^2 = square, which is made of parameters and numbers. */
typedef struct {
    int count;
    const darc_expr *base[CIRCLE_MOST]; /* of the statement */
    darc_expr *square;                  /* owned */
    bool good;
    const darc_rewriter *rw;
    int sign; /* of the first base^2, where it stands on the left */
} circle;

static bool is_square(const darc_expr *e)
{
    double n;
    return e->kind == DARC_EXPR_POWER &&
           darc_expr_is_constant(e->child[1], &n) && n == 2;
}

/* Take the term, of that sign on the left. */
static void take_term(circle *c, const darc_expr *e, int sign)
{
    double n;
    if (darc_expr_is_constant(e, &n) && n == 0)
        return;
    if (e->kind == DARC_EXPR_NEGATE) {
        take_term(c, e->child[0], -sign);
    } else if (e->kind == DARC_EXPR_SUM) {
        for (int i = 0; i < e->count; i++)
            take_term(c, e->child[i], sign);
    } else if (darc_rewriter_is_parametric(c->rw, e)) {
        darc_expr *term = darc_expr_copy(e); /* on the right */
        if (sign > 0)
            term = darc_expr_join_take(DARC_EXPR_NEGATE, term, NULL);
        c->square = c->square == NULL
                        ? term
                        : darc_expr_join_take(DARC_EXPR_SUM, c->square, term);
    } else if (is_square(e) && c->count < CIRCLE_MOST &&
               (c->count == 0 || sign == c->sign)) {
        c->sign = sign;
        c->base[c->count++] = e->child[0];
    } else {
        c->good = false;
    }
}

/* Let w'w = number, or w^2; NULL: no such w. */
static darc_expr *root_of(const darc_expr *square)
{
    const darc_expr *e = square;
    while (e->kind == DARC_EXPR_NEGATE && e->child[0]->kind == DARC_EXPR_NEGATE)
        e = e->child[0]->child[0];
    if (is_square(e))
        return darc_expr_copy(e->child[0]);
    fmpq_t q;
    darc_expr *root = NULL;
    fmpq_init(q);
    if (darc_expr_rational(q, e, "", NULL) == DARC_OK && fmpq_sgn(q) > 0 &&
        fmpz_is_square(fmpq_numref(q)) && fmpz_is_square(fmpq_denref(q))) {
        fmpz_sqrt(fmpq_numref(q), fmpq_numref(q));
        fmpz_sqrt(fmpq_denref(q), fmpq_denref(q));
        char *text = fmpq_get_str(NULL, 10, q);
        root = darc_expr_read(text, strlen(text));
        flint_free(text);
    }
    fmpq_clear(q);
    return root;
}

/* Set c to what the statement says; return whether that is a circle. */
static bool is_circle(circle *c, const darc_rewriter *rw,
                      const darc_statement *s)
{
    *c = (circle){.rw = rw, .good = true};
    take_term(c, s->left, 1);
    take_term(c, s->right, -1);
    if (c->good && c->square != NULL && c->sign < 0)
        c->square = darc_expr_join_take(DARC_EXPR_NEGATE, c->square, NULL);
    return c->good && c->count > 1 && c->square != NULL;
}

/* Return the state, or else output, that base_i holds once and no other base
 * holds; NULL: none can be solved for, and *value is left. */
static const char *solve_base(const circle *c, int i, const darc_expr *point,
                              darc_expr **value)
{
    const char *x =
        darc_solve_for(c->rw, DARC_SECTION_STATES, c->base[i], point, value);
    if (x == NULL)
        x = darc_solve_for(c->rw, DARC_SECTION_OUTPUTS, c->base[i], point,
                           value);
    for (int k = 0; k < c->count && x != NULL; k++)
        if (k != i && darc_expr_occurrences(c->base[k], x) > 0) {
            darc_expr_free(*value);
            x = NULL;
        }
    return x;
}

/* Declare w_i = base_i/(root + last base); set tail to 1 + sum w_i^2. */
static darc_expr *declare_places(const char **name, darc_rewriter *rw,
                                 const circle *c, const darc_expr *root)
{
    darc_place at = c->square->place;
    darc_expr *sum = darc_expr_integer(at, 1);
    for (int i = 0; i + 1 < c->count; i++) {
        darc_expr *call =
            darc_expr_formula_take(at, "A + W", darc_expr_copy(root),
                                   darc_expr_copy(c->base[c->count - 1]));
        call =
            darc_expr_formula_take(at, "W/A", call, darc_expr_copy(c->base[i]));
        name[i] =
            darc_rewriter_declare(rw, "place", DARC_SECTION_STATES, call)->name;
        darc_expr_free(call);
        sum = darc_expr_formula_take(at, "A + W^2", sum,
                                     darc_expr_name(at, name[i]));
    }
    return sum;
}

/* Return base i on the circle: 2*root*w_i/sum, the last one root*(2 - sum)/sum.
 */
static darc_expr *point_of(const circle *c, int i, const darc_expr *root,
                           const darc_expr *sum, const char *const *name)
{
    darc_place at = c->square->place;
    darc_expr *share =
        i + 1 < c->count
            ? darc_expr_formula_take(at, "2*(A/W)", darc_expr_name(at, name[i]),
                                     darc_expr_copy(sum))
            : darc_expr_formula_take(at, "(2 - A)/A", darc_expr_copy(sum),
                                     NULL);
    return darc_expr_join_take(DARC_EXPR_PRODUCT, darc_expr_copy(root), share);
}

/* Return whether e holds a state that is not measured. */
static bool is_hidden(const darc_rewriter *rw, const darc_expr *e)
{
    darc_expr *own = darc_expr_copy(e);
    darc_rewriter_use_equal(rw, own, DARC_SECTION_OUTPUTS, false);
    bool hidden = !darc_rewriter_is_measured(rw, own, false) &&
                  !darc_rewriter_is_measured_by(rw, own);
    darc_expr_free(own);
    return hidden;
}

/* Replace the states; return whether all could be solved for and two bases are
 * hidden: of one the constraint says enough as it stands. */
static bool leave(darc_rewriter *rw, const circle *c, const darc_expr *root)
{
    const char *name[CIRCLE_MOST], *state[CIRCLE_MOST];
    darc_expr *value[CIRCLE_MOST];
    int hidden = 0;
    for (int i = 0; i < c->count; i++) {
        if (solve_base(c, i, c->square, value) == NULL)
            hidden = -CIRCLE_MOST;
        else
            darc_expr_free(value[0]);
        hidden += is_hidden(rw, c->base[i]);
    }
    if (hidden < 2)
        return false;
    darc_expr *sum = declare_places(name, rw, c, root);
    for (int i = 0; i < c->count; i++) {
        darc_expr *point = point_of(c, i, root, sum, name);
        state[i] = solve_base(c, i, point, value + i);
        darc_substitute_known(rw, value + i);
        darc_expr_free(point);
    }
    darc_expr_free(sum);
    for (int i = 0; i < c->count; i++)
        darc_substitute_later_take(rw, state[i], value[i], true);
    return true;
}

/* A base may hold states that another circle has replaced. */
static bool is_untouched(const darc_rewriter *rw, const circle *c)
{
    int n = 0;
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < rw->substitutions; k++)
            n += darc_expr_occurrences(c->base[i], rw->substitution[k].name);
    return n == 0;
}

void darc_leave_circles(darc_rewriter *rw)
{
    darc_statements *s = &rw->syntax->equations;
    for (size_t i = 0; i < s->count; i++) {
        circle c;
        darc_expr *root = NULL;
        bool left = is_circle(&c, rw, s->statement + i) &&
                    is_untouched(rw, &c) &&
                    (root = root_of(c.square)) != NULL && leave(rw, &c, root);
        DARC_EACH(darc_expr_free, root, c.square);
        if (!left)
            continue;
        DARC_EACH(darc_expr_free, s->statement[i].left, s->statement[i].right);
        memmove(s->statement + i, s->statement + i + 1,
                (--s->count - i) * sizeof *s->statement);
        i--;
    }
}

bool darc_has_circle(const darc_syntax *syntax)
{
    bool found = false;
    const darc_rewriter rw = {.syntax = (darc_syntax *)syntax};
    for (size_t i = 0; i < syntax->equations.count && !found; i++) {
        circle c;
        found = is_circle(&c, &rw, syntax->equations.statement + i);
        darc_expr_free(c.square);
    }
    return found;
}
