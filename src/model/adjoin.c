#include "model/rewriter.h"

#include "base/mem.h"
#include "model/thresholds.h"

#include <stdio.h>
#include <string.h>

/* ---- building trees at the place of the call ----------------------------- */

static darc_expr *name_node(const char *name, int order, darc_place place)
{
    return darc_expr_derive_take(place, darc_expr_name(place, name), order);
}

static darc_expr *pair(darc_expr_kind kind, darc_expr *a, darc_expr *b)
{
    return darc_expr_join_take(kind, a, b);
}

static darc_expr *power_node(darc_expr *base, slong n)
{
    return n == 1
               ? base
               : pair(DARC_EXPR_POWER, base, darc_expr_integer(base->place, n));
}

static darc_expr *times(darc_expr *a, darc_expr *b)
{
    return pair(DARC_EXPR_PRODUCT, a, b);
}

static darc_expr *negated(darc_expr *a)
{
    return pair(DARC_EXPR_NEGATE, a, NULL);
}

static darc_expr *over(darc_expr *a, darc_expr *b)
{
    return times(a, pair(DARC_EXPR_INVERT, b, NULL));
}

/* The first derivative of the argument. */
static darc_expr *derivative(const darc_expr *a)
{
    return darc_expr_derive_take(a->place, darc_expr_copy(a), 1);
}

/* ---- differential equations ---------------------------------------------- */

/* name' = right */
static void add_equation(darc_rewriter *rw, const char *name, darc_expr *right)
{
    darc_place place = right->place;
    darc_statements_append_take(&rw->syntax->equations,
                                name_node(name, 1, place), right, place);
}

static void require_nonzero(darc_rewriter *rw, darc_expr *e)
{
    darc_place place = e->place;
    darc_statements_append_take(&rw->syntax->assumptions, e,
                                darc_expr_integer(place, 0), place);
}

/* a^2 + sign * b^2, b = NULL: 1 */
static darc_expr *squares(const char *a, int sign, const char *b,
                          darc_place place)
{
    darc_expr *first = a == NULL ? darc_expr_integer(place, 1)
                                 : power_node(name_node(a, 0, place), 2);
    darc_expr *second = power_node(name_node(b, 0, place), 2);
    return pair(DARC_EXPR_SUM, first, sign < 0 ? negated(second) : second);
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
    darc_expr *back = name_node(s, 0, p);
    add_equation(rw, s, times(name_node(c, 0, p), derivative(a)));
    add_equation(rw, c, times(circular ? negated(back) : back, derivative(a)));
    require_nonzero(rw, squares(c, circular ? 1 : -1, s, p));
    return cosine ? c : s;
}

/* The right-hand side of w' for w = f(a). */
static darc_expr *slope(const darc_expr *call, const char *w)
{
    const darc_expr *a = call->child[0];
    darc_place p = call->place;
    switch (call->function) {
    case DARC_FUNCTION_EXP:
        return times(name_node(w, 0, p), derivative(a));
    case DARC_FUNCTION_LOG:
        return over(derivative(a), darc_expr_copy(a));
    case DARC_FUNCTION_TAN:
        return times(squares(NULL, 1, w, p), derivative(a));
    case DARC_FUNCTION_TANH:
        return times(squares(NULL, -1, w, p), derivative(a));
    case DARC_FUNCTION_INT:
        return darc_expr_copy(a);
    default: /* DARC_FUNCTION_ATAN */
        return over(derivative(a), pair(DARC_EXPR_SUM, darc_expr_integer(p, 1),
                                        power_node(darc_expr_copy(a), 2)));
    }
}

/* Return the new state that stands for w = f(a), f one of exp, log, tan, tanh,
 * atan, int. */
static const char *adjoin_one(darc_rewriter *rw, const darc_expr *call)
{
    const char *w = darc_rewriter_known(rw, call);
    if (w != NULL)
        return w;
    darc_function f = call->function;
    darc_place p = call->place;
    w = declare_state(rw, call);
    add_equation(rw, w, slope(call, w));
    if (f == DARC_FUNCTION_EXP)
        require_nonzero(rw, name_node(w, 0, p));
    if (f == DARC_FUNCTION_TAN || f == DARC_FUNCTION_TANH)
        require_nonzero(rw,
                        squares(NULL, f == DARC_FUNCTION_TAN ? 1 : -1, w, p));
    return w;
}

/* With t = tan(a/2): sin(a) = 2*t/(1 + t^2), cos(a) = (1 - t^2)/(1 + t^2), so
 * that sin^2 + cos^2 = 1 is kept without an equation of its own. */
static darc_expr *by_half_angle(darc_rewriter *rw, const darc_expr *call)
{
    darc_place p = call->place;
    darc_expr *half = darc_expr_copy(call);
    half->function = DARC_FUNCTION_TAN;
    half->child[0] = over(half->child[0], darc_expr_integer(p, 2));
    const char *t = adjoin_one(rw, half);
    darc_expr_free(half);
    darc_expr *above = call->function == DARC_FUNCTION_SIN
                           ? times(darc_expr_integer(p, 2), name_node(t, 0, p))
                           : squares(NULL, -1, t, p);
    return over(above, squares(NULL, 1, t, p));
}

/* With e = exp(a): sinh(a) = (e - 1/e)/2, cosh(a) = (e + 1/e)/2. */
static darc_expr *by_exponential(darc_rewriter *rw, const darc_expr *call)
{
    darc_place p = call->place;
    darc_expr *power = darc_expr_copy(call);
    power->function = DARC_FUNCTION_EXP;
    const char *e = adjoin_one(rw, power);
    darc_expr_free(power);
    darc_expr *inverse = over(darc_expr_integer(p, 1), name_node(e, 0, p));
    if (call->function == DARC_FUNCTION_SINH)
        inverse = negated(inverse);
    return over(pair(DARC_EXPR_SUM, name_node(e, 0, p), inverse),
                darc_expr_integer(p, 2));
}

static void replace(darc_expr **e, darc_expr *with)
{
    darc_expr_free(*e);
    *e = with;
}

darc_status darc_adjoin_function(darc_rewriter *rw, darc_expr **call)
{
    darc_place p = (*call)->place;
    switch ((*call)->function) {
    case DARC_FUNCTION_SIN:
    case DARC_FUNCTION_COS:
        replace(call, rw->simulation ? name_node(adjoin_pair(rw, *call), 0, p)
                                     : by_half_angle(rw, *call));
        return DARC_OK;
    case DARC_FUNCTION_SINH:
    case DARC_FUNCTION_COSH:
        replace(call, rw->simulation ? name_node(adjoin_pair(rw, *call), 0, p)
                                     : by_exponential(rw, *call));
        return DARC_OK;
    case DARC_FUNCTION_EXP:
    case DARC_FUNCTION_LOG:
    case DARC_FUNCTION_TAN:
    case DARC_FUNCTION_TANH:
    case DARC_FUNCTION_ATAN:
    case DARC_FUNCTION_INT:
        replace(call, name_node(adjoin_one(rw, *call), 0, p));
        return DARC_OK;
    default:
        if ((*call)->function == DARC_FUNCTION_IF)
            return darc_script_fail(
                rw->script, (*call)->place, DARC_MODEL,
                "'if' compares measured signals and numbers; "
                "what it compares here is not measured");
        return darc_script_fail(rw->script, (*call)->place, DARC_MODEL,
                                "'%s' has no polynomial differential "
                                "equation; of measured signals it is declared "
                                "in 'derived' and used by its name",
                                darc_function_name((*call)->function));
    }
}

/* ---- roots and powers ---------------------------------------------------- */

/* base = r^q, solved for an unknown x of the base where that can be done:
 * then x is replaced everywhere. */
static void add_root(darc_rewriter *rw, const char *r, const darc_expr *base,
                     slong q, bool parameters)
{
    darc_place p = base->place;
    darc_expr *power = power_node(name_node(r, 0, p), q), *solution = NULL;
    darc_expr *reduced = darc_expr_copy(base);
    darc_substitute_known(rw, &reduced);
    const char *x = darc_solve_for(
        rw, parameters ? DARC_SECTION_PARAMETERS : DARC_SECTION_STATES, reduced,
        power, &solution);
    if (x == NULL) {
        darc_statements_append_take(&rw->syntax->equations, power, reduced, p);
        return;
    }
    darc_expr_free(power);
    darc_expr_free(reduced);
    darc_substitute_later_take(rw, x, solution, !parameters);
}

/* Declare r = base^(e/q) and add its equations. */
static const char *declare_root(darc_rewriter *rw, const darc_expr *defined,
                                slong e, slong q, bool by_slope)
{
    const darc_expr *base = defined->child[0];
    bool parameters = darc_rewriter_is_parametric(rw, base);
    char word[40] = "sqrt";
    if (e != 1)
        snprintf(word, sizeof word, "power");
    else if (q > 2)
        snprintf(word, sizeof word, "root%ld", (long)q);
    darc_adjoined *a = darc_rewriter_declare(
        rw, word, parameters ? DARC_SECTION_PARAMETERS : DARC_SECTION_STATES,
        defined);
    a->free = by_slope;
    const char *r = a->name;
    if (by_slope) {
        darc_place at = base->place;
        darc_expr *factor =
            over(darc_expr_integer(at, e), darc_expr_integer(at, q));
        darc_expr *slope_over_base =
            over(derivative(base), darc_expr_copy(base));
        add_equation(
            rw, r, times(factor, times(name_node(r, 0, at), slope_over_base)));
    } else if (!rw->simulation)
        add_root(rw, r, base, q, parameters);
    if (!parameters)
        require_nonzero(rw, name_node(r, 0, defined->place));
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
    darc_expr *exponent =
        over(darc_expr_integer(at, e), darc_expr_integer(at, q));
    darc_expr *defined = pair(DARC_EXPR_POWER, darc_expr_copy(base), exponent);
    defined->place = at;
    const char *r = darc_rewriter_known(rw, defined);
    if (r == NULL)
        r = declare_root(rw, defined, e, q, by_slope);
    darc_expr_free(defined);
    replace(power, power_node(name_node(r, 0, at), p / e));
}
