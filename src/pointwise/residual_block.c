#include "base/mem.h"
#include "pointwise/residual_inside.h"
#include "stats/columns.h"

#include <math.h>
#include <string.h>

void darc_residual_work_init(darc_residual_work *w, const darc_residual *r)
{
    size_t functions = (size_t)r->f.count, slots = (size_t)r->f.slots;
    size_t taps = 2 * (size_t)r->half + 1, slopes = (size_t)r->f.slopes;
    ptrdiff_t ends = DARC_BLOCK + 2 * r->half + 1;
    double **at = w->all = darc_columns_new(
        4 * slots + 7 * functions + slopes + 2 + 2 * taps, DARC_BLOCK);
    for (int k = 0; k < DARC_RUNGS; k++) {
        w->in[k] = darc_calloc(slots, sizeof *w->in[k]);
        w->store[k] = at;
        w->value[k] = at + slots;
        at += slots + functions;
    }
    w->size = at;
    w->bound = at += functions;
    w->variance = at += functions;
    w->spare = at += functions;
    w->slope = at += slots + functions;
    w->part = at += slopes;
    w->tap = at += 2;
    w->lag = at + taps;
    DARC_CARVE({&w->time[0], ends}, {&w->time[1], ends},
               {&w->weight, 2 * r->half + 1}, {&w->error, r->f.slots});
}

void darc_residual_work_clear(darc_residual_work *w)
{
    DARC_FREE_EACH(w->in, DARC_RUNGS);
    darc_columns_free(w->all);
    darc_free(w->time[0]);
}

static int recording_of(const darc_residual *r, int slot)
{
    return r->relation->recording[r->f.deriv[slot].unknown];
}

const darc_differ *darc_residual_differ(const darc_residual *r, int slot,
                                        int rung)
{
    return r->differ[recording_of(r, slot)][rung];
}

/* Samples of a slot, in *y; return which of them is the block's first.  Times
 * of a uniform recording are made. */
static size_t find_samples(const double **y, const darc_residual *r,
                           const darc_residual_work *w, const darc_block *block,
                           int s)
{
    int a = recording_of(r, s);
    size_t start = block->start[a], half = (size_t)r->half;
    *y = r->column[r->f.deriv[s].unknown];
    if (*y != NULL)
        return start;
    size_t from = start > half ? start - half : 0, left = start + block->n;
    size_t to =
        r->table[a]->samples - left > half ? left + half : r->table[a]->samples;
    for (size_t i = from; i < to; i++)
        w->time[a][i - from] = darc_table_time(r->table[a], i);
    *y = w->time[a];
    return start - from;
}

void darc_residual_derive(const darc_residual *r, darc_residual_work *w,
                          const darc_block *block, int rung)
{
    for (int s = 0; s < r->f.slots; s++) {
        darc_deriv d = r->f.deriv[s];
        const double *y;
        size_t start = find_samples(&y, r, w, block, s);
        w->in[rung][s] = w->store[rung][s];
        if (d.order == 0)
            w->in[rung][s] = (double *)(size_t)(y + start);
        else
            darc_differ_eval(darc_residual_differ(r, s, rung), d.order, y,
                             start, block->n, w->store[rung][s]);
    }
}

static bool is_uniform(const darc_residual *r, int slot)
{
    return r->table[recording_of(r, slot)]->dt > 0;
}

/* tap[j] += slope * weight of slot s by rung `plus`, or -= by rung `minus`;
 * return its half. */
static int add_taps(const darc_residual *r, darc_residual_work *w,
                    const darc_block *block, darc_noisy what, int s, bool minus)
{
    const darc_differ *d =
        darc_residual_differ(r, s, minus ? what.minus : what.plus);
    double sign = minus ? -1 : 1;
    const double *slope = w->slope[r->f.slope[what.f * r->f.slots + s]];
    int k = r->f.deriv[s].order, half = darc_differ_half(d, k);
    size_t start = block->start[recording_of(r, s)];
    double *const *tap = w->tap + r->half - half;
    if (is_uniform(r, s)) {
        darc_differ_weights(d, k, start, w->weight);
        for (int j = 0; j <= 2 * half; j++)
            for (size_t t = 0; t < block->n; t++)
                tap[j][t] += sign * w->weight[j] * slope[t];
        return half;
    }
    for (size_t t = 0; t < block->n; t++) {
        darc_differ_weights(d, k, start + t, w->weight);
        for (int j = 0; j <= 2 * half; j++)
            tap[j][t] += sign * w->weight[j] * slope[t];
    }
    return half;
}

/* Add sd^2 sum_j tap[j] tap[j+l] to the covariance at lag l. */
static void add_lag(double *const *tap, double sd, int half, int l, double *sum,
                    size_t n)
{
    for (int j = 0; j + l <= 2 * half; j++) {
        const double *a = tap[j], *b = tap[j + l];
        for (size_t t = 0; t < n; t++)
            sum[t] += sd * sd * a[t] * b[t];
    }
}

/* Combine the stencils of all derivatives of unknown u; return their half,
 * -1 if the function does not depend on u. */
static int combine_stencils(const darc_residual *r, darc_residual_work *w,
                            const darc_block *block, darc_noisy what, int u)
{
    int widest = -1;
    for (int s = 0; s < r->f.slots; s++) {
        int column = r->f.slope[what.f * r->f.slots + s];
        if (r->f.deriv[s].unknown != u || column < 0)
            continue;
        if (widest < 0)
            for (int j = 0; j <= 2 * r->half; j++)
                memset(w->tap[j], 0, block->n * sizeof **w->tap);
        int half = add_taps(r, w, block, what, s, false);
        if (what.minus >= 0) {
            int other = add_taps(r, w, block, what, s, true);
            half = other > half ? other : half;
        }
        widest = half > widest ? half : widest;
    }
    return widest;
}

void darc_residual_variance(const darc_residual *r, darc_residual_work *w,
                            const darc_block *block, darc_noisy what,
                            double *variance, double *least)
{
    size_t bytes = block->n * sizeof *variance;
    memset(variance, 0, bytes);
    memset(least, 0, bytes);
    for (int l = 0; l <= 2 * r->half && what.lags; l++)
        memset(w->lag[l], 0, bytes);
    for (int u = 0; u < r->unknowns; u++) {
        if (r->noise[u] == 0)
            continue;
        int half = combine_stencils(r, w, block, what, u);
        if (half < 0)
            continue;
        double *const *tap = w->tap + r->half - half;
        add_lag(tap, r->noise[u], half, 0, variance, block->n);
        add_lag(tap, r->least[u], half, 0, least, block->n);
        for (int l = 1; l <= 2 * half && what.lags; l++)
            add_lag(tap, r->noise[u], half, l, w->lag[l], block->n);
    }
    if (what.lags)
        memcpy(w->lag[0], variance, bytes);
}

/* Largest |y| that the formulas of the block read. */
static double largest(const double *y, size_t start, size_t n, int half)
{
    double max = 0;
    for (size_t i = start - (size_t)half; i < start + n + (size_t)half; i++)
        max = fmax(max, fabs(y[i]));
    return max;
}

static double weight_sum(const darc_differ *d, int k, size_t i, double *w)
{
    darc_differ_weights(d, k, i, w);
    double sum = 0;
    for (int j = 0; j <= 2 * darc_differ_half(d, k); j++)
        sum += fabs(w[j]);
    return sum;
}

void darc_residual_input_errors(const darc_residual *r, darc_residual_work *w,
                                const darc_block *block)
{
    for (int s = 0; s < r->f.slots; s++) {
        int k = r->f.deriv[s].order;
        w->error[s] = 0;
        if (k == 0)
            continue;
        const darc_differ *d = darc_residual_differ(r, s, 0);
        int half = darc_differ_half(d, k);
        size_t start = block->start[recording_of(r, s)];
        double sum = weight_sum(d, k, start, w->weight);
        for (size_t t = 1; t < block->n && !is_uniform(r, s); t++)
            sum = fmax(sum, weight_sum(d, k, start + t, w->weight));
        /* 2 half + 1 products and sums, and the weight itself, rounded. */
        const double *y;
        size_t first = find_samples(&y, r, w, block, s);
        w->error[s] = darc_gamma(2.0 * half + 4) * sum *
                      largest(y, first, block->n, half);
    }
}
