#include "weak/gls_inside.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "stats/lanes.h"
#include "weak/weak_linear.h"

#include <lapacke.h>
#include <math.h>
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
    memset(s->raw_hac, 0, jj);
    memset(s->share, 0, (size_t)s->channels * sizeof(double));
    memset(s->block, 0, DARC_GLS_BLOCKS * j * sizeof(double));
    memset(s->block_functions, 0, sizeof s->block_functions);
}

static darc_gls_buffers make_buffers(const darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    size_t k = 0, j = (size_t)weak->coeffs;
    for (int i = 0; i < weak->pieces; i++)
        k = (size_t)weak->piece[i].functions > k
                ? (size_t)weak->piece[i].functions
                : k;
    size_t z =
        (work->capacity + 2 * (size_t)weak->pad) * (size_t)weak->channels;
    return (darc_gls_buffers){
        darc_calloc(k, sizeof(double)),     darc_calloc(k, sizeof(double)),
        darc_calloc(k * j, sizeof(double)), darc_calloc(k * j, sizeof(double)),
        darc_calloc(z, sizeof(double)),     NULL};
}

static void clear_buffers(darc_gls_buffers *b)
{
    darc_free(b->e);
    darc_free(b->x);
    darc_free(b->raw);
    darc_free(b->reg);
    darc_free(b->hold);
}

void darc_gls_whiten(const darc_weak_work *work, const darc_gls_buffers *b,
                     double *a, int r, char trans)
{
    lapack_int k = work->functions;
    LAPACKE_dtbtrs(LAPACK_COL_MAJOR, 'L', trans, 'N', k, work->band, r,
                   b->factor, work->band + 1, a, k);
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

void darc_gls_combine(const darc_weak_work *work, double *out, const double *w,
                      const double *c)
{
    size_t k = (size_t)work->functions;
    memset(out, 0, k * sizeof *out);
    for (int j = 0; j < work->weak->coeffs; j++)
        if (c[j] != 0)
            darc_lanes_add(out, c[j], w + (size_t)j * k, k);
}

void darc_gls_gram(double *h, const double *a, size_t k, int coeffs)
{
    for (int i = 0; i < coeffs; i++)
        for (int j = 0; j <= i; j++) {
            double sum =
                darc_lanes_dot(a + (size_t)i * k, a + (size_t)j * k, k);
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
        g[j] += darc_lanes_dot(a + (size_t)j * k, e, k);
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
                double weight = 1 - (double)l / (double)(lags + 1);
                double sum = darc_lanes_dot(p + (size_t)i * k + l,
                                            p + (size_t)j * k, k - l);
                h[i * coeffs + j] += weight * sum;
                if (l > 0)
                    h[j * coeffs + i] += weight * sum;
            }
    darc_free(p);
}

static void add_shares(darc_gls_sums *s, const darc_weak_work *work)
{
    size_t n = (size_t)(work->samples + 2 * work->weak->pad);
    for (int q = 0; q < s->channels; q++)
        for (size_t t = 0; t < n; t++)
            s->share[q] += work->z[q][t] * work->z[q][t];
}

/* Set reg to W - (dA/dc) A' x, x = V^-1 e, and add the shares of Q. */
static void set_regressors(darc_gls_sums *s, darc_weak_work *work,
                           const darc_gls_buffers *b,
                           const darc_weak_linear *linear, const double *c,
                           bool second)
{
    size_t n = (size_t)work->functions * (size_t)s->coeffs;
    if (linear != NULL) {
        darc_weak_linear_apply(linear, b->reg, s->share, b->x, work->functions);
    } else {
        darc_weak_adjoint(work, b->x);
        add_shares(s, work);
        darc_weak_forward(work, b->reg);
    }
    for (size_t i = 0; i < n; i++)
        b->reg[i] = work->w[i] - b->reg[i];
    if (second)
        darc_weak_add_second(work, c, b->reg);
}

/* ---- the pass -------------------------------------------------------------
 */

/* What all pieces share. */
typedef struct {
    darc_gls_sums *sums; /* of all */
    const darc_weak *weak;
    const double *c;
    darc_gls_effort effort;
    const darc_weak_linear *linear; /* NULL: the relation is not linear */
    double draw_weight;
    int stride; /* pieces in use that a unit stands for, of which it takes the
                   first */
} pass;

/* What a thread needs for a piece. */
typedef struct {
    const pass *of;
    darc_weak_work *work;
    darc_gls_buffers b;
    darc_gls_sums sums; /* of the piece */
} worker;

static void *open_worker(void *user)
{
    const pass *of = user;
    worker *w = darc_calloc(1, sizeof *w);
    w->of = of;
    w->work = darc_weak_work_new(of->weak);
    w->b = make_buffers(w->work);
    darc_gls_sums_init(&w->sums, of->weak);
    return w;
}

static void close_worker(void *state)
{
    worker *w = state;
    darc_weak_work_free(w->work);
    clear_buffers(&w->b);
    darc_gls_sums_clear(&w->sums);
    darc_free(w);
}

static void add_piece(worker *w, bool second)
{
    const pass *of = w->of;
    darc_gls_sums *s = &w->sums;
    darc_weak_work *work = w->work;
    darc_gls_buffers *b = &w->b;
    size_t k = (size_t)work->functions, j = (size_t)s->coeffs;
    darc_gls_combine(work, b->e, work->w, of->c);
    darc_gls_whiten(work, b, b->e, 1, 'N');
    memcpy(b->x, b->e, k * sizeof(double));
    darc_gls_whiten(work, b, b->x, 1, 'T');
    set_regressors(s, work, b, of->linear, of->c, second);
    memcpy(b->raw, work->w, k * j * sizeof(double));
    darc_gls_whiten(work, b, b->reg, s->coeffs, 'N');
    darc_gls_whiten(work, b, b->raw, s->coeffs, 'N');
    s->q += darc_lanes_dot(b->e, b->e, k);
    add_gradient(s->grad, b->reg, b->e, k, s->coeffs);
    add_gradient(s->raw_grad, b->raw, b->e, k, s->coeffs);
    darc_gls_gram(s->hess, b->reg, k, s->coeffs);
    darc_gls_gram(s->raw_hess, b->raw, k, s->coeffs);
    if ((of->effort.flags & DARC_GLS_HAC) != 0) {
        add_hac(s->raw_hac, b->raw, b->e, k, s->coeffs);
        add_blocks(s, work, b->raw, b->e);
    }
}

static darc_status work_piece(void *state, size_t unit, darc_err *err)
{
    worker *w = state;
    const pass *of = w->of;
    const darc_gls_effort *effort = &of->effort;
    darc_weak_work *work = w->work;
    int index = (int)unit * of->stride;
    bool draws = (effort->flags & DARC_GLS_DRAWS) != 0 &&
                 index % effort->draw_every == 0;
    bool second = false;
    zero_sums(&w->sums);
    darc_weak_load(work, index * effort->every);
    if (of->linear == NULL)
        darc_weak_load_partials(work);
    if (of->linear == NULL || draws)
        darc_weak_at(work, of->c);
    w->b.factor = of->linear != NULL ? of->linear->factor : work->ab;
    darc_status status =
        of->linear != NULL ? DARC_OK : factorise(work, of->c, &second, err);
    if (status != DARC_OK)
        return status;
    if ((effort->flags & DARC_GLS_DRAWS_ALONE) == 0)
        add_piece(w, second);
    if (draws)
        darc_gls_draw(&w->sums, work, &w->b, of->c, effort->draws,
                      of->draw_weight);
    return DARC_OK;
}

static void add_array(double *to, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

static void gather_piece(void *user, void *state, size_t unit)
{
    darc_gls_sums *to = ((pass *)user)->sums;
    const darc_gls_sums *s = &((worker *)state)->sums;
    size_t j = (size_t)to->coeffs;
    (void)unit;
    to->q += s->q;
    add_array(to->grad, s->grad, j);
    add_array(to->raw_grad, s->raw_grad, j);
    add_array(to->hess, s->hess, j * j);
    add_array(to->raw_hess, s->raw_hess, j * j);
    add_array(to->noise, s->noise, j * j);
    add_array(to->trace, s->trace, j * j);
    add_array(to->raw_hac, s->raw_hac, j * j);
    add_array(to->share, s->share, (size_t)to->channels);
    add_array(to->block, s->block, DARC_GLS_BLOCKS * j);
    add_array(to->block_functions, s->block_functions, DARC_GLS_BLOCKS);
}

/* Functions of all pieces of the pass over those that are drawn. */
static double scale_of_draws(const darc_weak *weak,
                             const darc_gls_effort *effort)
{
    double all = 0, drawn = 0;
    for (int p = 0, unit = 0; p < weak->pieces; p += effort->every, unit++) {
        all += weak->piece[p].functions;
        drawn += unit % effort->draw_every == 0 ? weak->piece[p].functions : 0;
    }
    return all / drawn;
}

darc_status darc_gls_pass(darc_gls_sums *s, const darc_weak *weak,
                          const double *c, const darc_gls_effort *effort,
                          const darc_budget *budget, darc_err *err)
{
    darc_weak_linear linear;
    pass of = {.sums = s, .weak = weak, .c = c, .effort = *effort, .stride = 1};
    if (weak->linear) {
        darc_status status = darc_weak_linear_init(&linear, weak, c, err);
        if (status != DARC_OK)
            return status;
        of.linear = &linear;
    }
    if ((effort->flags & DARC_GLS_DRAWS_ALONE) == 0)
        zero_sums(s);
    else
        of.stride = effort->draw_every;
    of.draw_weight = scale_of_draws(weak, effort);
    size_t units =
        (size_t)((weak->pieces - 1) / (effort->every * of.stride) + 1);
    darc_parallel job = {&of,          units,      weak->threads, open_worker,
                         close_worker, work_piece, gather_piece};
    darc_status status = darc_parallel_run(&job, budget, err);
    if (weak->linear)
        darc_weak_linear_clear(&linear);
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
