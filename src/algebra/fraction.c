#include "algebra/fraction.h"

#include "algebra/thresholds.h"
#include "base/limits.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>

void darc_fraction_init(darc_fraction_t f, const darc_jet_t jet)
{
    darc_dpoly_inits(jet->ctx, f->num, f->den, NULL);
    fmpz_mpoly_one(f->den, jet->ctx);
}

void darc_fraction_clear(darc_fraction_t f, const darc_jet_t jet)
{
    darc_dpoly_clears(jet->ctx, f->num, f->den, NULL);
}

void darc_fraction_set(darc_fraction_t f, const darc_fraction_t g,
                       const darc_jet_t jet)
{
    fmpz_mpoly_set(f->num, g->num, jet->ctx);
    fmpz_mpoly_set(f->den, g->den, jet->ctx);
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
    DARC_FREE(a, b);
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
    darc_dpoly_inits(jet->ctx, d, a, b, NULL);
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
    darc_dpoly_clears(jet->ctx, d, a, b, NULL);
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
        DARC_EACH_IN(fmpz_mpoly_one, jet->ctx, f->num, f->den);
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
    darc_dpoly_inits(jet->ctx, a, b, NULL);
    DARC_TRY(diff(a, f->num, jet, err));
    DARC_TRY(mul(a, a, f->den, jet, err));
    DARC_TRY(diff(b, f->den, jet, err));
    DARC_TRY(mul(b, b, f->num, jet, err));
    fmpz_mpoly_sub(f->num, a, b, jet->ctx);
    DARC_TRY(power(f->den, 2, jet, err));
    darc_fraction_shorten(f, jet);
done:
    darc_dpoly_clears(jet->ctx, a, b, NULL);
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

void darc_dpoly_replace(darc_dpoly_t p, slong v, const darc_fraction_t r,
                        const darc_jet_t jet)
{
    slong d = darc_dpoly_degree(p, v, jet);
    if (d <= 0)
        return;
    darc_dpoly_t sum, c, power;
    darc_dpoly_inits(jet->ctx, sum, c, power, NULL);
    fmpz_mpoly_one(power, jet->ctx);
    darc_dpoly_coeff(sum, p, v, d, jet);
    for (slong k = d - 1; k >= 0; k--) { /* power = den^(d-k) */
        fmpz_mpoly_mul(power, power, r->den, jet->ctx);
        fmpz_mpoly_mul(sum, sum, r->num, jet->ctx);
        darc_dpoly_coeff(c, p, v, k, jet);
        fmpz_mpoly_mul(c, c, power, jet->ctx);
        fmpz_mpoly_add(sum, sum, c, jet->ctx);
    }
    fmpz_mpoly_swap(p, sum, jet->ctx);
    darc_dpoly_clears(jet->ctx, sum, c, power, NULL);
}

/* Multiply p by a^n, n >= 0. */
static void mul_power(darc_dpoly_t p, const darc_dpoly_t a, slong n,
                      const darc_jet_t jet)
{
    for (; n > 0; n--)
        fmpz_mpoly_mul(p, p, a, jet->ctx);
}

darc_status darc_fraction_replace(darc_fraction_t f, slong v,
                                  const darc_fraction_t r, const darc_jet_t jet,
                                  darc_err *err)
{
    slong dn = darc_dpoly_degree(f->num, v, jet);
    slong dd = darc_dpoly_degree(f->den, v, jet);
    dn = dn < 0 ? 0 : dn;
    if (dn == 0 && dd == 0)
        return DARC_OK;

    darc_status status = DARC_OK;
    darc_fraction_t t;
    darc_fraction_init(t, jet);
    darc_fraction_set(t, f, jet);
    darc_dpoly_replace(t->num, v, r, jet);
    darc_dpoly_replace(t->den, v, r, jet);
    if (fmpz_mpoly_is_zero(t->den, jet->ctx))
        DARC_TRY(darc_fail(err, DARC_DOMAIN,
                           "a denominator vanishes when '%s' is substituted",
                           jet->names->symbol[jet->deriv[v].unknown].name));
    mul_power(t->num, r->den, dd - dn, jet);
    mul_power(t->den, r->den, dn - dd, jet);
    darc_fraction_cancel(t, jet);
    darc_fraction_set(f, t, jet);
done:
    darc_fraction_clear(t, jet);
    return status;
}

/* The augmented matrix: n rows of n + 1 entries. */
typedef struct {
    darc_dpoly_struct *a;
    slong n;
    double left; /* products of terms */
    const darc_jet_struct *jet;
} matrix;

static darc_dpoly_struct *entry(const matrix *m, slong i, slong j)
{
    return m->a + i * (m->n + 1) + j;
}

/* Row i becomes (pivot * row i - a[i][k] * row k) / previous pivot; the
 * division is exact [Bareiss]. */
static void eliminate_row(matrix *m, slong i, slong k,
                          const darc_dpoly_t previous)
{
    const fmpz_mpoly_ctx_struct *ctx = m->jet->ctx;
    darc_dpoly_t s, t, factor;
    darc_dpoly_inits(m->jet->ctx, s, t, factor, NULL);
    fmpz_mpoly_set(factor, entry(m, i, k), ctx);
    for (slong j = 0; j <= m->n; j++) {
        slong kk = entry(m, k, k)->length, ij = entry(m, i, j)->length;
        m->left -= (double)kk * (double)ij +
                   (double)factor->length * (double)entry(m, k, j)->length;
        if (m->left < 0)
            break;
        fmpz_mpoly_mul(s, entry(m, k, k), entry(m, i, j), ctx);
        fmpz_mpoly_mul(t, factor, entry(m, k, j), ctx);
        fmpz_mpoly_sub(s, s, t, ctx);
        int exact = fmpz_mpoly_divides(entry(m, i, j), s, previous, ctx);
        assert(exact);
        (void)exact;
    }
    darc_dpoly_clears(m->jet->ctx, s, t, factor, NULL);
}

darc_status darc_fraction_solve(darc_fraction_struct *x, darc_dpoly_struct *a,
                                slong n, double work, const darc_jet_t jet)
{
    matrix m = {a, n, work, jet};
    darc_status status = DARC_OK;
    darc_dpoly_t previous;
    darc_dpoly_init(previous, jet);
    fmpz_mpoly_one(previous, jet->ctx);
    /* Invariant: columns 0 .. k-1 are zero but for `previous`, the leading
     * minor of order k, on the diagonal. */
    for (slong k = 0; k < n; k++) {
        /* The row from k on whose entry in column k is the shortest that
         * is not 0; -1 if there is none. */
        slong pivot = -1;
        for (slong i = k; i < m.n; i++) {
            slong length = fmpz_mpoly_length(entry(&m, i, k), m.jet->ctx);
            if (length > 0 &&
                (pivot < 0 ||
                 length < fmpz_mpoly_length(entry(&m, pivot, k), m.jet->ctx)))
                pivot = i;
        }
        if (pivot < 0)
            DARC_TRY(DARC_DOMAIN);
        for (slong j = 0; j <= n && pivot != k; j++)
            fmpz_mpoly_swap(entry(&m, pivot, j), entry(&m, k, j), jet->ctx);
        for (slong i = 0; i < n; i++)
            if (i != k)
                eliminate_row(&m, i, k, previous);
        if (m.left < 0)
            DARC_TRY(DARC_LIMIT);
        fmpz_mpoly_set(previous, entry(&m, k, k), jet->ctx);
    }
    for (slong k = 0; k < n; k++) {
        fmpz_mpoly_swap(x[k].num, entry(&m, k, n), jet->ctx);
        fmpz_mpoly_set(x[k].den, entry(&m, k, k), jet->ctx);
        darc_fraction_cancel(x + k, jet);
    }
done:
    darc_dpoly_clear(previous, jet);
    return status;
}
