#include "syntax/expr.h"

#include "base/limits.h"

#include <assert.h>
#include <math.h>
#include <mpfr.h>

typedef struct {
    const char *what;
    const darc_script *script;
} evaluation;

static darc_status not_exact(const evaluation *v, const darc_expr *e)
{
    if (e->kind == DARC_EXPR_UNKNOWN)
        return DARC_FAIL_MODEL(
            v, e, "%s must be an exact number: '%s' is not a constant", v->what,
            e->text);
    if (e->kind == DARC_EXPR_CALL)
        return DARC_FAIL_MODEL(
            v, e, "%s must be an exact number: '%s' has no exact value",
            v->what, darc_function_name(e->function));
    return DARC_FAIL_MODEL(
        v, e, "%s must be an exact number: a derivative is none", v->what);
}

static darc_status check_size(const evaluation *v, const darc_expr *e,
                              mp_bitcnt_t bits)
{
    if (bits <= DARC_MAX_COEFFICIENT_BITS)
        return DARC_OK;
    return darc_script_fail(v->script, e->place, DARC_LIMIT,
                            "%s is a number of more than %d bits", v->what,
                            DARC_MAX_COEFFICIENT_BITS);
}

static mp_bitcnt_t bits_of(const fmpq_t q)
{
    mp_bitcnt_t n = fmpz_bits(fmpq_numref(q)), d = fmpz_bits(fmpq_denref(q));
    return n > d ? n : d;
}

static darc_status evaluate_expr(fmpq_t q, const darc_expr *e,
                                 const evaluation *v);

static darc_status evaluate_power(fmpq_t q, const darc_expr *e,
                                  const evaluation *v)
{
    darc_status status;
    fmpq_t n;
    fmpq_init(n);
    DARC_TRY(evaluate_expr(n, e->child[1], v));
    DARC_TRY(evaluate_expr(q, e->child[0], v));
    if (!fmpz_is_one(fmpq_denref(n)) ||
        fmpz_cmpabs(fmpq_numref(n), (fmpz[]){DARC_MAX_EXPONENT}) > 0)
        DARC_TRY(DARC_FAIL_MODEL(
            v, e->child[1],
            "the exponent must be an integer from -%d to %d here",
            DARC_MAX_EXPONENT, DARC_MAX_EXPONENT));
    slong k = fmpz_get_si(fmpq_numref(n));
    if (k < 0 && fmpq_is_zero(q))
        DARC_TRY(DARC_FAIL_MODEL(v, e, "division by zero"));
    DARC_TRY(check_size(v, e, bits_of(q) * (mp_bitcnt_t)(k < 0 ? -k : k)));
    fmpq_pow_si(q, q, k);
done:
    fmpq_clear(n);
    return status;
}

static darc_status evaluate_children(fmpq_t q, const darc_expr *e,
                                     const evaluation *v)
{
    darc_status status = DARC_OK;
    fmpq_t x;
    fmpq_init(x);
    bool sum = e->kind == DARC_EXPR_SUM;
    fmpq_set_si(q, sum ? 0 : 1, 1);
    for (int i = 0; i < e->count; i++) {
        DARC_TRY(evaluate_expr(x, e->child[i], v));
        (sum ? fmpq_add : fmpq_mul)(q, q, x);
        DARC_TRY(check_size(v, e, bits_of(q)));
    }
done:
    fmpq_clear(x);
    return status;
}

static darc_status evaluate_expr(fmpq_t q, const darc_expr *e,
                                 const evaluation *v)
{
    switch (darc_expr_get_kind(e)) {
    case DARC_EXPR_NUMBER:
        fmpq_set(q, e->value);
        return DARC_OK;
    case DARC_EXPR_SUM:
    case DARC_EXPR_PRODUCT:
        return evaluate_children(q, e, v);
    case DARC_EXPR_NEGATE:
        DARC_NEED(evaluate_expr(q, e->child[0], v));
        fmpq_neg(q, q);
        return DARC_OK;
    case DARC_EXPR_INVERT:
        DARC_NEED(evaluate_expr(q, e->child[0], v));
        if (fmpq_is_zero(q))
            return DARC_FAIL_MODEL(v, e->child[0], "division by zero");
        fmpq_inv(q, q);
        return DARC_OK;
    case DARC_EXPR_POWER:
        return evaluate_power(q, e, v);
    default:
        return not_exact(v, e);
    }
}

darc_status darc_expr_rational(fmpq_t q, const darc_expr *e, const char *what,
                               const darc_script *script)
{
    fmpq_t value;
    fmpq_init(value);
    darc_status status = evaluate_expr(value, e, &(evaluation){what, script});
    if (status == DARC_OK)
        fmpq_swap(q, value);
    fmpq_clear(value);
    return status;
}

/* The double nearest to q, by way of the 53 leading bits of the quotient. */
static double nearest_double(const fmpq_t q)
{
    mpq_t x;
    mpq_init(x);
    fmpq_get_mpq(x, q);
    mpfr_t y;
    mpfr_init2(y, 53);
    mpfr_set_q(y, x, MPFR_RNDN);
    double d = mpfr_get_d(y, MPFR_RNDN);
    mpfr_clear(y);
    mpq_clear(x);
    return d;
}

double darc_expr_number(const darc_expr *e)
{
    assert(darc_expr_get_kind(e) == DARC_EXPR_NUMBER);
    return nearest_double(e->value);
}

bool darc_expr_is_constant(const darc_expr *e, double *value)
{
    fmpq_t q;
    fmpq_init(q);
    bool constant = darc_expr_rational(q, e, "", NULL) == DARC_OK;
    if (constant && value != NULL)
        *value = nearest_double(q);
    fmpq_clear(q);
    return constant;
}

static double sign(double x)
{
    return isnan(x) ? x : (double)((x > 0) - (x < 0));
}

double (*darc_function_of(darc_function f))(double)
{
    static double (*const of[])(double) = {
        [DARC_FUNCTION_SQRT] = sqrt, [DARC_FUNCTION_EXP] = exp,
        [DARC_FUNCTION_LOG] = log,   [DARC_FUNCTION_SIN] = sin,
        [DARC_FUNCTION_COS] = cos,   [DARC_FUNCTION_TAN] = tan,
        [DARC_FUNCTION_ASIN] = asin, [DARC_FUNCTION_ACOS] = acos,
        [DARC_FUNCTION_ATAN] = atan, [DARC_FUNCTION_SINH] = sinh,
        [DARC_FUNCTION_COSH] = cosh, [DARC_FUNCTION_TANH] = tanh,
        [DARC_FUNCTION_ABS] = fabs,  [DARC_FUNCTION_SIGN] = sign};
    assert(f < sizeof of / sizeof of[0]);
    return of[f];
}

typedef struct {
    double (*value)(void *user, darc_deriv d);
    void *user;
} valuation;

static double eval(const darc_expr *e, const valuation *v)
{
    return darc_expr_eval(e, v->value, v->user);
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

static double call(const darc_expr *e, const valuation *v)
{
    switch (e->function) {
    case DARC_FUNCTION_MIN:
        return extreme(e, v, -1);
    case DARC_FUNCTION_MAX:
        return extreme(e, v, 1);
    case DARC_FUNCTION_DELAY:
    case DARC_FUNCTION_MEAN:
    case DARC_FUNCTION_INT:
        return NAN;
    case DARC_FUNCTION_TABLE:;
        /* The line between the points on both sides; NAN outside. */
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
    case DARC_FUNCTION_IF:
        return choice(e, v);
    default:
        return darc_function_of(e->function)(eval(e->child[0], v));
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
