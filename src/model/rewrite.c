#include "model/model_struct.h"

#include "base/limits.h"

static bool is_integer(const darc_expr *e)
{
    fmpq_t q;
    fmpq_init(q);
    bool integer = darc_expr_rational(q, e, "", NULL) == DARC_OK &&
                   fmpz_is_one(fmpq_denref(q));
    fmpq_clear(q);
    return integer;
}

static bool is_function(const darc_expr *e)
{
    return e->kind == DARC_EXPR_CALL ||
           (e->kind == DARC_EXPR_POWER && !is_integer(e->child[1]));
}

static bool contains_function(const darc_expr *e)
{
    bool found = is_function(e);
    for (int i = 0; i < e->count && !found; i++)
        found = contains_function(e->child[i]);
    return found;
}

bool darc_rewrite_needed(const darc_syntax *syntax)
{
    bool found = darc_has_circle(syntax) || darc_has_dead_times(syntax);
    darc_expr **side;
    for (size_t i = 0; !found && (side = darc_syntax_side(syntax, i)); i++)
        found = contains_function(*side);
    return found;
}

static bool is_call(const darc_expr *e, darc_function f)
{
    return e->kind == DARC_EXPR_CALL && e->function == f;
}

static bool is_smooth(const darc_expr *e)
{
    return e->kind != DARC_EXPR_CALL || e->function < DARC_FUNCTION_ABS ||
           e->function == DARC_FUNCTION_INT;
}

static void put_name(darc_expr **e, const char *name)
{
    darc_expr *node = darc_expr_name((*e)->place, name);
    darc_expr_free(*e);
    *e = node;
}

/* Replace *e by a name that already stands for the same function. */
static bool use_known(const darc_rewriter *rw, darc_expr **e)
{
    const char *name = darc_rewriter_known(rw, *e);
    if (name != NULL)
        put_name(e, name);
    return name != NULL;
}

static void name_it(darc_rewriter *rw, darc_expr **e, darc_section section)
{
    const char *word = (*e)->kind == DARC_EXPR_CALL
                           ? darc_function_name((*e)->function)
                           : "power";
    darc_adjoined *a = darc_rewriter_declare(rw, word, section, *e);
    a->free =
        section == DARC_SECTION_PARAMETERS && (*e)->kind != DARC_EXPR_POWER;
    put_name(e, a->name);
}

/* Is the function computable from the recording, exactly?  What has no
 * differential equation takes estimated derivatives, too. */
static bool becomes_derived(const darc_rewriter *rw, const darc_expr *e)
{
    if (rw->whole && is_smooth(e))
        return false;
    darc_expr *copy = darc_expr_copy(e);
    bool rates = !is_smooth(e);
    darc_rewriter_use_equal(rw, copy, DARC_SECTION_OUTPUTS, rates);
    bool derived = darc_rewriter_is_measured(rw, copy, rates);
    darc_expr_free(copy);
    return derived;
}

/* Is it a number times a root that is known, or, of states, divided by it? */
static bool make_multiple(darc_rewriter *rw, darc_expr **e, bool measured)
{
    darc_expr *product = NULL;
    for (int i = 0; i < rw->adjoined->count && product == NULL; i++) {
        const darc_adjoined *a = rw->adjoined->item + i;
        if (!rw->simulation)
            product = darc_multiple_of(*e, a->call, a->name, !measured);
    }
    if (product == NULL)
        return false;
    darc_expr_free(*e);
    *e = product;
    darc_expr **number = &product->child[0];
    if ((*number)->kind == DARC_EXPR_POWER && !use_known(rw, number))
        name_it(rw, number, DARC_SECTION_PARAMETERS);
    return true;
}

/* Replace *e by a derived signal where it can be one; return whether. */
static bool make_derived(darc_rewriter *rw, darc_expr **e)
{
    if (!becomes_derived(rw, *e))
        return false;
    darc_rewriter_use_equal(rw, *e, DARC_SECTION_OUTPUTS, !is_smooth(*e));
    if (!use_known(rw, e) && !make_multiple(rw, e, true))
        name_it(rw, e, DARC_SECTION_DERIVED);
    return true;
}

/* sqrt(a) is a^(1/2). */
static void sqrt_to_power(darc_expr *e)
{
    if (!is_call(e, DARC_FUNCTION_SQRT))
        return;
    darc_expr *half = darc_expr_new(DARC_EXPR_NUMBER, e->place, "0.5", 3);
    fmpq_set_si(half->value, 1, 2);
    e->kind = DARC_EXPR_POWER;
    e->function = (darc_function)0;
    darc_expr_append_take(e, half);
}

/* Replace a choice by measured signals, if s then e1 else e2, by e2 +
 * s*(e1 - e2): the condition, 1 or 0, is a derived signal.  Return whether it
 * was one. */
static bool rewrite_choice(darc_rewriter *rw, darc_expr **e)
{
    darc_expr *s = darc_expr_copy(*e), *first = s->child[2];
    darc_expr *second = s->child[3], *jump;
    s->child[2] = darc_expr_integer(s->place, 1);
    s->child[3] = darc_expr_integer(s->place, 0);
    jump = darc_expr_join_take(DARC_EXPR_NEGATE, darc_expr_copy(second), NULL);
    jump = darc_expr_join_take(DARC_EXPR_SUM, first, jump);
    bool measured = make_derived(rw, &s);
    jump = darc_expr_join_take(DARC_EXPR_PRODUCT, s, jump);
    jump = darc_expr_join_take(DARC_EXPR_SUM, second, jump);
    darc_expr_free(measured ? *e : jump);
    *e = measured ? jump : *e;
    return measured;
}

static darc_status rewrite_tree(darc_rewriter *rw, darc_expr **e);

/* asin or acos of what is not measured, by atan and a root. */
static darc_status rewrite_arc(darc_rewriter *rw, darc_expr **e)
{
    darc_expr *by = darc_expr_formula_take(
        (*e)->place,
        is_call(*e, DARC_FUNCTION_ASIN) ? "atan(A/sqrt(1 - A^2))"
                                        : "2*atan(sqrt(1 - A^2)/(1 + A))",
        darc_expr_copy((*e)->child[0]), NULL);
    darc_expr_free(*e);
    *e = by;
    return rewrite_tree(rw, e);
}

static darc_status rewrite_function(darc_rewriter *rw, darc_expr **e)
{
    if (rw->syntax->declarations + 2 > DARC_MAX_UNKNOWNS)
        return darc_script_fail(
            rw->script, (*e)->place, DARC_LIMIT,
            "more than %d names, with those that stand for functions",
            DARC_MAX_UNKNOWNS);
    if (rw->whole && is_smooth(*e))
        darc_rewriter_use_equal(rw, *e, DARC_SECTION_STATES, false);
    if (make_derived(rw, e))
        return DARC_OK;
    sqrt_to_power(*e);
    if (use_known(rw, e) || make_multiple(rw, e, false))
        return DARC_OK;
    if ((*e)->kind == DARC_EXPR_POWER) {
        fmpq_t n;
        fmpq_init(n);
        darc_status status =
            darc_expr_rational(n, (*e)->child[1], "the exponent", rw->script);
        fmpz limit = DARC_MAX_EXPONENT;
        if (status == DARC_OK && (fmpz_cmpabs(fmpq_numref(n), &limit) > 0 ||
                                  fmpz_cmpabs(fmpq_denref(n), &limit) > 0))
            status = darc_script_fail(
                rw->script, (*e)->child[1]->place, DARC_LIMIT,
                "the exponent is not a quotient of integers up to %d",
                DARC_MAX_EXPONENT);
        if (status == DARC_OK)
            darc_adjoin_root(rw, e, fmpz_get_si(fmpq_numref(n)),
                             fmpz_get_si(fmpq_denref(n)));
        fmpq_clear(n);
        return status;
    }
    if (is_call(*e, DARC_FUNCTION_IF) && rewrite_choice(rw, e))
        return DARC_OK;
    if (!darc_rewriter_is_parametric(rw, *e) || !is_smooth(*e) ||
        is_call(*e, DARC_FUNCTION_INT))
        return is_call(*e, DARC_FUNCTION_ASIN) ||
                       is_call(*e, DARC_FUNCTION_ACOS)
                   ? rewrite_arc(rw, e)
                   : darc_adjoin_function(rw, e);
    name_it(rw, e, DARC_SECTION_PARAMETERS);
    return DARC_OK;
}

/* ---- y = f(a) with y measured, which is a = g(y) ------------------------ */

/* Set *g to the inverse of f; return false where there is none everywhere. */
static bool has_inverse(darc_function *g, const darc_expr *e)
{
    static const darc_function pair[][2] = {
        {DARC_FUNCTION_EXP, DARC_FUNCTION_LOG},
        {DARC_FUNCTION_LOG, DARC_FUNCTION_EXP},
        {DARC_FUNCTION_ATAN, DARC_FUNCTION_TAN},
        {DARC_FUNCTION_ASIN, DARC_FUNCTION_SIN},
        {DARC_FUNCTION_ACOS, DARC_FUNCTION_COS}};
    for (int i = 0; i < 5; i++)
        if (is_call(e, pair[i][0])) {
            *g = pair[i][1];
            return true;
        }
    return false;
}

/* The inverse is a derived signal; what the function took stands alone. */
static void invert_function(const darc_rewriter *rw, darc_statement *s)
{
    darc_function g;
    for (int side = 0; side < 2; side++) {
        darc_expr **one = side ? &s->left : &s->right;
        darc_expr **other = side ? &s->right : &s->left;
        if (!has_inverse(&g, *one) || !becomes_derived(rw, *other) ||
            becomes_derived(rw, *one))
            continue;
        darc_expr *argument = (*one)->child[0];
        (*one)->child[0] = *other;
        (*one)->function = g;
        *other = argument;
        return;
    }
}

/* ---- log(K/x) is log(K) - log(x) ---------------------------------------- */

/* Factors of a product, or terms of a sum: of parameters; measured. */
typedef struct {
    const darc_rewriter *rw;
    darc_expr_kind kind;
    darc_expr *of[2]; /* owned */
    bool good;
} parting;

static void part_factors(parting *p, const darc_expr *e)
{
    for (int i = 0; i < e->count && e->kind == p->kind; i++)
        part_factors(p, e->child[i]);
    if (e->kind == p->kind)
        return;
    bool number = darc_expr_is_constant(e, NULL);
    bool parametric = !number && darc_rewriter_is_parametric(p->rw, e);
    p->good = p->good && (number || parametric || becomes_derived(p->rw, e));
    darc_expr **of = p->of + (parametric ? 0 : 1), *copy = darc_expr_copy(e);
    *of = *of == NULL ? copy : darc_expr_join_take(p->kind, *of, copy);
}

/* Let the parameters leave the argument of a logarithm, a power, or of exp in
 * sums: what is left is of measured signals alone. */
static void part_function(const darc_rewriter *rw, darc_expr **e)
{
    darc_expr *f = *e;
    bool log = is_call(f, DARC_FUNCTION_LOG),
         exp = is_call(f, DARC_FUNCTION_EXP);
    if (!log && !exp && f->kind != DARC_EXPR_POWER &&
        !is_call(f, DARC_FUNCTION_SQRT))
        return;
    if (becomes_derived(rw, f) || darc_rewriter_is_parametric(rw, f))
        return;
    parting p = {.rw = rw,
                 .kind = exp ? DARC_EXPR_SUM : DARC_EXPR_PRODUCT,
                 .good = f->child[0]->kind ==
                         (exp ? DARC_EXPR_SUM : DARC_EXPR_PRODUCT)};
    if (p.good)
        part_factors(&p, f->child[0]);
    p.good = p.good && p.of[0] != NULL && p.of[1] != NULL &&
             !darc_expr_is_constant(p.of[1], NULL);
    if (!p.good) {
        DARC_EACH(darc_expr_free, p.of[0], p.of[1]);
        return;
    }
    darc_expr *twin = darc_expr_copy(f);
    DARC_EACH(darc_expr_free, f->child[0], twin->child[0]);
    f->child[0] = p.of[0];
    twin->child[0] = p.of[1];
    *e = darc_expr_join_take(log ? DARC_EXPR_SUM : DARC_EXPR_PRODUCT, f, twin);
}

/* ---- sqrt(x^2) is abs(x) ------------------------------------------------ */

/* Set base and n to those of an even power base^n, or of base*base. */
static bool is_even_power(const darc_expr **base, fmpq_t n, const darc_expr *e)
{
    bool square = e->kind == DARC_EXPR_PRODUCT && e->count == 2 &&
                  darc_expr_equal(e->child[0], e->child[1]);
    fmpq_set_si(n, 2, 1);
    *base = e->count > 0 ? e->child[0] : NULL;
    return square || (e->kind == DARC_EXPR_POWER &&
                      darc_expr_rational(n, e->child[1], "", NULL) == DARC_OK &&
                      fmpz_is_one(fmpq_denref(n)) &&
                      fmpz_is_even(fmpq_numref(n)) && fmpq_sgn(n) > 0);
}

/* Return what a root of an even power is on the real numbers: of sqrt(x^2)
 * abs(x), of (x^2)^(3/2) abs(x)^3, of sqrt(x^4) x^2; NULL: e is none. */
static darc_expr *root_of_square(const darc_expr *e)
{
    bool root = is_call(e, DARC_FUNCTION_SQRT);
    const darc_expr *base;
    darc_expr *out = NULL;
    fmpq_t n, power;
    DARC_EACH(fmpq_init, n, power);
    fmpq_set_si(power, 1, 2);
    if (e->kind == DARC_EXPR_POWER)
        root = darc_expr_rational(power, e->child[1], "", NULL) == DARC_OK &&
               !fmpz_is_one(fmpq_denref(power));
    if (root && is_even_power(&base, n, e->child[0])) {
        fmpq_mul(n, n, power);
        bool even = fmpz_is_even(fmpq_numref(n));
        if (fmpz_is_one(fmpq_denref(n)) && fmpz_fits_si(fmpq_numref(n)))
            out = darc_expr_formula_take(
                e->place, even ? "A^W" : "abs(A)^W", darc_expr_copy(base),
                darc_expr_integer(e->place, fmpz_get_si(fmpq_numref(n))));
    }
    DARC_EACH(fmpq_clear, n, power);
    return out;
}

/* Replace sqrt(x^2) by abs(x), where that can be computed. */
static void leave_root(const darc_rewriter *rw, darc_expr **e)
{
    darc_expr *by = root_of_square(*e);
    bool good = by != NULL && (!is_call(by->child[0], DARC_FUNCTION_ABS) ||
                               becomes_derived(rw, by->child[0]));
    darc_expr_free(good ? *e : by);
    *e = good ? by : *e;
}

/* Inner functions first. */
static darc_status rewrite_tree(darc_rewriter *rw, darc_expr **e)
{
    darc_power_to_function(e);
    leave_root(rw, e);
    if (darc_is_dead_time(rw->syntax, *e)) {
        darc_expr *delay = *e;
        *e = darc_expr_formula_take(delay->place, "A - W*A'",
                                    darc_expr_copy(delay->child[0]),
                                    darc_expr_copy(delay->child[1]));
        darc_expr_free(delay);
    }
    if (is_function(*e) && !rw->simulation)
        part_function(rw, e);
    bool function = is_function(*e);
    for (int i = 0; i < (*e)->count; i++)
        DARC_NEED(rewrite_tree(rw, &(*e)->child[i]));
    return function ? rewrite_function(rw, e) : DARC_OK;
}

/* The lists grow and move while they are walked, so a tree is taken out while
 * it is rewritten. */
static darc_status rewrite_side(darc_rewriter *rw, darc_statements *s, size_t i,
                                bool left)
{
    darc_statement *at = s->statement + i;
    darc_expr *e = darc_expr_copy(left ? at->left : at->right);
    darc_status status = rewrite_tree(rw, &e);
    at = s->statement + i;
    darc_expr_free(left ? at->left : at->right);
    *(left ? &at->left : &at->right) = e;
    return status;
}

/* Names are compared by their text; they are bound anew afterwards. */
static void unbind(darc_expr *e)
{
    e->unknown = -1;
    DARC_ALL_OF(unbind, e->child, e->count);
}

darc_status darc_rewrite(darc_syntax *syntax, darc_adjoineds *adjoined,
                         const darc_script *script)
{
    bool simulation = script->how->simulated;
    darc_status status = DARC_OK;
    darc_rewriter rw = {.syntax = syntax,
                        .adjoined = adjoined,
                        .script = script,
                        .simulation = simulation,
                        .whole = simulation || script->how->whole};
    darc_statements *lists[] = {&syntax->equations, &syntax->assumptions};
    if (!simulation || script->how->shared)
        darc_share_known(&rw, becomes_derived);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            unbind(lists[k]->statement[i].left);
            unbind(lists[k]->statement[i].right);
            if (k == 0 && !simulation)
                invert_function(&rw, lists[k]->statement + i);
            DARC_TRY(rewrite_side(&rw, lists[k], i, true));
            DARC_TRY(rewrite_side(&rw, lists[k], i, false));
        }
    if (!simulation)
        darc_leave_circles(&rw);
    darc_substitute_all(&rw);
done:
    darc_rewriter_clear(&rw);
    return status;
}
