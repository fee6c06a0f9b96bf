/* multiple.c - sqrt(3*x) is sqrt(3/2)*sqrt(2*x): roots of multiples of one
 * another are one function, times a number. */
#include "syntax/expr.h"

#include <string.h>

/* (factor*rest)^power, or (factor/rest)^power where inverted. */
typedef struct {
    fmpq_t factor, power;
    darc_expr *rest; /* owned */
    bool inverted;
} root_parts;

static void parts_clear(root_parts *r)
{
    DARC_EACH(fmpq_clear, r->factor, r->power);
    darc_expr_free(r->rest);
}

/* Multiply what e holds besides numbers into r, or divide by it. */
static void take_factor(root_parts *r, const darc_expr *e, bool inverted)
{
    fmpq_t q;
    fmpq_init(q);
    if (darc_expr_rational(q, e, "", NULL) == DARC_OK && !fmpq_is_zero(q)) {
        if (inverted)
            fmpq_div(r->factor, r->factor, q);
        else
            fmpq_mul(r->factor, r->factor, q);
    } else if (e->kind == DARC_EXPR_INVERT) {
        take_factor(r, e->child[0], !inverted);
    } else if (e->kind == DARC_EXPR_PRODUCT) {
        for (int i = 0; i < e->count; i++)
            take_factor(r, e->child[i], inverted);
    } else {
        darc_expr *f = darc_expr_copy(e);
        if (inverted)
            f = darc_expr_join_take(DARC_EXPR_INVERT, f, NULL);
        r->rest = r->rest == NULL
                      ? f
                      : darc_expr_join_take(DARC_EXPR_PRODUCT, r->rest, f);
    }
    fmpq_clear(q);
}

/* Set r to what a root is of; return whether e is one. */
static bool parts_init(root_parts *r, const darc_expr *e)
{
    bool root = e->kind == DARC_EXPR_CALL && e->function == DARC_FUNCTION_SQRT;
    *r = (root_parts){.rest = NULL};
    DARC_EACH(fmpq_init, r->factor, r->power);
    fmpq_one(r->factor);
    fmpq_set_si(r->power, 1, 2);
    if (e->kind == DARC_EXPR_POWER)
        root = darc_expr_rational(r->power, e->child[1], "", NULL) == DARC_OK;
    if (root)
        take_factor(r, e->child[0], false);
    root = root && r->rest != NULL;
    r->inverted = root && r->rest->kind == DARC_EXPR_INVERT;
    if (r->inverted) {
        darc_expr *below = darc_expr_copy(r->rest->child[0]);
        darc_expr_free(r->rest);
        r->rest = below;
    }
    return root;
}

/* Set *way to 1 or -1 and q to (a's factor) / (b's factor)^way, where a is
 * q^power times b^way; return false where it is not. */
static bool compare_roots(int *way, fmpq_t q, const root_parts *a,
                          const root_parts *b)
{
    fmpq_t opposite;
    fmpq_init(opposite);
    fmpq_neg(opposite, b->power);
    bool same = fmpq_equal(a->power, b->power);
    bool good = (same || fmpq_equal(a->power, opposite)) &&
                darc_expr_equal(a->rest, b->rest);
    *way = same == (a->inverted == b->inverted) ? 1 : -1;
    /* b^way = (factor^(way*b/a) ...)^(power of a) */
    if (good && (*way > 0) == same)
        fmpq_div(q, a->factor, b->factor);
    else if (good)
        fmpq_mul(q, a->factor, b->factor);
    fmpq_clear(opposite);
    return good && fmpq_sgn(q) > 0;
}

/* Set r to the root of that degree of q > 0; return whether it is rational. */
static bool has_root(fmpq_t r, const fmpq_t q, slong degree)
{
    return fmpz_root(fmpq_numref(r), fmpq_numref(q), degree) &&
           fmpz_root(fmpq_denref(r), fmpq_denref(q), degree);
}

static darc_expr *integer_of(const fmpz_t n, darc_place at)
{
    char *text = fmpz_get_str(NULL, 10, n);
    darc_expr *e = darc_expr_read(text, strlen(text));
    e->place = at;
    flint_free(text);
    return e;
}

static darc_expr *rational_of(const fmpq_t q, darc_place at)
{
    return darc_expr_formula_take(at, "A/W", integer_of(fmpq_numref(q), at),
                                  integer_of(fmpq_denref(q), at));
}

/* Return q^power for q > 0: a number where it is rational, else the power. */
static darc_expr *root_of_number(const fmpq_t q, const fmpq_t power,
                                 darc_place at)
{
    fmpq_t r;
    fmpq_init(r);
    darc_expr *e = NULL;
    if (fmpz_fits_si(fmpq_denref(power)) &&
        has_root(r, q, fmpz_get_si(fmpq_denref(power)))) {
        fmpq_pow_fmpz(r, r, fmpq_numref(power));
        e = rational_of(r, at);
    } else {
        e = darc_expr_join_take(DARC_EXPR_POWER, rational_of(q, at),
                                rational_of(power, at));
    }
    fmpq_clear(r);
    return e;
}

darc_expr *darc_multiple_of(const darc_expr *root, const darc_expr *known,
                            const char *name, bool inverse)
{
    root_parts a, b;
    fmpq_t q;
    int way = 0;
    darc_expr *product = NULL;
    fmpq_init(q);
    bool roots = parts_init(&a, root);
    roots = parts_init(&b, known) && roots;
    if (roots && compare_roots(&way, q, &a, &b) && (way > 0 || inverse)) {
        darc_expr *w = darc_expr_name(root->place, name);
        if (way < 0)
            w = darc_expr_join_take(DARC_EXPR_INVERT, w, NULL);
        product = darc_expr_join_take(
            DARC_EXPR_PRODUCT, root_of_number(q, a.power, root->place), w);
    }
    DARC_EACH(parts_clear, &a, &b);
    fmpq_clear(q);
    return product;
}

void darc_power_to_function(darc_expr **e)
{
    const darc_expr *p = *e;
    if (p->kind != DARC_EXPR_POWER || darc_expr_is_constant(p->child[1], NULL))
        return;
    darc_expr *exp = darc_expr_formula_take(p->place, "exp(A*log(W))",
                                            darc_expr_copy(p->child[1]),
                                            darc_expr_copy(p->child[0]));
    darc_expr_free(*e);
    *e = exp;
}
