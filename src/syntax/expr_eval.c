#include "syntax/expr.h"

#include <math.h>

typedef struct {
    double (*value)(void *user, darc_deriv d);
    void *user;
} valuation;

static double eval(const darc_expr *e, const valuation *v)
{
    return darc_expr_eval(e, v->value, v->user);
}

static double sign(double x)
{
    return isnan(x) ? x : (double)((x > 0) - (x < 0));
}

/* The least or the largest of the children; NAN if one is. */
static double extreme(const darc_expr *e, const valuation *v, double way)
{
    double best = eval(e->child[0], v);
    for (int i = 1; i < e->count; i++) {
        double x = eval(e->child[i], v);
        if (isnan(x) || way * x > way * best)
            best = x;
        if (isnan(best))
            return best;
    }
    return best;
}

static double choice(const darc_expr *e, const valuation *v)
{
    double a = eval(e->child[0], v), b = eval(e->child[1], v);
    bool holds = e->text[0] == '>' ? a > b : a < b;
    if (isnan(a) || isnan(b))
        return NAN;
    return eval(e->child[holds || (e->text[1] == '=' && a == b) ? 2 : 3], v);
}

/* The line between the points on both sides; NAN outside. */
static double look_up(const darc_expr *e, const valuation *v)
{
    double x = e->text == NULL ? eval(e->child[0], v) : NAN, x0 = 0, y0 = 0;
    for (int i = 1; i + 1 < e->count && !isnan(x); i += 2) {
        double x1 = eval(e->child[i], v), y1 = eval(e->child[i + 1], v);
        if (x <= x1 && (i > 1 || x == x1))
            return i == 1 ? y1 : y0 + (x - x0) * (y1 - y0) / (x1 - x0);
        if (x < x1)
            return NAN;
        x0 = x1;
        y0 = y1;
    }
    return NAN;
}

static double call(const darc_expr *e, const valuation *v)
{
    static double (*const simple[])(double) = {
        [DARC_FUNCTION_SQRT] = sqrt, [DARC_FUNCTION_EXP] = exp,
        [DARC_FUNCTION_LOG] = log,   [DARC_FUNCTION_SIN] = sin,
        [DARC_FUNCTION_COS] = cos,   [DARC_FUNCTION_TAN] = tan,
        [DARC_FUNCTION_ASIN] = asin, [DARC_FUNCTION_ACOS] = acos,
        [DARC_FUNCTION_ATAN] = atan, [DARC_FUNCTION_SINH] = sinh,
        [DARC_FUNCTION_COSH] = cosh, [DARC_FUNCTION_TANH] = tanh,
        [DARC_FUNCTION_ABS] = fabs,  [DARC_FUNCTION_SIGN] = sign};
    switch (e->function) {
    case DARC_FUNCTION_MIN:
        return extreme(e, v, -1);
    case DARC_FUNCTION_MAX:
        return extreme(e, v, 1);
    case DARC_FUNCTION_DELAY:
    case DARC_FUNCTION_INT:
        return NAN;
    case DARC_FUNCTION_TABLE:
        return look_up(e, v);
    case DARC_FUNCTION_IF:
        return choice(e, v);
    default:
        return simple[e->function](eval(e->child[0], v));
    }
}

double darc_expr_eval(const darc_expr *e,
                      double (*value)(void *user, darc_deriv d), void *user)
{
    const valuation v = {value, user};
    double x;
    switch (darc_expr_get_kind(e)) {
    case DARC_EXPR_NUMBER:
        return darc_expr_number(e);
    case DARC_EXPR_UNKNOWN:
        return value(user, darc_expr_deriv(e));
    case DARC_EXPR_SUM:
        x = 0;
        for (int i = 0; i < e->count; i++)
            x += eval(e->child[i], &v);
        return x;
    case DARC_EXPR_PRODUCT:
        x = 1;
        for (int i = 0; i < e->count; i++)
            x *= eval(e->child[i], &v);
        return x;
    case DARC_EXPR_NEGATE:
        return -eval(e->child[0], &v);
    case DARC_EXPR_INVERT:
        return 1 / eval(e->child[0], &v);
    case DARC_EXPR_POWER:
        return pow(eval(e->child[0], &v), eval(e->child[1], &v));
    case DARC_EXPR_CALL:
        return call(e, &v);
    default:
        return NAN;
    }
}
