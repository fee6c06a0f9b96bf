/* paths.c - how noise reaches the variables of a weak system, and what becomes
 * of its products. */
#include "weak/system.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* p through q. */
static darc_weak_filter convolve(const darc_weak_filter *p,
                                 const darc_weak_filter *q)
{
    darc_weak_filter f = {.first = p->first + q->first,
                          .count = p->count + q->count - 1};
    f.tap = darc_calloc((size_t)f.count, sizeof *f.tap);
    for (int i = 0; i < p->count; i++)
        darc_lanes_add(f.tap + i, p->tap[i], q->tap, (size_t)q->count);
    return f;
}

/* The kernel of a channel, moved by `shift` samples. */
static darc_weak_filter kernel_filter(const darc_weak_channel *c, int shift)
{
    darc_weak_filter f = {.first = shift - (c->taps - 1), .count = c->taps};
    f.tap = darc_calloc((size_t)f.count, sizeof *f.tap);
    f.flat = c->taps > DARC_WEAK_FLAT;
    for (int j = 0; j < c->taps; j++) {
        f.tap[c->taps - 1 - j] = c->kernel[j];
        f.flat = f.flat && c->kernel[j] == c->kernel[0];
    }
    return f;
}

static void add_path(darc_weak_var *var, const darc_weak_source *s,
                     const darc_weak_data *data)
{
    double number = 1;
    const darc_weak_filter one = {0, 1, &number, false};
    int half = var->sign != NULL ? DARC_WEAK_SIGN_HALF : var->half;
    darc_weak_filter weight = {-half, 2 * half + 1,
                               var->sign != NULL ? var->sign : var->weight,
                               false};
    darc_weak_filter kernel =
        kernel_filter(data->channel + s->channel, s->shift);
    if (weight.tap == NULL)
        weight = one;
    darc_weak_path p = {
        .channel = s->channel, .partial = s->partial, .mean = 1, .rms = 1};
    if (s->partial != NULL) {
        p.pre = convolve(&weight, &one);
        p.post = kernel;
        p.mean = darc_lanes_mean(s->partial, NULL, data->table);
        p.rms = sqrt(darc_lanes_mean(s->partial, s->partial, data->table));
    } else {
        p.pre = convolve(&weight, &kernel);
        p.post = convolve(&one, &one);
        darc_free(kernel.tap);
    }
    for (int i = 0; i < p.pre.count; i++)
        p.pre.tap[i] *= s->factor;
    DARC_ROOM(var->path, var->paths);
    var->path[var->paths++] = p;
}

void darc_weak_add_paths(darc_weak *weak, darc_weak_var *var,
                         const darc_weak_signal *s, const darc_weak_data *data)
{
    for (int i = 0; i < s->sources; i++)
        add_path(var, s->source + i, data);
    for (int i = 0; i < var->paths; i++) {
        const darc_weak_path *p = var->path + i;
        /* noise of samples first .. last reaches sample 0 on this path */
        int first = p->pre.first + p->post.first;
        int last = first + p->pre.count + p->post.count - 2;
        first = first < p->pre.first ? first : p->pre.first;
        last = last > -p->pre.first ? last : -p->pre.first;
        darc_weak_reach *r = weak->reach + p->channel;
        r->left = -first > r->left ? -first : r->left;
        r->right = last > r->right ? last : r->right;
        weak->left = r->left > weak->left ? r->left : weak->left;
        weak->right = r->right > weak->right ? r->right : weak->right;
    }
}

/* Return the mean of the product of the partial derivatives of two paths. */
static double mean_product(const darc_weak_path *a, const darc_weak_path *b,
                           const darc_table *table)
{
    if (a->partial == b->partial)
        return a->rms * a->rms;
    if (a->partial == NULL || b->partial == NULL)
        return a->partial == NULL ? b->mean : a->mean;
    return darc_lanes_mean(a->partial, b->partial, table);
}

/* Add to out[l] the covariance of a(t) and b(t + l), 0 <= l <= lags, as far as
 * their noises are there for certain; products of partials are taken at their
 * means. */
static void add_covariance(double *out, int lags, const darc_weak_path *a,
                           const darc_weak_path *b, double factor)
{
    darc_weak_filter x = convolve(&a->pre, &a->post);
    darc_weak_filter y = convolve(&b->pre, &b->post);
    for (int l = 0; l <= lags; l++) {
        int by = x.first - y.first - l; /* sample i of x meets i + by of y */
        int from = by < 0 ? -by : 0, to = y.count - by;
        to = to < x.count ? to : x.count;
        if (from < to)
            out[l] += factor * darc_lanes_dot(x.tap + from, y.tap + from + by,
                                              (size_t)(to - from));
    }
    DARC_FREE(x.tap, y.tap);
}

static void covariance(double *out, int lags, const darc_weak_var *a,
                       const darc_weak_var *b, const darc_weak_data *data)
{
    memset(out, 0, ((size_t)lags + 1) * sizeof *out);
    if (a->sign != NULL || b->sign != NULL) /* of first order alone */
        return;
    for (int i = 0; i < a->paths; i++)
        for (int k = 0; k < b->paths; k++)
            if (a->path[i].channel == b->path[k].channel)
                add_covariance(
                    out, lags, a->path + i, b->path + k,
                    data->channel[a->path[i].channel].real *
                        mean_product(a->path + i, b->path + k, data->table));
}

static void differentiate_groups(darc_weak *weak, const darc_weak_data *data)
{
    int n = weak->vars;
    double cov[DARC_LAURENT_VARS * DARC_LAURENT_VARS] = {0};
    for (int v = 0; v < n; v++)
        for (int w = 0; w < n; w++)
            covariance(cov + v * DARC_LAURENT_VARS + w, 0, weak->var + v,
                       weak->var + w, data);
    for (int g = 0; g < weak->groups; g++) {
        darc_weak_group *group = weak->group + g;
        darc_laurent_unbias(&group->g, cov);
        for (int v = 0; v < n; v++) {
            darc_laurent_diff(group->by + v, &group->g, v);
            group->noisy[v] = weak->var[v].paths > 0 && group->by[v].count > 0;
        }
    }
}

static bool has_second(const darc_weak *weak, int v, int w)
{
    for (int g = 0; g < weak->groups; g++) {
        darc_laurent second;
        darc_laurent_diff(&second, weak->group[g].by + v, w);
        bool any = second.count > 0;
        darc_laurent_clear(&second);
        if (any)
            return true;
    }
    return false;
}

/* Return the sum over all lags of the products of a and b, which hold those
 * from 0 up and are even together. */
static double sum_lags(const double *a, const double *b, int lags)
{
    double sum = 0;
    for (int l = 0; l <= lags; l++)
        sum += (l > 0 ? 2 : 1) * a[l] * b[l];
    return sum;
}

/* For v = w the term is g_vv (n^2 - s^2) / 2 with covariance g_vv^2 R^2 / 2,
 * else g_vw n_v n_w with R_v(l) R_w(l) + R_vw(l) R_vw(-l).  Test functions are
 * smooth, so that only its sum over all lags counts. */
static void add_pair(darc_weak *weak, int v, int w, const darc_weak_data *data)
{
    int lags = weak->left + weak->right;
    const darc_weak_var *x = weak->var + v, *y = weak->var + w;
    double *a, *b;
    DARC_CARVE({&a, lags + 1}, {&b, lags + 1});
    covariance(a, lags, x, x, data);
    covariance(b, lags, y, y, data);
    double sum = sum_lags(a, b, lags) / (v == w ? 2 : 1);
    if (v != w) {
        covariance(a, lags, x, y, data);
        covariance(b, lags, y, x, data);
        sum += sum_lags(a, b, lags);
    }
    darc_free(a);
    weak->pair[weak->pairs++] = (darc_weak_pair){v, w, sqrt(fmax(0, sum))};
}

static void add_pairs(darc_weak *weak, const darc_weak_data *data)
{
    int n = weak->vars;
    weak->pair = darc_calloc((size_t)(n * (n + 1) / 2), sizeof *weak->pair);
    for (int v = 0; v < n; v++)
        for (int w = v; w < n; w++)
            if (weak->var[v].paths > 0 && weak->var[w].paths > 0 &&
                weak->var[v].sign == NULL && weak->var[w].sign == NULL &&
                has_second(weak, v, w))
                add_pair(weak, v, w, data);
}

static bool is_linear_system(const darc_weak *weak)
{
    double number;
    for (int v = 0; v < weak->vars; v++)
        for (int i = 0; i < weak->var[v].paths; i++)
            if (weak->var[v].path[i].partial != NULL ||
                weak->var[v].sign != NULL)
                return false;
    for (int g = 0; g < weak->groups; g++)
        for (int v = 0; v < weak->vars; v++)
            if (weak->group[g].noisy[v] &&
                !darc_laurent_is_number(weak->group[g].by + v, &number))
                return false;
    return true;
}

void darc_weak_differentiate(darc_weak *weak, const darc_weak_data *data)
{
    differentiate_groups(weak, data);
    add_pairs(weak, data);
    weak->linear = is_linear_system(weak);
}

void darc_weak_bends(double *share, const darc_weak *weak, bool loud)
{
    memset(share, 0, (size_t)weak->coeffs * sizeof *share);
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        for (int i = 0; i < group->g.count; i++) {
            double sum = 0;
            for (int v = 0; v < weak->vars; v++)
                sum += abs(group->g.m[i].e[v]) *
                       (loud ? weak->var[v].loud : weak->var[v].bend);
            share[group->coeff] = fmax(share[group->coeff], sum);
        }
    }
}

/* A term off by a share of itself moves its coefficient by as much the other
 * way; the reference, all others of its equation. */
void darc_weak_add_bends(double *cov, const double *c, const int *reference,
                         const bool *free, const darc_weak *weak)
{
    int n = weak->coeffs;
    double *share = darc_calloc((size_t)n + 1, sizeof *share);
    darc_weak_bends(share, weak, false);
    for (int q = 0; q < weak->equations; q++)
        for (int j = weak->first[q]; j < weak->first[q + 1]; j++) {
            bool all = j == reference[q];
            int begin = all ? weak->first[q] : j;
            int end = all ? weak->first[q + 1] : j + 1;
            for (int i = begin; i < end && share[j] > 0; i++)
                for (int k = begin; k < end; k++)
                    if (free[i] && free[k] && (!all || (i != j && k != j)))
                        cov[i * n + k] += share[j] * share[j] * c[i] * c[k];
        }
    darc_free(share);
}
