#include "syntax/expr.h"

#include "base/limits.h"

#include <assert.h>
#include <mpfr.h>

typedef struct {
    const char *what;
    const darc_script *script;
} evaluation;

static darc_status not_exact(const evaluation *v, const darc_expr *e)
{
    if (e->kind == DARC_EXPR_UNKNOWN)
        return darc_script_fail(
            v->script, e->place, DARC_MODEL,
            "%s must be an exact number: '%s' is not a constant", v->what,
            e->text);
    if (e->kind == DARC_EXPR_CALL)
        return darc_script_fail(
            v->script, e->place, DARC_MODEL,
            "%s must be an exact number: '%s' has no exact value", v->what,
            darc_function_name(e->function));
    return darc_script_fail(v->script, e->place, DARC_MODEL,
                            "%s must be an exact number: a derivative is none",
                            v->what);
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

static darc_status evaluate(fmpq_t q, const darc_expr *e, const evaluation *v);

static darc_status evaluate_power(fmpq_t q, const darc_expr *e,
                                  const evaluation *v)
{
    darc_status status;
    fmpq_t n;
    fmpq_init(n);
    DARC_TRY(evaluate(n, e->child[1], v));
    DARC_TRY(evaluate(q, e->child[0], v));
    if (!fmpz_is_one(fmpq_denref(n)) ||
        fmpz_cmpabs(fmpq_numref(n), (fmpz[]){DARC_MAX_EXPONENT}) > 0) {
        status = darc_script_fail(v->script, e->child[1]->place, DARC_MODEL,
                                  "the exponent must be an integer from -%d "
                                  "to %d here",
                                  DARC_MAX_EXPONENT, DARC_MAX_EXPONENT);
        goto done;
    }
    slong k = fmpz_get_si(fmpq_numref(n));
    if (k < 0 && fmpq_is_zero(q)) {
        status = darc_script_fail(v->script, e->place, DARC_MODEL,
                                  "division by zero");
        goto done;
    }
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
        DARC_TRY(evaluate(x, e->child[i], v));
        (sum ? fmpq_add : fmpq_mul)(q, q, x);
        DARC_TRY(check_size(v, e, bits_of(q)));
    }
done:
    fmpq_clear(x);
    return status;
}

static darc_status evaluate(fmpq_t q, const darc_expr *e, const evaluation *v)
{
    switch (darc_expr_get_kind(e)) {
    case DARC_EXPR_NUMBER:
        fmpq_set(q, e->value);
        return DARC_OK;
    case DARC_EXPR_SUM:
    case DARC_EXPR_PRODUCT:
        return evaluate_children(q, e, v);
    case DARC_EXPR_NEGATE:
        DARC_NEED(evaluate(q, e->child[0], v));
        fmpq_neg(q, q);
        return DARC_OK;
    case DARC_EXPR_INVERT:
        DARC_NEED(evaluate(q, e->child[0], v));
        if (fmpq_is_zero(q))
            return darc_script_fail(v->script, e->child[0]->place, DARC_MODEL,
                                    "division by zero");
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
    darc_status status = evaluate(value, e, &(evaluation){what, script});
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
