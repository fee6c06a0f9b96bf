#include "weak/piece.h"

#include "base/mem.h"
#include "derive/strip.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "weak/stamps.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

int darc_weak_channels(const darc_weak *weak)
{
    return weak->channels + weak->pairs;
}

/* Samples by which noise fields are longer than a piece. */
static size_t noise_reach(const darc_weak *weak)
{
    return (size_t)(weak->left + weak->right);
}

size_t darc_weak_field(const darc_weak_work *work)
{
    return (size_t)work->samples + noise_reach(work->weak);
}

/* Return the sum of squares of a piece of x about its mean. */
static double power_of(const double *x, darc_weak_piece p)
{
    size_t n = p.end - p.begin;
    double sum = 0, square = 0;
    for (size_t t = p.begin; t < p.end; t++) {
        double d = x[t] - x[p.begin];
        sum += d;
        square += d * d;
    }
    return square - sum * sum / (double)n;
}

/* Whether variable v is the first of its signal. */
static bool is_first(const darc_weak *weak, int v)
{
    bool first = weak->var[v].value != NULL;
    for (int u = 0; u < v && first; u++)
        first = weak->var[u].value != weak->var[v].value;
    return first;
}

int darc_weak_stride(const darc_weak *weak, int every)
{
    for (int v = 0; v < weak->vars && every > 1; v++) {
        double all = 0, seen = 0, count = 0, units = 0;
        for (int p = 0; p < weak->pieces && is_first(weak, v); p++) {
            double power = power_of(weak->var[v].value, weak->piece[p]);
            bool in = p % every == 0;
            darc_table_done(weak->table, weak->piece[p].begin,
                            weak->piece[p].end);
            all += power;
            count += weak->piece[p].functions;
            seen += in ? power : 0;
            units += in ? weak->piece[p].functions : 0;
        }
        if (seen * count < (1 - DARC_WEAK_ASIDE) * all * units)
            every = 1;
    }
    return every < 1 ? 1 : every;
}

int darc_weak_band_of(const darc_weak *weak)
{
    int q = weak->equations, rows = darc_weak_most_functions(weak) * q;
    int lags = (weak->support + (int)noise_reach(weak)) / weak->step;
    return (lags + 1) * q < rows ? (lags + 1) * q - 1 : rows - 1;
}

static double **pointers(int n)
{
    return darc_calloc((size_t)n + 1, sizeof(double *));
}

static void free_all(double **slot, int n)
{
    for (int i = 0; slot != NULL && i < n; i++)
        darc_free(slot[i]);
    darc_free(slot);
}

darc_weak_work *darc_weak_work_new(const darc_weak *weak)
{
    darc_weak_work *work = darc_calloc(1, sizeof *work);
    size_t n = 0, rows = (size_t)darc_weak_most_functions(weak) *
                         (size_t)weak->equations;
    int all = darc_weak_channels(weak), q = weak->equations;
    for (int i = 0; i < weak->pieces; i++) {
        size_t m = weak->piece[i].end - weak->piece[i].begin;
        n = m > n ? m : n;
    }
    work->weak = weak;
    work->piece = work->partial = -1;
    work->capacity = n;
    for (int v = 0; v < weak->vars; v++)
        work->own[v] = darc_calloc(n, sizeof(double));
    for (int v = 0; v < weak->vars && !weak->linear; v++)
        work->calm[v] = darc_calloc(n, sizeof(double));
    for (int d = 0; d < weak->shapes; d++)
        work->acc[d] = darc_calloc(n, sizeof(double));
    darc_weak_stamps_init(work);
    if (weak->steps != NULL && weak->stamps == NULL)
        work->place = darc_calloc(n, sizeof *work->place);
    if (weak->steps != NULL)
        DARC_CARVE({&work->behind, (ptrdiff_t)n},
                   {&work->smooth, (ptrdiff_t)n});
    work->z = darc_columns_new((size_t)all, n + noise_reach(weak));
    work->by = pointers(weak->groups * weak->vars);
    work->second = pointers(weak->groups * weak->pairs);
    work->s = pointers(q * weak->vars * weak->shapes);
    work->s2 = pointers(q * weak->pairs * weak->shapes);
    if (weak->kept == NULL)
        work->room = darc_calloc(rows * (size_t)weak->coeffs, sizeof(double));
    DARC_CARVE({&work->scratch, 3 * (ptrdiff_t)(n + noise_reach(weak))},
               {&work->number, weak->groups * weak->vars});
    work->band = darc_weak_band_of(weak);
    return work;
}

void darc_weak_work_free(darc_weak_work *work)
{
    if (work == NULL)
        return;
    const darc_weak *weak = work->weak;
    for (int v = 0; v < weak->vars; v++)
        DARC_FREE(work->own[v], work->calm[v]);
    for (int d = 0; d < weak->shapes; d++)
        darc_free(work->acc[d]);
    darc_weak_stamps_clear(work);
    DARC_FREE(work->step, work->behind);
    darc_columns_free(work->z);
    free_all(work->by, weak->groups * weak->vars);
    free_all(work->second, weak->groups * weak->pairs);
    free_all(work->s, weak->equations * weak->vars * weak->shapes);
    free_all(work->s2, weak->equations * weak->pairs * weak->shapes);
    DARC_FREE(work->room, work->scratch, work->ab, work);
}

void darc_weak_widen(darc_weak *weak)
{
    weak->wide = weak->support + 1;
    if (weak->stamps == NULL || weak->pieces == 0)
        return;
    weak->stamps->gain = darc_calloc(
        (size_t)(weak->pieces * weak->stamps->rates), sizeof(double));
    darc_weak_work *work = darc_weak_work_new(weak);
    for (int i = 0; i < weak->pieces; i++) {
        darc_weak_stamps_windows(work, weak->piece + i);
        for (int k = 0; k < weak->piece[i].functions; k++)
            weak->wide = work->window[k].count > weak->wide
                             ? work->window[k].count
                             : weak->wide;
    }
    darc_weak_work_free(work);
}

/* Set x to the sign of a derivative at samples begin .. begin + n - 1 of one
 * segment; within its noise of 0 it rises evenly from -1 to 1. */
static void load_sign(double *x, const darc_weak_var *var,
                      const darc_table *table, size_t begin, size_t n)
{
    enum { HALF = DARC_WEAK_SIGN_HALF };
    const darc_segment *s = table->segment + darc_segment_behind(table, begin);
    size_t first = s->begin + HALF, last = begin + n;
    first = first < begin ? begin : first;
    last = last + HALF > s->end ? s->end - HALF : last;
    memset(x, 0, n * sizeof *x);
    if (s->end - s->begin <= 2 * HALF || first >= last)
        return;
    double *sum = x + (first - begin);
    for (size_t k = 0; k <= 2 * HALF; k++)
        darc_lanes_add(sum, var->sign[k], var->value + first + k - HALF,
                       last - first);
    for (size_t t = 0; t < last - first; t++)
        sum[t] = fabs(sum[t]) < var->still
                     ? sum[t] / var->still
                     : (double)((sum[t] > 0) - (sum[t] < 0));
}

static void load_variable(darc_weak_work *work, int v, size_t begin)
{
    const darc_weak_var *var = work->weak->var + v;
    const darc_table *table = work->weak->table;
    int n = work->samples, h = var->half;
    double *x = work->own[v];
    work->x[v] = x;
    if (var->value == NULL) {
        for (int t = 0; t < n; t++)
            x[t] = darc_table_time(table, begin + (size_t)t);
    } else if (var->sign != NULL) {
        load_sign(x, var, table, begin, (size_t)n);
    } else if (var->weight == NULL && work->weak->linear) {
        work->x[v] = var->value + begin;
    } else if (var->weight == NULL) {
        memcpy(x, var->value + begin, (size_t)n * sizeof *x);
    } else {
        for (int t = 0; t < n; t++)
            x[t] = 1; /* no test function reaches the margin */
        if (n <= 2 * h)
            return;
        memset(x + h, 0, (size_t)(n - 2 * h) * sizeof *x);
        for (int s = -h; s <= h; s++)
            darc_lanes_add(x + h, var->weight[s + h],
                           var->value + begin + (size_t)(h + s),
                           (size_t)(n - 2 * h));
    }
}

/* Add to out what functions make of values at the places of the lattice. */
static void project_places(const darc_weak_work *work, double *out, int order,
                           const double *even)
{
    const darc_weak *weak = work->weak;
    for (int k = 0; k < work->functions; k++)
        out[k * weak->equations] += darc_lanes_dot(
            weak->phi[order], even + k * weak->step, (size_t)weak->support + 1);
}

void darc_weak_project(darc_weak_work *work, double *out, int shape,
                       const double *f)
{
    const darc_weak *weak = work->weak;
    project_places(work, out, shape % weak->orders,
                   weak->stamps == NULL
                       ? f + weak->margin
                       : darc_weak_stamps_even(work, shape / weak->orders, f));
}

int darc_weak_shape(const darc_weak *weak, const darc_weak_group *group, int d)
{
    return group->rate * weak->orders + d;
}

double *darc_weak_moments_of(const darc_weak_work *work, double *w,
                             const darc_weak_group *group)
{
    return w + (size_t)group->coeff * (size_t)work->rows + group->equation;
}

/* A piece is loaded by one thread at a time. */
static void compute_moments(darc_weak_work *work, int piece)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)work->rows * (size_t)weak->coeffs;
    double *w = work->room;
    if (weak->kept != NULL)
        w = weak->kept[piece] = darc_malloc(n * sizeof *w);
    memset(w, 0, n * sizeof *w);
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        int v = darc_laurent_is_variable(&group->g);
        if (v < 0)
            darc_laurent_eval(work->scratch, &group->g, work->x,
                              (size_t)work->samples);
        const double *f = v < 0 ? work->scratch : work->x[v];
        project_places(work, darc_weak_moments_of(work, w, group), group->order,
                       darc_weak_values(work, group, f));
    }
    work->w = w;
}

void darc_weak_load(darc_weak_work *work, int piece)
{
    if (work->piece == piece)
        return;
    const darc_weak *weak = work->weak;
    const darc_weak_piece *p = weak->piece + piece;
    work->piece = piece;
    work->partial = -1;
    work->placed = false;
    work->samples = (int)(p->end - p->begin);
    work->functions = p->functions;
    work->rows = p->functions * weak->equations;
    bool known = weak->kept != NULL && weak->kept[piece] != NULL;
    for (int v = 0; v < weak->vars; v++)
        load_variable(work, v, p->begin);
    if (!known)
        darc_weak_steps_load(work);
    if (known)
        work->w = weak->kept[piece];
    else
        compute_moments(work, piece);
    darc_table_done(weak->table, p->begin, p->end);
}

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Set size[j] to what a moment of coefficient j is at most: a sum of support +
 * 1 products, each of which is rounded. */
static void bound_moments(double *size, darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)work->samples, m = (size_t)weak->margin;
    for (int j = 0; j < weak->coeffs; j++)
        size[j] = 0;
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        double weight = 0;
        for (int t = 0; t <= weak->support; t++)
            weight += fabs(weak->phi[group->order][t]);
        darc_laurent_eval(work->scratch, &group->g,
                          (const double *const *)work->x, n);
        size[group->coeff] += weight * largest(work->scratch + m, n - 2 * m);
    }
}

int darc_weak_vanishing(const darc_weak *weak)
{
    const double rounding = (weak->support + 1) * DBL_EPSILON;
    darc_weak_work *work = darc_weak_work_new(weak);
    double *size = darc_calloc((size_t)weak->coeffs, sizeof *size);
    bool *alive = darc_calloc((size_t)weak->coeffs, sizeof *alive);
    int j = 0;
    for (int p = 0; p < weak->pieces && j < weak->coeffs; p++) {
        darc_weak_load(work, p);
        bound_moments(size, work);
        size_t k = (size_t)work->rows;
        for (int i = 0; i < weak->coeffs; i++)
            /* what is out of range is not 0 */
            alive[i] = alive[i] || !isfinite(size[i]) ||
                       largest(work->w + (size_t)i * k, k) > rounding * size[i];
        while (j < weak->coeffs && alive[j])
            j++;
    }
    darc_weak_work_free(work);
    DARC_FREE(size, alive);
    return j < weak->coeffs ? j : -1;
}

void darc_columns_whiten(const darc_weak_work *work, const darc_columns_room *b,
                         double *a, int r, char trans)
{
    lapack_int k = work->rows;
    if (k == 0)
        return;
    LAPACKE_dtbtrs_work(LAPACK_COL_MAJOR, 'L', trans, 'N', k, work->band, r,
                        b->factor, work->band + 1, a, k);
}

void darc_columns_combine(const darc_weak_work *work, double *out,
                          const double *w, const double *c)
{
    size_t k = (size_t)work->rows;
    memset(out, 0, k * sizeof *out);
    for (int j = 0; j < work->weak->coeffs; j++)
        if (c[j] != 0)
            darc_lanes_add(out, c[j], w + (size_t)j * k, k);
}

void darc_columns_gram(double *h, double weight, const double *a, size_t k,
                       int coeffs)
{
    for (int i = 0; i < coeffs; i++)
        for (int j = 0; j <= i; j++) {
            double sum = weight * darc_lanes_dot(a + (size_t)i * k,
                                                 a + (size_t)j * k, k);
            h[i * coeffs + j] += sum;
            if (i != j)
                h[j * coeffs + i] += sum;
        }
}

double *darc_columns_all(const darc_weak *weak)
{
    size_t e = (size_t)weak->equations, rows = weak->functions * e, at = 0;
    double *out = darc_calloc(rows * (size_t)weak->coeffs, sizeof *out);
    darc_weak_work *work = darc_weak_work_new(weak);
    for (int p = 0; p < weak->pieces; p++) {
        darc_weak_load(work, p);
        size_t own = (size_t)work->rows;
        for (size_t j = 0; j < (size_t)weak->coeffs; j++)
            memcpy(out + j * rows + at, work->w + j * own, own * sizeof *out);
        at += own;
    }
    darc_weak_work_free(work);
    return out;
}
