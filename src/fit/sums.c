#include "fit/sums.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "fit/draw.h"
#include "fit/thresholds.h"
#include "stats/lanes.h"
#include "weak/columns.h"
#include "weak/stamps.h"
#include "weak/toeplitz.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

void darc_sums_init(darc_sums *s, const darc_weak *weak)
{
    size_t j = (size_t)weak->coeffs;
    *s = (darc_sums){.coeffs = weak->coeffs,
                     .channels = darc_weak_channels(weak)};
    s->grad = darc_calloc(j, sizeof(double));
    s->raw_grad = darc_calloc(j, sizeof(double));
    s->hess = darc_calloc(j * j, sizeof(double));
    s->raw_hess = darc_calloc(j * j, sizeof(double));
    s->noise = darc_calloc(j * j, sizeof(double));
    s->trace = darc_calloc(j * j, sizeof(double));
    s->hac = darc_calloc(j * j, sizeof(double));
    s->share = darc_calloc((size_t)s->channels + 1, sizeof(double));
}

void darc_sums_clear(darc_sums *s)
{
    darc_free(s->grad);
    darc_free(s->raw_grad);
    darc_free(s->hess);
    darc_free(s->raw_hess);
    darc_free(s->noise);
    darc_free(s->trace);
    darc_free(s->hac);
    darc_free(s->share);
}

static void zero_sums(darc_sums *s)
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
    memset(s->share, 0, (size_t)s->channels * sizeof(double));
}

/* ---- runs ------------------------------------------------------------------
 */

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
    double *l = darc_calloc((size_t)(n * n), sizeof *l);
    double *x = darc_calloc((size_t)(n * width), sizeof *x);
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
    darc_free(x);
}

/* ---- a piece ---------------------------------------------------------------
 */

static darc_columns_room make_room(const darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    size_t k = (size_t)(darc_weak_most_functions(weak) * weak->equations);
    size_t j = (size_t)weak->coeffs;
    size_t z = (work->capacity + (size_t)(weak->left + weak->right)) *
               (size_t)darc_weak_channels(weak);
    return (darc_columns_room){
        darc_calloc(k, sizeof(double)),     darc_calloc(k, sizeof(double)),
        darc_calloc(k * j, sizeof(double)), darc_calloc(k * j, sizeof(double)),
        darc_calloc(z, sizeof(double)),     NULL};
}

static void clear_room(darc_columns_room *b)
{
    darc_free(b->e);
    darc_free(b->x);
    darc_free(b->raw);
    darc_free(b->reg);
    darc_free(b->hold);
}

static void add_gradient(double *g, const double *a, const double *e, size_t k,
                         int coeffs)
{
    for (int j = 0; j < coeffs; j++)
        g[j] += darc_lanes_dot(a + (size_t)j * k, e, k);
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

/* Set the noise fields to A' x, and add `weight` times the shares of Q. */
static void find_fields(darc_sums *s, darc_weak_work *work, const double *x,
                        double weight)
{
    size_t m = darc_weak_field(work);
    darc_weak_adjoint(work, x);
    for (int c = 0; c < s->channels; c++)
        s->share[c] += weight * darc_lanes_dot(work->z[c], work->z[c], m);
}

/* Set reg to W - (dA/dc) A' x, x = V^-1 e. */
static void set_regressors(darc_sums *s, darc_weak_work *work,
                           const darc_columns_room *b,
                           const darc_weak_toeplitz *linear)
{
    size_t n = (size_t)work->rows * (size_t)s->coeffs;
    if (linear != NULL)
        darc_weak_toeplitz_apply(linear, b->reg, b->x, work->rows);
    else
        darc_weak_forward(work, b->reg);
    for (size_t i = 0; i < n; i++)
        b->reg[i] = work->w[i] - b->reg[i];
}

/* ---- the pass -------------------------------------------------------------
 */

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
    worker *w = darc_calloc(1, sizeof *w);
    w->of = of;
    w->work = darc_weak_work_new(of->at->weak);
    w->b = make_room(w->work);
    darc_sums_init(&w->sums, of->at->weak);
    return w;
}

static void close_worker(void *state)
{
    worker *w = state;
    darc_weak_work_free(w->work);
    clear_room(&w->b);
    darc_sums_clear(&w->sums);
    darc_weak_toeplitz_clear(&w->own);
    darc_free(w->factor);
    darc_free(w);
}

static darc_status singular(const darc_weak *weak, darc_err *err)
{
    return darc_fail(err, DARC_DATA,
                     "%s: the covariance of the weak moments is singular",
                     weak->table->file);
}

static darc_status factorise(double *ab, int band, int rows,
                             const darc_point *at, darc_err *err)
{
    if (at->rho != NULL)
        darc_metric_add(ab, band, rows, at->metric, at->rho);
    return LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', rows, band, ab, band + 1) == 0
               ? DARC_OK
               : singular(at->weak, err);
}

static void add_piece(worker *w, bool draws)
{
    const pass *of = w->of;
    darc_sums *s = &w->sums;
    darc_weak_work *work = w->work;
    darc_columns_room *b = &w->b;
    size_t k = (size_t)work->rows, j = (size_t)s->coeffs;
    darc_columns_combine(work, b->e, work->w, of->at->c);
    if (of->at->runs != NULL)
        fill_spans(of->at->runs, work, b);
    darc_columns_whiten(work, b, b->e, 1, 'N');
    memcpy(b->x, b->e, k * sizeof(double));
    darc_columns_whiten(work, b, b->x, 1, 'T');
    double weight = draws ? of->draw_weight : 0;
    if (w->linear == NULL || draws)
        find_fields(s, work, b->x, work->weak->linear ? weight : 1);
    set_regressors(s, work, b, w->linear);
    memcpy(b->raw, work->w, k * j * sizeof(double));
    darc_columns_whiten(work, b, b->reg, s->coeffs, 'N');
    darc_columns_whiten(work, b, b->raw, s->coeffs, 'N');
    s->q += darc_lanes_dot(b->e, b->e, k);
    add_gradient(s->grad, b->reg, b->e, k, s->coeffs);
    add_gradient(s->raw_grad, b->raw, b->e, k, s->coeffs);
    darc_columns_gram(s->hess, b->reg, k, s->coeffs);
    darc_columns_gram(s->raw_hess, b->raw, k, s->coeffs);
    if (of->effort.hac)
        add_hac(s->hac, work, b->raw, b->e);
}

/* Set l at a point, and the factor of V for so many rows. */
static darc_status fill(darc_weak_toeplitz *l, double *factor, int rows,
                        const darc_point *at, const double *gain, darc_err *err)
{
    int band = darc_weak_band_of(at->weak);
    darc_weak_toeplitz_init(l, at->weak, gain, at->c);
    darc_weak_toeplitz_fill(factor, band, rows, l);
    return factorise(factor, band, rows, at, err);
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
    return fill(&w->own, w->factor, w->work->rows, w->of->at, gain, err);
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
    if (w->linear == NULL || draws) {
        darc_weak_load_partials(work);
        darc_weak_at(work, of->at->c);
    }
    if (w->linear == NULL) {
        darc_weak_covariance(work);
        status = factorise(work->ab, work->band, work->rows, of->at, err);
        w->b.factor = work->ab;
    }
    if (status != DARC_OK)
        return status;
    add_piece(w, draws);
    if (draws)
        darc_draw_add(&w->sums, work, &w->b, of->at->c, effort,
                      of->draw_weight);
    return DARC_OK;
}

static void gather_piece(void *user, void *state, size_t unit)
{
    darc_sums *to = ((pass *)user)->sums;
    const darc_sums *s = &((worker *)state)->sums;
    size_t j = (size_t)to->coeffs;
    (void)unit;
    to->q += s->q;
    darc_lanes_add(to->grad, 1, s->grad, j);
    darc_lanes_add(to->raw_grad, 1, s->raw_grad, j);
    darc_lanes_add(to->hess, 1, s->hess, j * j);
    darc_lanes_add(to->raw_hess, 1, s->raw_hess, j * j);
    darc_lanes_add(to->noise, 1, s->noise, j * j);
    darc_lanes_add(to->trace, 1, s->trace, j * j);
    darc_lanes_add(to->hac, 1, s->hac, j * j);
    darc_lanes_add(to->share, 1, s->share, (size_t)to->channels);
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

/* Where the covariance is the same everywhere, one factor serves all pieces. */
static darc_status prepare(pass *of, darc_err *err)
{
    const darc_weak *weak = of->at->weak;
    int rows = darc_weak_most_functions(weak) * weak->equations;
    of->factor = new_factor(weak);
    return fill(&of->linear, of->factor, rows, of->at, NULL, err);
}

darc_status darc_sums_pass(darc_sums *s, const darc_point *at,
                           const darc_effort *effort, const darc_budget *budget,
                           darc_err *err)
{
    const darc_weak *weak = at->weak;
    darc_status status = DARC_OK;
    pass of = {.sums = s, .at = at, .effort = *effort};
    if (weak->linear && weak->stamps == NULL)
        DARC_TRY(prepare(&of, err));
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
