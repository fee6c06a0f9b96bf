#include "model/fraction.h"

#include "base/limits.h"
#include "base/mem.h"
#include "model/thresholds.h"

#include <assert.h>
#include <math.h>

void darc_fraction_init(darc_fraction_t f, const darc_jet_t jet)
{
    darc_dpoly_init(f->num, jet);
    darc_dpoly_init(f->den, jet);
    fmpz_mpoly_one(f->den, jet->ctx);
}

void darc_fraction_clear(darc_fraction_t f, const darc_jet_t jet)
{
    darc_dpoly_clear(f->num, jet);
    darc_dpoly_clear(f->den, jet);
}

void darc_fraction_set_rational(darc_fraction_t f, const fmpq_t q,
                                const darc_jet_t jet)
{
    fmpz_mpoly_set_fmpz(f->num, fmpq_numref(q), jet->ctx);
    fmpz_mpoly_set_fmpz(f->den, fmpq_denref(q), jet->ctx);
}

void darc_fraction_set(darc_fraction_t f, const darc_fraction_t g,
                       const darc_jet_t jet)
{
    fmpz_mpoly_set(f->num, g->num, jet->ctx);
    fmpz_mpoly_set(f->den, g->den, jet->ctx);
}

void darc_fraction_set_var(darc_fraction_t f, slong v, const darc_jet_t jet)
{
    fmpz_mpoly_gen(f->num, v, jet->ctx);
    fmpz_mpoly_one(f->den, jet->ctx);
}

static double bits(const darc_dpoly_t p)
{
    return fabs((double)fmpz_mpoly_max_bits(p));
}

static double degree(const darc_dpoly_t p, const darc_jet_t jet)
{
    return fmpz_mpoly_is_zero(p, jet->ctx)
               ? 0
               : (double)fmpz_mpoly_total_degree_si(p, jet->ctx);
}

static darc_status check_size(double terms, double deg, double coefficient_bits,
                              const darc_jet_t jet, darc_err *err)
{
    if (terms > DARC_MAX_MODEL_TERMS)
        return darc_fail(err, DARC_LIMIT,
                         "the equation may have %.3g terms when expanded; at "
                         "most %d are allowed",
                         terms, DARC_MAX_MODEL_TERMS);
    if (terms * (double)jet->vars > DARC_EXPONENT_BYTES)
        return darc_fail(err, DARC_LIMIT,
                         "the equation may have %.3g terms in %ld derivatives; "
                         "that takes over %.0f MB",
                         terms, (long)jet->vars, DARC_EXPONENT_BYTES / 1e6);
    if (deg > DARC_MAX_DEGREE)
        return darc_fail(err, DARC_LIMIT,
                         "the equation may have degree %.0f when expanded; at "
                         "most %d is allowed",
                         deg, DARC_MAX_DEGREE);
    if (coefficient_bits > DARC_MAX_COEFFICIENT_BITS)
        return darc_fail(err, DARC_LIMIT,
                         "a number of the equation may have %.0f bits; at "
                         "most %d are allowed",
                         coefficient_bits, DARC_MAX_COEFFICIENT_BITS);
    return DARC_OK;
}

/* Upper bound for the number of monomials of p^m * q^n by degrees: those of
 * each variable alone. */
static double monomials(const darc_dpoly_t p, int m, const darc_dpoly_t q,
                        int n, const darc_jet_t jet)
{
    size_t vars = (size_t)jet->vars;
    slong *a = darc_calloc(vars, sizeof *a), *b = darc_calloc(vars, sizeof *b);
    fmpz_mpoly_degrees_si(a, p, jet->ctx);
    fmpz_mpoly_degrees_si(b, q, jet->ctx);
    double product = 1;
    for (size_t v = 0; v < vars; v++)
        product *= 1 + (double)m * (double)a[v] + (double)n * (double)b[v];
    darc_free(a);
    darc_free(b);
    return product;
}

/* Set r to p * q. */
static darc_status mul(darc_dpoly_t r, const darc_dpoly_t p,
                       const darc_dpoly_t q, const darc_jet_t jet,
                       darc_err *err)
{
    if (fmpz_mpoly_is_zero(p, jet->ctx) || fmpz_mpoly_is_zero(q, jet->ctx)) {
        fmpz_mpoly_zero(r, jet->ctx);
        return DARC_OK;
    }
    double terms = (double)p->length * (double)q->length;
    if (terms > DARC_MAX_MODEL_TERMS)
        terms = fmin(terms, monomials(p, 1, q, 1, jet));
    DARC_NEED(check_size(terms, degree(p, jet) + degree(q, jet),
                         bits(p) + bits(q) + log2(terms), jet, err));
    fmpz_mpoly_mul(r, p, q, jet->ctx);
    return DARC_OK;
}

static darc_status power(darc_dpoly_t p, int n, const darc_jet_t jet,
                         darc_err *err)
{
    if (fmpz_mpoly_is_zero(p, jet->ctx))
        return DARC_OK;
    /* At most binomial(length + n - 1, n) different products of n terms. */
    double terms = 1;
    for (int k = 1; k <= n; k++)
        terms *= ((double)p->length - 1 + k) / k;
    if (terms > DARC_MAX_MODEL_TERMS)
        terms = fmin(terms, monomials(p, n, p, 0, jet));
    double sum_bits = bits(p) + log2((double)p->length + 1);
    darc_status status =
        check_size(terms, n * degree(p, jet), n * sum_bits, jet, err);
    if (status == DARC_OK && !fmpz_mpoly_pow_ui(p, p, (ulong)n, jet->ctx))
        status = darc_fail(err, DARC_LIMIT, "the power %d is too large", n);
    return status;
}

/* Set g to a common divisor of p and q, not 0. */
static void divisor(darc_dpoly_t g, const darc_dpoly_t p, const darc_dpoly_t q,
                    const darc_jet_t jet)
{
    bool cheap = p->length * q->length <= DARC_GCD_TERMS &&
                 degree(p, jet) <= DARC_GCD_DEGREE &&
                 degree(q, jet) <= DARC_GCD_DEGREE;
    if (!cheap || fmpz_mpoly_is_zero(p, jet->ctx) ||
        fmpz_mpoly_is_zero(q, jet->ctx) || !fmpz_mpoly_gcd(g, p, q, jet->ctx))
        fmpz_mpoly_one(g, jet->ctx);
}

/* f + g over the least common denominator: with d = gcd(f->den, g->den),
 * (f->num * g->den/d + g->num * f->den/d) / (f->den/d * g->den). */
darc_status darc_fraction_add(darc_fraction_t f, const darc_fraction_t g,
                              const darc_jet_t jet, darc_err *err)
{
    assert(f != g);
    darc_status status;
    darc_dpoly_t d, a, b;
    darc_dpoly_init(d, jet);
    darc_dpoly_init(a, jet);
    darc_dpoly_init(b, jet);
    if (fmpz_mpoly_equal(f->den, g->den, jet->ctx)) {
        fmpz_mpoly_add(f->num, f->num, g->num, jet->ctx);
    } else {
        divisor(d, f->den, g->den, jet);
        fmpz_mpoly_divides(a, f->den, d, jet->ctx);
        fmpz_mpoly_divides(b, g->den, d, jet->ctx);
        DARC_TRY(mul(f->num, f->num, b, jet, err));
        DARC_TRY(mul(b, g->num, a, jet, err));
        DARC_TRY(mul(f->den, a, g->den, jet, err));
        fmpz_mpoly_add(f->num, f->num, b, jet->ctx);
    }
    status = check_size((double)f->num->length, 0, bits(f->num), jet, err);
done:
    darc_dpoly_clear(d, jet);
    darc_dpoly_clear(a, jet);
    darc_dpoly_clear(b, jet);
    return status;
}

darc_status darc_fraction_mul(darc_fraction_t f, const darc_fraction_t g,
                              const darc_jet_t jet, darc_err *err)
{
    assert(f != g);
    DARC_NEED(mul(f->num, f->num, g->num, jet, err));
    return mul(f->den, f->den, g->den, jet, err);
}

darc_status darc_fraction_pow(darc_fraction_t f, int n, const darc_jet_t jet,
                              darc_err *err)
{
    assert(n >= 0);
    if (n == 0) {
        fmpz_mpoly_one(f->num, jet->ctx);
        fmpz_mpoly_one(f->den, jet->ctx);
        return DARC_OK;
    }
    DARC_NEED(power(f->num, n, jet, err));
    return power(f->den, n, jet, err);
}

/* Every term of p gives one for each of its variables. */
static darc_status diff(darc_dpoly_t q, const darc_dpoly_t p,
                        const darc_jet_t jet, darc_err *err)
{
    double deg = degree(p, jet), vars = fmin(deg, (double)jet->vars);
    DARC_NEED(
        check_size((double)p->length * vars, deg, bits(p) + 10, jet, err));
    return darc_dpoly_diff(q, p, jet, err);
}

/* (n/d)' = (n' d - n d') / d^2 */
darc_status darc_fraction_diff(darc_fraction_t f, const darc_jet_t jet,
                               darc_err *err)
{
    if (fmpz_mpoly_is_fmpz(f->den, jet->ctx))
        return diff(f->num, f->num, jet, err);
    darc_status status;
    darc_dpoly_t a, b;
    darc_dpoly_init(a, jet);
    darc_dpoly_init(b, jet);
    DARC_TRY(diff(a, f->num, jet, err));
    DARC_TRY(mul(a, a, f->den, jet, err));
    DARC_TRY(diff(b, f->den, jet, err));
    DARC_TRY(mul(b, b, f->num, jet, err));
    fmpz_mpoly_sub(f->num, a, b, jet->ctx);
    DARC_TRY(power(f->den, 2, jet, err));
    darc_fraction_shorten(f, jet);
done:
    darc_dpoly_clear(a, jet);
    darc_dpoly_clear(b, jet);
    return status;
}

void darc_fraction_shorten(darc_fraction_t f, const darc_jet_t jet)
{
    darc_dpoly_t g;
    darc_dpoly_init(g, jet);
    if (!fmpz_mpoly_is_one(f->den, jet->ctx)) {
        divisor(g, f->num, f->den, jet);
        fmpz_mpoly_divides(f->num, f->num, g, jet->ctx);
        fmpz_mpoly_divides(f->den, f->den, g, jet->ctx);
    }
    darc_dpoly_clear(g, jet);
}

void darc_fraction_cancel(darc_fraction_t f, const darc_jet_t jet)
{
    assert(!fmpz_mpoly_is_zero(f->den, jet->ctx));
    darc_dpoly_t g;
    darc_dpoly_init(g, jet);
    /* A gcd that FLINT gives up on leaves a fraction that is right, if not
     * in lowest terms. */
    if (fmpz_mpoly_gcd(g, f->num, f->den, jet->ctx) &&
        !fmpz_mpoly_is_one(g, jet->ctx)) {
        fmpz_mpoly_divides(f->num, f->num, g, jet->ctx);
        fmpz_mpoly_divides(f->den, f->den, g, jet->ctx);
    }
    if (fmpz_sgn(f->den->coeffs) < 0) {
        fmpz_mpoly_neg(f->num, f->num, jet->ctx);
        fmpz_mpoly_neg(f->den, f->den, jet->ctx);
    }
    darc_dpoly_clear(g, jet);
}
