#include "numeric/gls.h"

#include "base/mem.h"

#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

void darc_gls_sums_init(darc_gls_sums *s, const darc_weak *weak)
{
    size_t j = (size_t)weak->coeffs;
    *s = (darc_gls_sums){.coeffs = weak->coeffs, .channels = weak->channels};
    s->grad = darc_calloc(j, sizeof(double));
    s->raw_grad = darc_calloc(j, sizeof(double));
    s->hess = darc_calloc(j * j, sizeof(double));
    s->raw_hess = darc_calloc(j * j, sizeof(double));
    s->noise = darc_calloc(j * j, sizeof(double));
    s->trace = darc_calloc(j * j, sizeof(double));
    s->hac = darc_calloc(j * j, sizeof(double));
    s->raw_hac = darc_calloc(j * j, sizeof(double));
    s->share = darc_calloc((size_t)weak->channels, sizeof(double));
    s->block = darc_calloc(DARC_GLS_BLOCKS * j, sizeof(double));
}

void darc_gls_sums_clear(darc_gls_sums *s)
{
    darc_free(s->grad);
    darc_free(s->raw_grad);
    darc_free(s->hess);
    darc_free(s->raw_hess);
    darc_free(s->noise);
    darc_free(s->trace);
    darc_free(s->hac);
    darc_free(s->raw_hac);
    darc_free(s->share);
    darc_free(s->block);
}

static void zero_sums(darc_gls_sums *s)
{
    size_t j = (size_t)s->coeffs, jj = j * j * sizeof(double);
    s->q = 0;
    memset(s->grad, 0, j * sizeof(double));
    memset(s->raw_grad, 0, j * sizeof(double));
    memset(s->hess, 0, jj);
    memset(s->raw_hess, 0, jj);
    memset(s->noise, 0, jj);
    memset(s->trace, 0, jj);
    memset(s->hac, 0, jj);
    memset(s->raw_hac, 0, jj);
    memset(s->share, 0, (size_t)s->channels * sizeof(double));
    memset(s->block, 0, DARC_GLS_BLOCKS * j * sizeof(double));
    memset(s->block_functions, 0, sizeof s->block_functions);
}

/* Buffers of one pass over one piece. */
typedef struct {
    double *e;    /* whitened residual L^-1 e */
    double *x;    /* V^-1 e */
    double *raw;  /* L^-1 W */
    double *reg;  /* L^-1 W~ */
    double *hold; /* noise fields, all channels */
} buffers;

static buffers make_buffers(const darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    size_t k = 0, j = (size_t)weak->coeffs;
    for (int i = 0; i < weak->pieces; i++)
        k = (size_t)weak->piece[i].functions > k
                ? (size_t)weak->piece[i].functions
                : k;
    size_t z =
        (work->capacity + 2 * (size_t)weak->pad) * (size_t)weak->channels;
    return (buffers){
        darc_calloc(k, sizeof(double)), darc_calloc(k, sizeof(double)),
        darc_calloc(k * j, sizeof(double)), darc_calloc(k * j, sizeof(double)),
        darc_calloc(z, sizeof(double))};
}

static void clear_buffers(buffers *b)
{
    darc_free(b->e);
    darc_free(b->x);
    darc_free(b->raw);
    darc_free(b->reg);
    darc_free(b->hold);
}

/* b = L^-1 b (transposed: L^-T b) for r columns. */
static void whiten(const darc_weak_work *work, double *b, int r, char trans)
{
    lapack_int k = work->functions;
    LAPACKE_dtbtrs(LAPACK_COL_MAJOR, 'L', trans, 'N', k, work->band, r,
                   work->ab, work->band + 1, b, k);
}

/* *second: whether the second-order part could be taken off. */
static darc_status factorise(darc_weak_work *work, const double *c,
                             bool *second, darc_err *err)
{
    for (int tries = 0; tries < 2; tries++) {
        *second = tries == 0;
        darc_weak_covariance(work, c, *second);
        lapack_int info = LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', work->functions,
                                         work->band, work->ab, work->band + 1);
        if (info == 0)
            return DARC_OK;
    }
    return darc_fail(err, DARC_DATA,
                     "%s: the covariance of the weak moments is singular",
                     work->weak->table->file);
}

/* Set out to sum_j c_j column j of w. */
static void combine(const darc_weak_work *work, double *out, const double *w,
                    const double *c)
{
    size_t k = (size_t)work->functions;
    memset(out, 0, k * sizeof *out);
    for (int j = 0; j < work->weak->coeffs; j++)
        for (size_t i = 0; c[j] != 0 && i < k; i++)
            out[i] += c[j] * w[(size_t)j * k + i];
}

/* h += a' a, a of k rows. */
static void add_gram(double *h, const double *a, size_t k, int coeffs)
{
    for (int i = 0; i < coeffs; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t t = 0; t < k; t++)
                sum += a[(size_t)i * k + t] * a[(size_t)j * k + t];
            h[i * coeffs + j] += sum;
            if (i != j)
                h[j * coeffs + i] += sum;
        }
}

/* Add the products of raw and e to the gradients of their blocks. */
static void add_blocks(darc_gls_sums *s, const darc_weak_work *work,
                       const double *raw, const double *e)
{
    size_t k = (size_t)work->functions, j = (size_t)s->coeffs, first = 0;
    for (int p = 0; p < work->piece; p++)
        first += (size_t)work->weak->piece[p].functions;
    for (size_t t = 0; t < k; t++) {
        size_t g = (first + t) * DARC_GLS_BLOCKS / work->weak->functions;
        s->block_functions[g]++;
        for (size_t i = 0; i < j; i++)
            s->block[g * j + i] += raw[i * k + t] * e[t];
    }
}

static void add_gradient(double *g, const double *a, const double *e, size_t k,
                         int coeffs)
{
    for (int j = 0; j < coeffs; j++)
        for (size_t t = 0; t < k; t++)
            g[j] += a[(size_t)j * k + t] * e[t];
}

size_t darc_gls_lags(size_t k)
{
    return 6 + (size_t)(4 * pow((double)k / 100, 2.0 / 9));
}

/* Newey-West: products a_j e at lags up to `lags`, Bartlett weights; the
 * mean product is taken off. */
static void add_hac(double *h, const double *a, const double *e, size_t k,
                    int coeffs)
{
    size_t lags = darc_gls_lags(k);
    double *p = darc_calloc(k * (size_t)coeffs, sizeof *p);
    for (int j = 0; j < coeffs; j++) {
        double mean = 0;
        for (size_t t = 0; t < k; t++)
            mean += a[(size_t)j * k + t] * e[t] / (double)k;
        for (size_t t = 0; t < k; t++)
            p[(size_t)j * k + t] = a[(size_t)j * k + t] * e[t] - mean;
    }
    for (int i = 0; i < coeffs; i++)
        for (int j = 0; j < coeffs; j++)
            for (size_t l = 0; l <= lags && l < k; l++) {
                double sum = 0, weight = 1 - (double)l / (double)(lags + 1);
                for (size_t t = l; t < k; t++)
                    sum += p[(size_t)i * k + t] * p[(size_t)j * k + t - l];
                h[i * coeffs + j] += weight * sum;
                if (l > 0)
                    h[j * coeffs + i] += weight * sum;
            }
    darc_free(p);
}

/* ---- simulated noise ------------------------------------------------------
 */

static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(0x2545F4914F6CDD1D)) >> 11) /
           9007199254740992.0;
}

static double normal(uint64_t *state)
{
    double r = sqrt(-2 * log(1 - uniform(state)));
    return r * cos(6.28318530717958647692 * uniform(state));
}

static void draw_fields(darc_weak_work *work, double *hold, uint64_t *state)
{
    size_t n = (size_t)(work->samples + 2 * work->weak->pad);
    for (int q = 0; q < work->weak->channels; q++)
        for (size_t t = 0; t < n; t++)
            hold[(size_t)q * n + t] = normal(state);
}

/* z = hold - sign * z */
static void restore_fields(darc_weak_work *work, const double *hold,
                           bool less_fitted)
{
    size_t n = (size_t)(work->samples + 2 * work->weak->pad);
    for (int q = 0; q < work->weak->channels; q++)
        for (size_t t = 0; t < n; t++)
            work->z[q][t] =
                hold[(size_t)q * n + t] - (less_fitted ? work->z[q][t] : 0);
}

/* Add one draw to the noise-only sums N and T. */
static void add_draw(darc_gls_sums *s, darc_weak_work *work, buffers *b,
                     const double *c, double weight, uint64_t *state)
{
    size_t k = (size_t)work->functions;
    int coeffs = s->coeffs, jj = coeffs * coeffs;
    double *sum = darc_calloc((size_t)jj, sizeof *sum);
    draw_fields(work, b->hold, state);
    restore_fields(work, b->hold, false);
    darc_weak_forward(work, b->reg);
    combine(work, b->x, b->reg, c);
    whiten(work, b->reg, coeffs, 'N');
    add_gram(sum, b->reg, k, coeffs);
    for (int i = 0; i < jj; i++)
        s->trace[i] += weight * sum[i];

    whiten(work, b->x, 1, 'N');
    whiten(work, b->x, 1, 'T');
    darc_weak_adjoint(work, b->x);
    restore_fields(work, b->hold, true);
    darc_weak_forward(work, b->reg);
    whiten(work, b->reg, coeffs, 'N');
    memset(sum, 0, (size_t)jj * sizeof *sum);
    add_gram(sum, b->reg, k, coeffs);
    for (int i = 0; i < jj; i++)
        s->noise[i] += weight * sum[i];
    darc_free(sum);
}

/* ---- the pass -------------------------------------------------------------
 */

static void add_shares(darc_gls_sums *s, const darc_weak_work *work)
{
    size_t n = (size_t)(work->samples + 2 * work->weak->pad);
    for (int q = 0; q < s->channels; q++)
        for (size_t t = 0; t < n; t++)
            s->share[q] += work->z[q][t] * work->z[q][t];
}

static darc_status add_piece(darc_gls_sums *s, darc_weak_work *work, buffers *b,
                             const double *c, int flags, int draws,
                             darc_err *err)
{
    size_t k = (size_t)work->functions, j = (size_t)s->coeffs;
    darc_weak_at(work, c);
    bool second;
    darc_status status = factorise(work, c, &second, err);
    if (status != DARC_OK)
        return status;
    combine(work, b->e, work->w, c);
    whiten(work, b->e, 1, 'N');
    memcpy(b->x, b->e, k * sizeof(double));
    whiten(work, b->x, 1, 'T');
    darc_weak_adjoint(work, b->x);
    add_shares(s, work);
    darc_weak_forward(work, b->reg);
    for (size_t i = 0; i < k * j; i++)
        b->reg[i] = work->w[i] - b->reg[i];
    if (second)
        darc_weak_add_second(work, c, b->reg);
    memcpy(b->raw, work->w, k * j * sizeof(double));
    whiten(work, b->reg, s->coeffs, 'N');
    whiten(work, b->raw, s->coeffs, 'N');
    for (size_t i = 0; i < k; i++)
        s->q += b->e[i] * b->e[i];
    add_gradient(s->grad, b->reg, b->e, k, s->coeffs);
    add_gradient(s->raw_grad, b->raw, b->e, k, s->coeffs);
    add_gram(s->hess, b->reg, k, s->coeffs);
    add_gram(s->raw_hess, b->raw, k, s->coeffs);
    if ((flags & DARC_GLS_HAC) != 0) {
        add_hac(s->hac, b->reg, b->e, k, s->coeffs);
        add_hac(s->raw_hac, b->raw, b->e, k, s->coeffs);
        add_blocks(s, work, b->raw, b->e);
    }
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)work->piece;
    for (int i = 0; (flags & DARC_GLS_DRAWS) != 0 && i < draws; i++)
        add_draw(s, work, b, c, 1.0 / draws, &state);
    return DARC_OK;
}

darc_status darc_gls_pass(darc_gls_sums *s, darc_weak_work *work,
                          const double *c, int flags, int draws, darc_err *err)
{
    darc_status status = DARC_OK;
    buffers b = make_buffers(work);
    zero_sums(s);
    for (int p = 0; p < work->weak->pieces && status == DARC_OK; p++) {
        darc_weak_load(work, p);
        status = add_piece(s, work, &b, c, flags, draws, err);
    }
    clear_buffers(&b);
    return status;
}

bool darc_gls_solve(const double *a, int m, const int *index, int n, double *b,
                    int r)
{
    if (n == 0)
        return true;
    double *s = darc_calloc((size_t)n * (size_t)n, sizeof *s);
    double *d = darc_calloc((size_t)n, sizeof *d);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        double v = a[index[i] * m + index[i]];
        ok = ok && v > 0;
        d[i] = ok ? 1 / sqrt(v) : 0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s[i * n + j] = a[index[i] * m + index[j]] * d[i] * d[j];
    for (int i = 0; i < n * r; i++)
        b[i] *= d[i % n];
    ok = ok && LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, r, s, n, b, n) == 0;
    for (int i = 0; i < n * r; i++)
        b[i] *= d[i % n];
    darc_free(s);
    darc_free(d);
    return ok;
}
