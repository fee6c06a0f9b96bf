#include "weak/weak_inside.h"

#include "base/mem.h"
#include "stats/lanes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t longest_piece(const darc_weak *weak)
{
    size_t n = 0;
    for (int i = 0; i < weak->pieces; i++) {
        size_t m = weak->piece[i].end - weak->piece[i].begin;
        n = m > n ? m : n;
    }
    return n;
}

static int most_functions(const darc_weak *weak)
{
    int k = 0;
    for (int i = 0; i < weak->pieces; i++)
        k = weak->piece[i].functions > k ? weak->piece[i].functions : k;
    return k;
}

/* Partial derivatives that are numbers are kept as such. */
static void allocate_partials(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    size_t n = work->capacity;
    size_t slots = (size_t)weak->groups * (size_t)weak->vars;
    work->by = darc_calloc(slots, sizeof *work->by);
    work->number = darc_calloc(slots, sizeof *work->number);
    work->second = darc_calloc((size_t)weak->groups * (size_t)weak->pairs,
                               sizeof *work->second);
    for (int g = 0; g < weak->groups; g++)
        for (int v = 0; v < weak->vars; v++) {
            size_t i = (size_t)g * (size_t)weak->vars + (size_t)v;
            if (!weak->group[g].noisy[v])
                continue;
            if (!darc_laurent_is_number(weak->group[g].by + v,
                                        work->number + i))
                work->by[i] = darc_calloc(n, sizeof(double));
        }
}

darc_weak_work *darc_weak_work_new(const darc_weak *weak)
{
    darc_weak_work *work = darc_calloc(1, sizeof *work);
    size_t n = longest_piece(weak), k = (size_t)most_functions(weak);
    work->weak = weak;
    work->piece = work->partial = -1;
    work->capacity = n;
    for (int v = 0; v < weak->vars; v++) {
        work->own[v] = darc_calloc(n, sizeof(double));
        for (int d = 0; d < weak->orders; d++)
            work->s[v][d] = darc_calloc(n, sizeof(double));
    }
    for (int d = 0; d < weak->orders; d++) {
        work->s2[d] = darc_calloc(n, sizeof(double));
        work->acc[d] = darc_calloc(n, sizeof(double));
    }
    for (int q = 0; q < weak->channels; q++)
        work->z[q] = darc_calloc(n + 2 * (size_t)weak->pad, sizeof(double));
    work->w = darc_calloc(k * (size_t)weak->coeffs, sizeof(double));
    work->scratch = darc_calloc(2 * n + 2 * (size_t)weak->pad, sizeof(double));
    work->band = (weak->support + 2 * weak->pad) / weak->step;
    if ((size_t)work->band >= k)
        work->band = (int)k - 1;
    work->ab = darc_calloc(((size_t)work->band + 1) * k, sizeof(double));
    allocate_partials(work);
    return work;
}

void darc_weak_work_free(darc_weak_work *work)
{
    if (work == NULL)
        return;
    const darc_weak *weak = work->weak;
    for (int v = 0; v < weak->vars; v++) {
        darc_free(work->own[v]);
        for (int d = 0; d < weak->orders; d++)
            darc_free(work->s[v][d]);
    }
    for (int d = 0; d < weak->orders; d++) {
        darc_free(work->s2[d]);
        darc_free(work->acc[d]);
    }
    for (int q = 0; q < weak->channels; q++)
        darc_free(work->z[q]);
    for (int i = 0; i < weak->groups * weak->vars; i++)
        darc_free(work->by[i]);
    for (int i = 0; i < weak->groups * weak->pairs; i++)
        darc_free(work->second[i]);
    darc_free(work->by);
    darc_free(work->number);
    darc_free(work->second);
    darc_free(work->w);
    darc_free(work->scratch);
    darc_free(work->ab);
    darc_free(work);
}

/* Return the segment that sample t lies in. */
static const darc_segment *segment_of(const darc_table *table, size_t t)
{
    int low = 0, high = table->segments; /* it is one of low .. high - 1 */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (table->segment[middle].begin <= t)
            low = middle;
        else
            high = middle;
    }
    return table->segment + low;
}

/* Set x to the sign of a derivative at samples begin .. begin + n - 1 of one
 * segment. */
static void load_sign(double *x, const darc_weak_var *var,
                      const darc_table *table, size_t begin, size_t n)
{
    enum { HALF = DARC_WEAK_SIGN_HALF };
    const darc_segment *s = segment_of(table, begin);
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
        sum[t] = (double)((sum[t] > 0) - (sum[t] < 0));
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
            x[t] = table->t0 + (double)(begin + (size_t)t) * table->dt;
    } else if (var->sign != NULL) {
        load_sign(x, var, table, begin, (size_t)n);
    } else if (var->weight == NULL && work->weak->linear) {
        work->x[v] = var->value + begin;
    } else if (var->weight == NULL) {
        memcpy(x, var->value + begin, (size_t)n * sizeof *x);
    } else {
        const double *y = var->value + begin;
        for (int t = 0; t < n; t++)
            x[t] = 1; /* no test function reaches the margin */
        for (int t = h; t < n - h; t++) {
            double sum = 0;
            for (int s = -h; s <= h; s++)
                sum += var->weight[s + h] * y[t + s];
            x[t] = sum;
        }
    }
}

void darc_weak_project(const darc_weak_work *work, double *out, int d,
                       const double *f)
{
    const darc_weak *weak = work->weak;
    const double *g = f + weak->margin;
    size_t n = (size_t)weak->support + 1;
    for (int k = 0; k < work->functions; k++, g += weak->step)
        out[k] += darc_lanes_dot(weak->phi[d], g, n);
}

static void load_second(darc_weak_work *work, int g, const double *const *x)
{
    const darc_weak *weak = work->weak;
    for (int p = 0; p < weak->pairs; p++) {
        size_t i = (size_t)g * (size_t)weak->pairs + (size_t)p;
        darc_laurent second;
        darc_laurent_diff(&second, weak->group[g].by + weak->pair[p].v,
                          weak->pair[p].w);
        if (second.count > 0) {
            if (work->second[i] == NULL)
                work->second[i] = darc_calloc(work->capacity, sizeof(double));
            darc_laurent_eval(work->second[i], &second, x,
                              (size_t)work->samples);
        }
        darc_laurent_clear(&second);
    }
}

void darc_weak_load(darc_weak_work *work, int piece)
{
    if (work->piece == piece)
        return;
    const darc_weak *weak = work->weak;
    const darc_weak_piece *p = weak->piece + piece;
    work->piece = piece;
    work->partial = -1;
    work->samples = (int)(p->end - p->begin);
    work->functions = p->functions;
    for (int v = 0; v < weak->vars; v++)
        load_variable(work, v, p->begin);
    size_t n = (size_t)work->samples, k = (size_t)work->functions;
    memset(work->w, 0, k * (size_t)weak->coeffs * sizeof *work->w);
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        int v = darc_laurent_is_variable(&group->g);
        if (v < 0)
            darc_laurent_eval(work->scratch, &group->g, work->x, n);
        darc_weak_project(work, work->w + (size_t)group->coeff * k,
                          group->order, v < 0 ? work->scratch : work->x[v]);
    }
    darc_table_done(weak->table, p->begin, p->end);
}

void darc_weak_load_partials(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    const double *const *x = work->x;
    if (work->partial == work->piece)
        return;
    work->partial = work->piece;
    for (int g = 0; g < weak->groups; g++) {
        for (int v = 0; v < weak->vars; v++)
            if (work->by[g * weak->vars + v] != NULL)
                darc_laurent_eval(work->by[g * weak->vars + v],
                                  weak->group[g].by + v, x,
                                  (size_t)work->samples);
        load_second(work, g, x);
    }
}

void darc_weak_at(darc_weak_work *work, const double *c)
{
    const darc_weak *weak = work->weak;
    for (int v = 0; v < weak->vars; v++)
        for (int d = 0; d < weak->orders; d++)
            memset(work->s[v][d], 0, (size_t)work->samples * sizeof(double));
    for (int g = 0; g < weak->groups; g++)
        for (int v = 0; v < weak->vars; v++) {
            int i = g * weak->vars + v;
            double cj = c[weak->group[g].coeff];
            double *s = work->s[v][weak->group[g].order];
            if (!weak->group[g].noisy[v] || cj == 0)
                continue;
            if (work->by[i] != NULL)
                darc_lanes_add(s, cj, work->by[i], (size_t)work->samples);
            else
                for (int t = 0; t < work->samples; t++)
                    s[t] += cj * work->number[i];
        }
}

static void accumulate(darc_weak_work *work, const double *x)
{
    const darc_weak *weak = work->weak;
    for (int d = 0; d < weak->orders; d++) {
        memset(work->acc[d], 0, (size_t)work->samples * sizeof(double));
        for (int k = 0; k < work->functions; k++) {
            double *a = work->acc[d] + weak->margin + k * weak->step;
            darc_lanes_add(a, x[k], weak->phi[d], (size_t)weak->support + 1);
        }
    }
}

void darc_weak_adjoint(darc_weak_work *work, const double *x)
{
    const darc_weak *weak = work->weak;
    int n = work->samples;
    double *b = work->scratch;
    accumulate(work, x);
    for (int q = 0; q < weak->channels; q++)
        memset(work->z[q], 0, (size_t)(n + 2 * weak->pad) * sizeof(double));
    for (int v = 0; v < weak->vars; v++) {
        const darc_weak_var *var = weak->var + v;
        if (var->channel < 0)
            continue;
        memset(b, 0, (size_t)n * sizeof *b);
        for (int d = 0; d < weak->orders; d++)
            for (int t = 0; t < n; t++)
                b[t] += work->s[v][d][t] * work->acc[d][t];
        double *z = work->z[var->channel] + weak->pad;
        for (int s = -var->reach; s <= var->reach; s++) {
            double r = var->response[s + var->reach];
            darc_lanes_add(z + s, r, b, (size_t)n);
        }
    }
}

/* Set f to the noise of variable v under the fields z. */
static void variable_noise(const darc_weak_work *work, double *f, int v)
{
    const darc_weak_var *var = work->weak->var + v;
    const double *z = work->z[var->channel] + work->weak->pad;
    int n = work->samples;
    memset(f, 0, (size_t)n * sizeof *f);
    for (int s = -var->reach; s <= var->reach; s++) {
        double r = var->response[s + var->reach];
        darc_lanes_add(f, r, z + s, (size_t)n);
    }
}

void darc_weak_forward(darc_weak_work *work, double *out)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)work->samples, k = (size_t)work->functions;
    double *noise = work->scratch, *f = work->scratch + n;
    memset(out, 0, k * (size_t)weak->coeffs * sizeof *out);
    for (int v = 0; v < weak->vars; v++) {
        if (weak->var[v].channel < 0)
            continue;
        variable_noise(work, noise, v);
        for (int g = 0; g < weak->groups; g++) {
            int i = g * weak->vars + v;
            if (!weak->group[g].noisy[v])
                continue;
            for (size_t t = 0; t < n; t++)
                f[t] = noise[t] *
                       (work->by[i] != NULL ? work->by[i][t] : work->number[i]);
            darc_weak_project(work, out + (size_t)weak->group[g].coeff * k,
                              weak->group[g].order, f);
        }
    }
}
