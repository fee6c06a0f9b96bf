#include "weak/weak_inside.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "stats/stencil.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The rows of A for the last band + 1 test functions, in a ring. */
typedef struct {
    int width;   /* of a row */
    int rows;    /* band + 1 */
    double *row; /* rows x width */
    double *out; /* the row through the covariance of its noise */
} ring;

static ring make_ring(int width, int rows, int out_width)
{
    ring r = {width, rows, NULL, NULL};
    r.row = darc_calloc((size_t)width * (size_t)rows, sizeof *r.row);
    r.out = darc_calloc((size_t)out_width, sizeof *r.out);
    return r;
}

static void clear_ring(ring *r)
{
    darc_free(r->row);
    darc_free(r->out);
}

DARC_EVERY_WIDTH static void add_product(double *restrict out,
                                         const double *restrict a,
                                         const double *restrict b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] += a[i] * b[i];
}

/* Set b[i] = sum_d phi_k^(d)[i] s_d(t_k + i). */
static void weigh(const darc_weak *weak, double *b, double *const *s, int k)
{
    int first = weak->margin + k * weak->step;
    for (int i = 0; i <= weak->support; i++)
        b[i] = 0;
    for (int d = 0; d < weak->orders; d++)
        add_product(b, weak->phi[d], s[d] + first, (size_t)weak->support + 1);
}

void darc_weak_row(const darc_weak_work *work, int channel, int k, double *row,
                   double *b)
{
    const darc_weak *weak = work->weak;
    int width = weak->support + 1 + 2 * weak->pad;
    memset(row, 0, (size_t)width * sizeof *row);
    for (int v = 0; v < weak->vars; v++) {
        const darc_weak_var *var = weak->var + v;
        if (var->channel != channel)
            continue;
        weigh(weak, b, work->s[v], k);
        for (int s = -var->reach; s <= var->reach; s++) {
            double r = var->response[s + var->reach];
            darc_lanes_add(row + weak->pad + s, r, b,
                           (size_t)weak->support + 1);
        }
    }
}

/* Add the products of row k with itself and the rows before it. */
static void add_products(darc_weak_work *work, const ring *r, int k)
{
    int h = work->weak->step;
    const double *a = r->row + (size_t)(k % r->rows) * (size_t)r->width;
    for (int j = 0; j <= work->band && j <= k && j * h < r->width; j++) {
        const double *b =
            r->row + (size_t)((k - j) % r->rows) * (size_t)r->width + j * h;
        work->ab[(size_t)(k - j) * (size_t)(work->band + 1) + (size_t)j] +=
            darc_lanes_dot(a, b, (size_t)(r->width - j * h));
    }
}

static void add_channel(darc_weak_work *work, int channel)
{
    const darc_weak *weak = work->weak;
    int width = weak->support + 1 + 2 * weak->pad;
    ring r = make_ring(width, work->band + 1, weak->support + 1);
    for (int k = 0; k < work->functions; k++) {
        darc_weak_row(work, channel, k,
                      r.row + (size_t)(k % r.rows) * (size_t)width, r.out);
        add_products(work, &r, k);
    }
    clear_ring(&r);
}

/* Set s2 to sum_j c_j (second derivative by the pair), by orders; return
 * whether there is any. */
static bool second_sensitivity(darc_weak_work *work, int p, const double *c)
{
    const darc_weak *weak = work->weak;
    bool any = false;
    for (int d = 0; d < weak->orders; d++)
        memset(work->s2[d], 0, (size_t)work->samples * sizeof(double));
    for (int g = 0; g < weak->groups; g++) {
        const double *f = work->second[g * weak->pairs + p];
        double cj = c[weak->group[g].coeff];
        if (f == NULL || cj == 0)
            continue;
        any = true;
        double *s = work->s2[weak->group[g].order];
        for (int t = 0; t < work->samples; t++)
            s[t] += cj * f[t];
    }
    return any;
}

/* out = the row through the Toeplitz covariance rho; out starts `lags`
 * samples before the row. */
static void spread(double *out, const double *row, int width,
                   const darc_weak_pair *pair)
{
    int lags = pair->lags;
    memset(out, 0, (size_t)(width + 2 * lags) * sizeof *out);
    for (int l = -lags; l <= lags; l++)
        for (int i = 0; i < width; i++)
            out[i + lags + l] += pair->rho[abs(l)] * row[i];
}

/* The gradient at noisy samples already holds twice the variance that noise
 * of second order has; it is taken off once. */
static void subtract_pair(darc_weak_work *work, int p)
{
    const darc_weak *weak = work->weak;
    const darc_weak_pair *pair = weak->pair + p;
    int width = weak->support + 1, h = weak->step, lags = pair->lags;
    ring r = make_ring(width, work->band + 1, width + 2 * lags);
    for (int k = 0; k < work->functions; k++) {
        double *row = r.row + (size_t)(k % r.rows) * (size_t)width;
        weigh(weak, row, work->s2, k);
        spread(r.out, row, width, pair);
        for (int j = 0; j <= work->band && j <= k; j++) {
            const double *b =
                r.row + (size_t)((k - j) % r.rows) * (size_t)width;
            double sum = 0;
            /* sample i of row k - j is sample i - j*h of row k */
            for (int i = 0; i < width; i++) {
                int o = i - j * h + lags;
                if (o >= 0 && o < width + 2 * lags)
                    sum += b[i] * r.out[o];
            }
            work->ab[(size_t)(k - j) * (size_t)(work->band + 1) + (size_t)j] -=
                sum;
        }
    }
    clear_ring(&r);
}

/* d/dc_j of x' V2 x / 2 is sum_t (B_j' x)(t) (rho * B' x)(t). */
static void add_pair_regressors(darc_weak_work *work, int p, double *b,
                                double *u, double *out)
{
    const darc_weak *weak = work->weak;
    const darc_weak_pair *pair = weak->pair + p;
    int n = work->samples;
    memset(b, 0, (size_t)n * sizeof *b);
    memset(u, 0, (size_t)n * sizeof *u);
    for (int d = 0; d < weak->orders; d++)
        for (int t = 0; t < n; t++)
            b[t] += work->s2[d][t] * work->acc[d][t];
    for (int l = -pair->lags; l <= pair->lags; l++)
        for (int t = l > 0 ? l : 0; t < n && t - l < n; t++)
            u[t] += pair->rho[abs(l)] * b[t - l];
    for (int g = 0; g < weak->groups; g++) {
        const double *f = work->second[g * weak->pairs + p];
        if (f == NULL)
            continue;
        for (int t = 0; t < n; t++)
            b[t] = f[t] * u[t];
        darc_weak_project(
            work, out + (size_t)weak->group[g].coeff * (size_t)work->functions,
            weak->group[g].order, b);
    }
}

void darc_weak_add_second(darc_weak_work *work, const double *c, double *out)
{
    double *b = work->scratch, *u = work->scratch + work->samples;
    for (int p = 0; p < work->weak->pairs; p++)
        if (second_sensitivity(work, p, c))
            add_pair_regressors(work, p, b, u, out);
}

void darc_weak_covariance(darc_weak_work *work, const double *c,
                          bool second_order)
{
    const darc_weak *weak = work->weak;
    memset(work->ab, 0,
           (size_t)(work->band + 1) * (size_t)work->functions *
               sizeof *work->ab);
    for (int q = 0; q < weak->channels; q++)
        add_channel(work, q);
    for (int p = 0; second_order && p < weak->pairs; p++)
        if (second_sensitivity(work, p, c))
            subtract_pair(work, p);
}
