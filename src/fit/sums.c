#include "fit/sums.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fit/thresholds.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "weak/piece.h"
#include "weak/stamps.h"
#include "weak/toeplitz.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

void darc_sums_init(darc_sums *s, const darc_weak *weak)
{
    int j = weak->coeffs, jj = j * j;
    *s = (darc_sums){.coeffs = j, .channels = darc_weak_channels(weak)};
    s->size = (size_t)(2 * j + 5 * jj + s->channels);
    DARC_CARVE({&s->grad, j}, {&s->raw_grad, j}, {&s->hess, jj},
               {&s->raw_hess, jj}, {&s->noise, jj}, {&s->trace, jj},
               {&s->hac, jj}, {&s->share, s->channels});
}

void darc_sums_clear(darc_sums *s)
{
    darc_free(s->grad);
}

static void zero_sums(darc_sums *s)
{
    s->q = 0;
    memset(s->grad, 0, s->size * sizeof *s->grad);
}

/* Return the covariance of two rows, of which L is the factor, lower band. */
static double covariance_of(const double *factor, int band, int i, int k)
{
    double sum = 0;
    int from = (i > k ? i : k) - band;
    for (int m = from > 0 ? from : 0; m <= i && m <= k; m++) {
        const double *column = factor + (size_t)m * (size_t)(band + 1) - m;
        sum += column[i] * column[k];
    }
    return sum;
}

/* Take what row i, row q of a function, says beyond the rows before it; x: e
 * and moments of these and its own, whitened but for its own. */
static void whiten_row(double *x, double *l, const darc_weak_work *work,
                       const double *factor, int i, int q)
{
    int n = work->weak->equations, width = work->weak->coeffs + 1;
    double *own = x + q * width;
    for (int a = 0; a <= q; a++) {
        double v = covariance_of(factor, work->band, i, i - q + a);
        for (int m = 0; m < a; m++)
            v -= l[q * n + m] * l[a * n + m];
        l[q * n + a] = a < q ? v / l[a * n + a] : sqrt(v);
        for (int m = 0; m < width && a < q; m++)
            own[m] -= l[q * n + a] * x[a * width + m];
    }
    for (int m = 0; m < width; m++)
        own[m] /= l[q * n + q];
}

/* Set the runs of the piece that is loaded; b->e holds its residuals. */
static void fill_spans(darc_spans *r, const darc_weak_work *work,
                       const darc_columns_room *b)
{
    int n = work->weak->equations, j = r->coeffs, width = j + 1;
    double *l, *x;
    DARC_CARVE({&l, n * n}, {&x, n * width});
    double share = r->overlap;
    for (int i = 0; i < work->rows; i++) {
        double *own = x + i % n * width;
        size_t run = (size_t)(r->first[work->piece] + i / n / r->per);
        own[j] = b->e[i];
        for (int m = 0; m < j; m++)
            own[m] = work->w[m * work->rows + i];
        whiten_row(x, l, work, b->factor, i, i % n);
        r->q[run] += own[j] * own[j] / share;
        for (int m = 0; m < j; m++) {
            r->score[run * (size_t)j + (size_t)m] -= own[m] * own[j] / share;
            for (int k = 0; k < j; k++)
                r->info[(run * (size_t)j + (size_t)m) * (size_t)j +
                        (size_t)k] += own[m] * own[k] / share;
        }
    }
    darc_free(l);
}

size_t darc_sums_lags(size_t k)
{
    return DARC_HAC_LAGS + (size_t)(4 * pow((double)k / 100, 2.0 / 9));
}

/* Newey-West: products a_j e of a test function, all equations, at lags up to
 * `lags`, Bartlett weights; the mean product is taken off. */
static void add_hac(double *h, const darc_weak_work *work, const double *a,
                    const double *e)
{
    int coeffs = work->weak->coeffs, n = work->weak->equations;
    size_t rows = (size_t)work->rows, k = (size_t)work->functions;
    size_t lags = darc_sums_lags(work->weak->functions);
    double *p = darc_calloc(k * (size_t)coeffs, sizeof *p);
    for (int j = 0; j < coeffs; j++) {
        double mean = 0, *pj = p + (size_t)j * k;
        for (size_t t = 0; t < rows; t++)
            pj[t / (size_t)n] += a[(size_t)j * rows + t] * e[t];
        for (size_t t = 0; t < k; t++)
            mean += pj[t] / (double)k;
        for (size_t t = 0; t < k; t++)
            pj[t] -= mean;
    }
    for (int i = 0; i < coeffs; i++)
        for (int j = 0; j < coeffs; j++)
            for (size_t l = 0; l <= lags && l < k; l++) {
                double weight = 1 - (double)l / (double)(lags + 1);
                double sum = darc_lanes_dot(p + (size_t)i * k + l,
                                            p + (size_t)j * k, k - l);
                h[i * coeffs + j] += weight * sum;
                if (l > 0)
                    h[j * coeffs + i] += weight * sum;
            }
    darc_free(p);
}

/* What all pieces share. */
typedef struct {
    darc_sums *sums; /* of all */
    const darc_point *at;
    darc_effort effort;
    darc_weak_toeplitz linear; /* on even time */
    double *factor;            /* of V where it is the same everywhere */
    double draw_weight;
} pass;

/* What a thread needs for a piece. */
typedef struct {
    const pass *of;
    darc_weak_work *work;
    darc_columns_room b;
    darc_sums sums;         /* of the piece */
    darc_weak_toeplitz own; /* on uneven time, and the factor of V */
    double *factor;
    const darc_weak_toeplitz *linear; /* of the piece; NULL: it is not */
} worker;

static void *open_worker(void *user)
{
    const pass *of = user;
    const darc_weak *weak = of->at->weak;
    worker *w = darc_calloc(1, sizeof *w);
    darc_columns_room *b = &w->b;
    ptrdiff_t k = darc_weak_most_functions(weak) * weak->equations;
    w->of = of;
    w->work = darc_weak_work_new(weak);
    size_t field = w->work->capacity + (size_t)(weak->left + weak->right);
    DARC_CARVE({&b->e, k}, {&b->x, k}, {&b->raw, k * weak->coeffs},
               {&b->reg, k * weak->coeffs},
               {&b->hold, (ptrdiff_t)field * darc_weak_channels(weak)});
    darc_sums_init(&w->sums, weak);
    return w;
}

static void close_worker(void *state)
{
    worker *w = state;
    darc_weak_work_free(w->work);
    darc_free(w->b.e);
    darc_sums_clear(&w->sums);
    darc_weak_toeplitz_clear(&w->own);
    DARC_FREE(w->factor, w);
}

darc_status darc_sums_factorise(double *ab, int band, int rows,
                                const darc_point *at, darc_err *err)
{
    if (at->rho != NULL)
        darc_metric_add(ab, band, rows, at->metric, at->rho);
    return LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', rows, band, ab, band + 1) == 0
               ? DARC_OK
               : darc_fail(err, DARC_DATA,
                           "%s: the covariance of the weak moments is singular",
                           at->weak->table->file);
}

/* Set the rows of the piece in column j of all rows. */
static void store_column(double *all, int j, const darc_weak_work *work,
                         const double *x)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)weak->equations, at = (size_t)j * weak->functions;
    for (int p = 0; p < work->piece; p++)
        at += (size_t)weak->piece[p].functions;
    memcpy(all + at * n, x, (size_t)work->rows * sizeof *x);
}

/* Take the first rows off each of so many columns; return how many are left. */
static size_t drop_rows(double *x, size_t rows, size_t first, int columns)
{
    size_t left = rows - first;
    for (size_t j = 0; j < (size_t)columns && first > 0; j++)
        memmove(x + j * left, x + j * rows + first, left * sizeof *x);
    return left;
}

/* Whiten the columns that a point asks for. */
static void whiten_columns(double *a, const darc_weak_work *work,
                           const darc_columns_room *b, const darc_point *at)
{
    if (at->only == NULL)
        darc_columns_whiten(work, b, a, work->weak->coeffs, 'N');
    for (int j = 0; j < work->weak->coeffs && at->only != NULL; j++)
        if (at->only[j])
            darc_columns_whiten(work, b, a + (size_t)j * (size_t)work->rows, 1,
                                'N');
}

static void add_sums_piece(worker *w, bool shares)
{
    const pass *of = w->of;
    darc_sums *s = &w->sums;
    darc_weak_work *work = w->work;
    darc_columns_room *b = &w->b;
    size_t k = (size_t)work->rows, n = k * (size_t)s->coeffs;
    darc_columns_combine(work, b->e, work->w, of->at->c);
    if (of->at->runs != NULL)
        fill_spans(of->at->runs, work, b);
    darc_columns_whiten(work, b, b->e, 1, 'N');
    memcpy(b->x, b->e, k * sizeof(double));
    darc_columns_whiten(work, b, b->x, 1, 'T');
    double weight = work->weak->linear ? of->draw_weight : 1;
    if (shares) { /* the noise fields, and shares of Q */
        darc_weak_adjoint(work, b->x);
        for (int c = 0; c < s->channels; c++)
            s->share[c] += weight * darc_lanes_dot(work->z[c], work->z[c],
                                                   darc_weak_field(work));
    }
    if (w->linear != NULL) /* W~ = W - (dA/dc) A' x, x = V^-1 e */
        darc_weak_toeplitz_apply(w->linear, b->reg, b->x, work->rows);
    else
        darc_weak_forward(work, b->reg);
    for (size_t i = 0; i < n; i++)
        b->reg[i] = work->w[i] - b->reg[i];
    memcpy(b->raw, work->w, n * sizeof(double));
    if (of->at->white == NULL || !of->at->plain)
        whiten_columns(b->reg, work, b, of->at);
    if (of->at->white == NULL || of->at->plain)
        whiten_columns(b->raw, work, b, of->at);
    for (int j = 0; j <= s->coeffs && of->at->white != NULL; j++)
        store_column(of->at->white, j, work,
                     j == 0 ? b->e
                            : (of->at->plain ? b->raw : b->reg) +
                                  (size_t)(j - 1) * k);
    size_t told = (size_t)work->weak->equations *
                  darc_weak_told(work->weak, work->piece, of->at->told);
    drop_rows(b->reg, k, told, s->coeffs);
    drop_rows(b->raw, k, told, s->coeffs);
    k = drop_rows(b->e, k, told, 1);
    s->q += darc_lanes_dot(b->e, b->e, k);
    if (of->at->white != NULL)
        return;
    for (int j = 0; j < s->coeffs; j++) {
        s->grad[j] += darc_lanes_dot(b->reg + (size_t)j * k, b->e, k);
        s->raw_grad[j] += darc_lanes_dot(b->raw + (size_t)j * k, b->e, k);
    }
    darc_columns_gram(s->hess, 1, b->reg, k, s->coeffs);
    darc_columns_gram(s->raw_hess, 1, b->raw, k, s->coeffs);
    if (of->effort.hac)
        add_hac(s->hac, work, b->raw, b->e);
}

/* Seeds of the noise. */
enum { OF_SUMS = 1, OF_MOMENTS = 2 };

/* Add `weight` times the mean of so many draws to the noise-only sums N and T;
 * the noise depends on the piece alone.  These are means of squares of what is
 * linear in the noise: signs have the same as normal numbers, and their sums
 * scatter less [Hutchinson, 1990].  Noise of second order changes no regressor:
 * pairs stay 0. */
static void add_draws(darc_sums *s, darc_weak_work *work,
                      const darc_columns_room *b, const darc_point *at,
                      int draws, double weight)
{
    size_t rows = (size_t)work->rows, n = darc_weak_field(work);
    size_t channels = (size_t)work->weak->channels;
    darc_random random;
    darc_random_init(&random, OF_SUMS, (uint64_t)work->piece);
    weight /= draws;
    for (int i = 0; i < draws; i++) {
        darc_random_signs(&random, b->hold, channels * n);
        for (size_t k = 0; k < channels; k++) {
            if (work->weak->bound[k])
                memset(b->hold + k * n, 0, n * sizeof *b->hold);
            memcpy(work->z[k], b->hold + k * n, n * sizeof *b->hold);
        }
        darc_weak_forward(work, b->reg);
        darc_columns_combine(work, b->x, b->reg, at->c);
        darc_columns_whiten(work, b, b->x, 1, 'N');
        if (at->drawn != NULL) {
            store_column(at->drawn, i, work, b->x);
            continue;
        }
        darc_columns_whiten(work, b, b->reg, s->coeffs, 'N');
        darc_columns_gram(s->trace, weight, b->reg, rows, s->coeffs);
        darc_columns_whiten(work, b, b->x, 1, 'T');
        darc_weak_adjoint(work, b->x);
        for (size_t k = 0; k < channels; k++) /* less what is fitted */
            for (size_t t = 0; t < n; t++)
                work->z[k][t] = b->hold[k * n + t] - work->z[k][t];
        darc_weak_forward(work, b->reg);
        darc_columns_whiten(work, b, b->reg, s->coeffs, 'N');
        darc_columns_gram(s->noise, weight, b->reg, rows, s->coeffs);
    }
}

/* Set l at a point, and the factor of V for so many rows. */
static darc_status factor_variance(darc_weak_toeplitz *l, double *factor,
                                   int rows, const darc_point *at,
                                   const double *gain, darc_err *err)
{
    int band = darc_weak_band_of(at->weak);
    darc_weak_toeplitz_init(l, at->weak, gain, at->c);
    darc_weak_toeplitz_fill(factor, band, rows, l);
    return darc_sums_factorise(factor, band, rows, at, err);
}

static double *new_factor(const darc_weak *weak)
{
    return darc_calloc(
        (size_t)(darc_weak_band_of(weak) + 1) *
            (size_t)(darc_weak_most_functions(weak) * weak->equations),
        sizeof(double));
}

/* Set linear, and the factor of the covariance where that is the same all
 * along the piece that is loaded. */
static darc_status take_covariance(worker *w, darc_err *err)
{
    const darc_weak *weak = w->work->weak;
    w->linear = w->of->factor != NULL ? &w->of->linear : NULL;
    w->b.factor = w->of->factor;
    if (!weak->linear || w->linear != NULL || !weak->bands->scaled)
        return DARC_OK;
    const double *gain = darc_weak_stamps_gain(w->work);
    if (gain == NULL)
        return DARC_OK;
    if (w->factor == NULL)
        w->factor = new_factor(weak);
    darc_weak_toeplitz_clear(&w->own);
    w->linear = &w->own;
    w->b.factor = w->factor;
    return factor_variance(&w->own, w->factor, w->work->rows, w->of->at, gain,
                           err);
}

static darc_status work_piece(void *state, size_t unit, darc_err *err)
{
    worker *w = state;
    const pass *of = w->of;
    const darc_effort *effort = &of->effort;
    darc_weak_work *work = w->work;
    bool draws = effort->draws > 0 && unit % (size_t)effort->draw_every == 0;
    darc_status status = DARC_OK;
    zero_sums(&w->sums);
    darc_weak_load(work, (int)unit * effort->every);
    DARC_NEED(take_covariance(w, err));
    bool shares = w->linear == NULL || draws || of->at->white != NULL;
    if (shares) {
        darc_weak_load_partials(work);
        darc_weak_at(work, of->at->c);
    }
    if (w->linear == NULL) {
        darc_weak_covariance(work);
        status =
            darc_sums_factorise(work->ab, work->band, work->rows, of->at, err);
        w->b.factor = work->ab;
    }
    if (status != DARC_OK)
        return status;
    add_sums_piece(w, shares);
    if (draws)
        add_draws(&w->sums, work, &w->b, of->at, effort->draws,
                  of->draw_weight);
    return DARC_OK;
}

static void gather_piece(void *user, void *state, size_t unit)
{
    darc_sums *to = ((pass *)user)->sums;
    const darc_sums *s = &((worker *)state)->sums;
    (void)unit;
    to->q += s->q;
    darc_lanes_add(to->grad, 1, s->grad, to->size);
}

/* Functions of all pieces of the pass over those that are drawn. */
static double scale_of_draws(const darc_weak *weak, const darc_effort *effort)
{
    double all = 0, drawn = 0;
    for (int p = 0, unit = 0; p < weak->pieces; p += effort->every, unit++) {
        all += weak->piece[p].functions;
        drawn += unit % effort->draw_every == 0 ? weak->piece[p].functions : 0;
    }
    return all / drawn;
}

darc_status darc_sums_pass(darc_sums *s, const darc_point *at,
                           const darc_effort *effort, const darc_budget *budget,
                           darc_err *err)
{
    const darc_weak *weak = at->weak;
    darc_status status = DARC_OK;
    pass of = {.sums = s, .at = at, .effort = *effort};
    if (weak->linear && weak->stamps == NULL) { /* one factor for all pieces */
        int rows = darc_weak_most_functions(weak) * weak->equations;
        of.factor = new_factor(weak);
        DARC_TRY(factor_variance(&of.linear, of.factor, rows, at, NULL, err));
    }
    zero_sums(s);
    of.draw_weight = scale_of_draws(weak, effort);
    size_t units = (size_t)((weak->pieces - 1) / effort->every + 1);
    darc_parallel job = {&of,          units,      weak->threads, open_worker,
                         close_worker, work_piece, gather_piece};
    status = darc_parallel_run(&job, budget, err);
done:
    darc_weak_toeplitz_clear(&of.linear);
    darc_free(of.factor);
    return status;
}

/* Give n white values a memory, and this RMS. */
static void redden(double *z, size_t n, double pole, double rms)
{
    double step = rms * sqrt(1 - pole * pole);
    z[0] *= rms;
    for (size_t t = 1; t < n; t++)
        z[t] = pole * z[t - 1] + step * z[t];
}

void darc_draw_noise(double *out, darc_weak_work *work, int draw, bool red)
{
    darc_random random;
    darc_random_init(&random, OF_MOMENTS,
                     (uint64_t)work->piece + ((uint64_t)draw << 32));
    size_t n = darc_weak_field(work);
    for (int c = 0; c < work->weak->channels; c++) {
        for (size_t t = 0; t < n; t++)
            work->z[c][t] =
                work->weak->bound[c] ? 0 : darc_random_normal(&random);
        if (red && work->weak->red[c] > 0)
            redden(work->z[c], n, work->weak->pole[c], work->weak->red[c]);
    }
    darc_weak_forward(work, out);
}
