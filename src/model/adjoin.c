#include "model/model_struct.h"

#include "model/thresholds.h"

#include <stdio.h>

/* The formula of A, which is copied, and W, a name or NULL. */
static darc_expr *formula(const char *text, const darc_expr *a, const char *w,
                          darc_place at)
{
    return darc_expr_formula_take(at, text, darc_expr_copy(a),
                                  w != NULL ? darc_expr_name(at, w) : NULL);
}

/* name' = right */
static void add_equation(darc_rewriter *rw, const char *name, darc_expr *right)
{
    darc_place place = right->place;
    darc_expr *left =
        darc_expr_derive_take(place, darc_expr_name(place, name), 1);
    darc_statements_append_take(&rw->syntax->equations, left, right, place);
}

static void require_nonzero(darc_rewriter *rw, darc_expr *e)
{
    darc_place place = e->place;
    darc_statements_append_take(&rw->syntax->assumptions, e,
                                darc_expr_integer(place, 0), place);
}

/* Return the name of a new state for the call, free up to a constant. */
static const char *declare_state(darc_rewriter *rw, const darc_expr *call)
{
    darc_adjoined *a = darc_rewriter_declare(
        rw, darc_function_name(call->function), DARC_SECTION_STATES, call);
    a->free = true;
    return a->name;
}

/* For a simulation: s' = c*a', c' = -s*a' for sin and cos, c' = s*a' for sinh
 * and cosh. */
static const char *adjoin_pair(darc_rewriter *rw, const darc_expr *call)
{
    bool circular = call->function == DARC_FUNCTION_SIN ||
                    call->function == DARC_FUNCTION_COS;
    bool cosine = call->function == DARC_FUNCTION_COS ||
                  call->function == DARC_FUNCTION_COSH;
    const darc_expr *a = call->child[0];
    darc_place p = call->place;
    darc_expr *twin = darc_expr_copy(call);
    twin->function = circular ? DARC_FUNCTION_SIN : DARC_FUNCTION_SINH;
    const char *s = declare_state(rw, twin);
    twin->function = circular ? DARC_FUNCTION_COS : DARC_FUNCTION_COSH;
    const char *c = declare_state(rw, twin);
    darc_expr_free(twin);
    add_equation(rw, s, formula("W*A'", a, c, p));
    add_equation(rw, c, formula(circular ? "-W*A'" : "W*A'", a, s, p));
    require_nonzero(
        rw, darc_expr_formula_take(p, circular ? "A^2 + W^2" : "A^2 - W^2",
                                   darc_expr_name(p, c), darc_expr_name(p, s)));
    return cosine ? c : s;
}

/* W = f(A): W' and, unless NULL, what of it does not vanish. */
static const struct {
    darc_function f;
    const char *slope, *nonzero;
} rates[] = {{DARC_FUNCTION_EXP, "W*A'", "W"},
             {DARC_FUNCTION_LOG, "A'/A", NULL},
             {DARC_FUNCTION_TAN, "(1 + W^2)*A'", "1 + W^2"},
             {DARC_FUNCTION_TANH, "(1 - W^2)*A'", "1 - W^2"},
             {DARC_FUNCTION_ATAN, "A'/(1 + A^2)", NULL},
             {DARC_FUNCTION_INT, "A", NULL},
             {DARC_FUNCTION_ABS, "W*A'/A", "W"}};

/* f(A) by such a W, of another argument: with t = tan(a/2) and e = exp(a) what
 * binds the two of a kind is kept without an equation of its own. */
static const struct {
    darc_function f, by;
    const char *argument, *value;
} pairs[] = {
    {DARC_FUNCTION_SIN, DARC_FUNCTION_TAN, "A/2", "(2*W)/(1 + W^2)"},
    {DARC_FUNCTION_COS, DARC_FUNCTION_TAN, "A/2", "(1 - W^2)/(1 + W^2)"},
    {DARC_FUNCTION_SINH, DARC_FUNCTION_EXP, "A", "(W - 1/W)/2"},
    {DARC_FUNCTION_COSH, DARC_FUNCTION_EXP, "A", "(W + 1/W)/2"},
    {DARC_FUNCTION_SIGN, DARC_FUNCTION_ABS, "A", "W/A"}};

/* Return the new state that stands for the call of a function in row k of
 * `rates`. */
static const char *adjoin_one(darc_rewriter *rw, const darc_expr *call, int k)
{
    const darc_expr *a = call->child[0];
    const char *w = darc_rewriter_known(rw, call);
    if (w != NULL)
        return w;
    w = declare_state(rw, call);
    add_equation(rw, w, formula(rates[k].slope, a, w, call->place));
    if (rates[k].nonzero != NULL)
        require_nonzero(rw, formula(rates[k].nonzero, a, w, call->place));
    return w;
}

static void replace_expr(darc_expr **e, darc_expr *with)
{
    darc_expr_free(*e);
    *e = with;
}

darc_status darc_adjoin_function(darc_rewriter *rw, darc_expr **call)
{
    darc_place p = (*call)->place;
    darc_function f = (*call)->function;
    bool turns = f == DARC_FUNCTION_ABS || f == DARC_FUNCTION_SIGN;
    bool fixed =
        rw->simulation || darc_rewriter_is_parametric(rw, (*call)->child[0]);
    int pair = 4, k = turns && fixed ? -1 : 6;
    while (pair >= 0 && pairs[pair].f != f)
        pair--;
    while (k >= 0 && rates[k].f != (pair >= 0 ? pairs[pair].by : f))
        k--;
    if (k < 0 && f == DARC_FUNCTION_IF)
        return darc_script_fail(rw->script, p, DARC_MODEL,
                                "'if' compares measured signals and numbers; "
                                "what it compares here is not measured");
    if (k < 0)
        return darc_script_fail(rw->script, p, DARC_MODEL,
                                "'%s' has no polynomial differential "
                                "equation; of measured signals it is declared "
                                "in 'derived' and used by its name",
                                darc_function_name(f));
    if (pair >= 0 && rw->simulation) {
        replace_expr(call, darc_expr_name(p, adjoin_pair(rw, *call)));
        return DARC_OK;
    }
    if (pair >= 0) {
        (*call)->function = rates[k].f;
        replace_expr(&(*call)->child[0],
                     formula(pairs[pair].argument, (*call)->child[0], NULL, p));
    }
    const char *w = adjoin_one(rw, *call, k);
    replace_expr(call, formula(pair >= 0 ? pairs[pair].value : "W",
                               (*call)->child[0], w, p));
    return DARC_OK;
}

static darc_expr *power_node(darc_expr *base, slong n)
{
    return n == 1 ? base
                  : darc_expr_join_take(DARC_EXPR_POWER, base,
                                        darc_expr_integer(base->place, n));
}

/* base = r^q, solved for an unknown x of the base where that can be done:
 * then x is replaced everywhere. */
static void add_root(darc_rewriter *rw, const char *r, const darc_expr *base,
                     slong q, bool parameters)
{
    darc_place p = base->place;
    darc_expr *power = power_node(darc_expr_name(p, r), q), *solution = NULL;
    darc_expr *reduced = darc_expr_copy(base);
    darc_substitute_known(rw, &reduced);
    const char *x = darc_solve_for(
        rw, parameters ? DARC_SECTION_PARAMETERS : DARC_SECTION_STATES, reduced,
        power, &solution);
    if (x == NULL) {
        darc_statements_append_take(&rw->syntax->equations, power, reduced, p);
        return;
    }
    DARC_EACH(darc_expr_free, power, reduced);
    darc_substitute_later_take(rw, x, solution, !parameters);
}

/* Declare r = base^(e/q) and add its equations. */
static const char *declare_root(darc_rewriter *rw, const darc_expr *defined,
                                slong e, slong q, bool by_slope)
{
    const darc_expr *base = defined->child[0];
    bool parameters = darc_rewriter_is_parametric(rw, base);
    char word[40] = "sqrt", slope[80];
    if (e != 1)
        snprintf(word, sizeof word, "power");
    else if (q > 2)
        snprintf(word, sizeof word, "root%ld", (long)q);
    darc_adjoined *a = darc_rewriter_declare(
        rw, word, parameters ? DARC_SECTION_PARAMETERS : DARC_SECTION_STATES,
        defined);
    a->free = by_slope;
    const char *r = a->name;
    snprintf(slope, sizeof slope, "(%ld/%ld)*(W*(A'/A))", (long)e, (long)q);
    if (by_slope)
        add_equation(rw, r, formula(slope, base, r, base->place));
    else if (!rw->simulation && !darc_expr_is_constant(base, NULL))
        add_root(rw, r, base, q, parameters);
    if (!parameters)
        require_nonzero(rw, darc_expr_name(defined->place, r));
    return r;
}

void darc_adjoin_root(darc_rewriter *rw, darc_expr **power, slong p, slong q)
{
    darc_place at = (*power)->place;
    const darc_expr *base = (*power)->child[0];
    /* A high root is of high degree; its differential equation is not. */
    bool by_slope = !darc_rewriter_is_parametric(rw, base) &&
                    (rw->simulation || q > DARC_ROOT_BY_POWER);
    slong e = by_slope ? p : 1;
    darc_expr *exponent = darc_expr_formula_take(
        at, "A/W", darc_expr_integer(at, e), darc_expr_integer(at, q));
    darc_expr *defined =
        darc_expr_join_take(DARC_EXPR_POWER, darc_expr_copy(base), exponent);
    defined->place = at;
    const char *r = darc_rewriter_known(rw, defined);
    if (r == NULL)
        r = declare_root(rw, defined, e, q, by_slope);
    darc_expr_free(defined);
    replace_expr(power, power_node(darc_expr_name(at, r), p / e));
}
