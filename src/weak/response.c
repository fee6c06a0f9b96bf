/* response.c - noise through the sensitivities of a piece: A, A' and back, and
 * V(c) = A A' in bands. */
#include "base/mem.h"
#include "stats/lanes.h"
#include "weak/piece.h"
#include "weak/stamps.h"

#include <string.h>

/* The transpose of a filter: out has room for its taps before and behind. */
static void scatter(double *out, const double *in, size_t n,
                    const darc_weak_filter *f)
{
    size_t count = (size_t)f->count;
    double sum = 0, *to = out + f->first;
    for (size_t t = 0; t < n + count - 1 && f->flat; t++) {
        sum += t < n ? in[t] : 0;
        sum -= t >= count ? in[t - count] : 0;
        to[t] += f->tap[0] * sum;
    }
    for (size_t i = 0; i < count && !f->flat; i++)
        darc_lanes_add(to + i, f->tap[i], in, n);
}

/* Multiply x by n values of a column of the table from sample `first` on, of
 * which nothing outside counts. */
static void multiply_column(double *x, const double *column, ptrdiff_t first,
                            size_t n, const darc_table *table)
{
    ptrdiff_t count = (ptrdiff_t)n, all = (ptrdiff_t)table->samples - first;
    ptrdiff_t from = first < 0 ? -first : 0, to = all < count ? all : count;
    for (ptrdiff_t t = 0; t < from && t < count; t++)
        x[t] = 0;
    for (ptrdiff_t t = from; t < to; t++)
        x[t] *= column[first + t];
    for (ptrdiff_t t = to > from ? to : from; t < count; t++)
        x[t] = 0;
}

/* Add to z what f, at samples of a part of the table, is through the transpose
 * of the path; z and scratch have room for its reach. */
static void send_back(double *z, const double *f, darc_segment part,
                      const darc_weak_path *p, const darc_table *table,
                      double *scratch)
{
    size_t n = part.end - part.begin;
    if (p->partial == NULL) {
        scatter(z, f, n, &p->pre);
        return;
    }
    size_t wide = n + (size_t)p->pre.count - 1;
    memset(scratch, 0, wide * sizeof *scratch);
    scatter(scratch - p->pre.first, f, n, &p->pre);
    multiply_column(scratch, p->partial, (ptrdiff_t)part.begin + p->pre.first,
                    wide, table);
    scatter(z + p->pre.first, scratch, wide, &p->post);
}

/* Return a shape of function k at the samples of its window. */
static const double *shape_at(darc_weak_work *work, int k, int shape)
{
    const darc_weak *weak = work->weak;
    const double *phi = weak->phi[shape % weak->orders];
    if (weak->stamps == NULL)
        return phi;
    size_t from = (size_t)(k * weak->step);
    double *seen = work->scratch + 2 * (work->capacity + (size_t)weak->left +
                                        (size_t)weak->right);
    memset(seen, 0, (size_t)weak->wide * sizeof *seen);
    darc_weak_stamps_spread(
        seen - work->window[k].first, work, shape / weak->orders, phi,
        (darc_segment){from, from + (size_t)weak->support + 1});
    return seen;
}

/* Return the samples of the piece that function k sees. */
static darc_weak_window window_of(const darc_weak_work *work, int k)
{
    const darc_weak *weak = work->weak;
    if (weak->stamps != NULL)
        return work->window[k];
    return (darc_weak_window){.first = weak->margin + k * weak->step,
                              .count = weak->support + 1};
}

/* Set b[i] = sum_d phi_k^(d)[i] s_d(t_k + i); return whether there is any. */
static bool weigh_function(darc_weak_work *work, double *b, double *const *s,
                           int k)
{
    bool any = false;
    darc_weak_window w = window_of(work, k);
    memset(b, 0, (size_t)work->weak->wide * sizeof *b);
    for (int d = 0; d < work->weak->shapes; d++) {
        if (s[d] == NULL)
            continue;
        any = true;
        const double *phi = shape_at(work, k, d);
        for (int i = 0; i < w.count; i++)
            b[i] += phi[i] * s[d][w.first + i];
    }
    return any;
}

void darc_weak_row(darc_weak_work *work, int channel, int k, int q, double *row)
{
    const darc_weak *weak = work->weak;
    darc_weak_window w = window_of(work, k);
    size_t n = (size_t)weak->wide;
    double *b = work->scratch, *between = work->scratch + n;
    size_t begin =
        weak->piece[work->piece < 0 ? 0 : work->piece].begin + (size_t)w.first;
    darc_segment part = {begin, begin + (size_t)w.count};
    memset(row, 0, (n + (size_t)(weak->left + weak->right)) * sizeof *row);
    if (channel >= weak->channels) {
        int p = channel - weak->channels;
        weigh_function(work, row + weak->left,
                       work->s2 + (q * weak->pairs + p) * weak->shapes, k);
        return;
    }
    for (int v = 0; v < weak->vars; v++) {
        const darc_weak_var *var = weak->var + v;
        bool weighed = false, any = false;
        for (int i = 0; i < var->paths; i++) {
            if (var->path[i].channel != channel)
                continue;
            if (!weighed)
                any = weigh_function(
                    work, b, work->s + (q * weak->vars + v) * weak->shapes, k);
            weighed = true;
            if (any)
                send_back(row + weak->left, b, part, var->path + i, weak->table,
                          between);
        }
    }
}

void darc_weak_unit_row(const darc_weak *weak, int coeff, int channel,
                        double *row)
{
    size_t n = (size_t)weak->support + 1;
    double *b = darc_malloc(n * sizeof *b), number;
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        for (int v = 0; v < weak->vars && group->coeff == coeff; v++) {
            const darc_weak_var *var = weak->var + v;
            if (!group->noisy[v] ||
                !darc_laurent_is_number(group->by + v, &number))
                continue;
            memset(b, 0, n * sizeof *b);
            darc_lanes_add(b, number, weak->phi[group->order], n);
            for (int i = 0; i < var->paths; i++)
                if (var->path[i].channel == channel)
                    scatter(row + weak->left, b, n, &var->path[i].pre);
        }
    }
    darc_free(b);
}

static void accumulate(darc_weak_work *work, const double *x, int q)
{
    const darc_weak *weak = work->weak;
    size_t places = darc_weak_places(weak, work->functions);
    for (int d = 0; d < weak->shapes; d++) {
        const double *phi = weak->phi[d % weak->orders];
        double *sum = work->acc[d];
        memset(sum, 0, (size_t)work->samples * sizeof *sum);
        sum = weak->stamps == NULL ? sum + weak->margin : work->place;
        memset(sum, 0, places * sizeof *sum);
        for (int k = 0; k < work->functions; k++)
            darc_lanes_add(sum + k * weak->step, x[k * weak->equations + q],
                           phi, (size_t)weak->support + 1);
        if (weak->stamps != NULL)
            darc_weak_stamps_spread(work->acc[d], work, d / weak->orders, sum,
                                    (darc_segment){0, places});
    }
}

/* Set b to sum_d s_d acc_d; return whether there is any. */
static bool gather_accumulators(darc_weak_work *work, double *b,
                                double *const *s)
{
    bool any = false;
    memset(b, 0, (size_t)work->samples * sizeof *b);
    for (int d = 0; d < work->weak->shapes; d++) {
        if (s[d] == NULL)
            continue;
        any = true;
        for (int t = 0; t < work->samples; t++)
            b[t] += s[d][t] * work->acc[d][t];
    }
    return any;
}

/* Inside the margin of a piece a path may look beyond its segment, where the
 * columns of partials still are: only what test functions see counts. */
static void adjoint_of(darc_weak_work *work, int q)
{
    const darc_weak *weak = work->weak;
    size_t m = (size_t)weak->margin, n = (size_t)work->samples;
    size_t begin = weak->piece[work->piece].begin;
    darc_segment part = {begin + m, begin + n - m};
    double *b = work->scratch, *between = work->scratch + n;
    for (int v = 0; v < weak->vars; v++) {
        const darc_weak_var *var = weak->var + v;
        if (var->paths == 0 ||
            !gather_accumulators(work, b,
                                 work->s + (q * weak->vars + v) * weak->shapes))
            continue;
        for (int i = 0; i < var->paths; i++)
            send_back(work->z[var->path[i].channel] + weak->left + m, b + m,
                      part, var->path + i, weak->table, between);
    }
    for (int p = 0; p < weak->pairs; p++)
        if (gather_accumulators(
                work, b, work->s2 + (q * weak->pairs + p) * weak->shapes))
            darc_lanes_add(work->z[weak->channels + p] + weak->left, 1, b, n);
}

void darc_weak_adjoint(darc_weak_work *work, const double *x)
{
    const darc_weak *weak = work->weak;
    size_t n = darc_weak_field(work);
    for (int c = 0; c < darc_weak_channels(weak); c++)
        memset(work->z[c], 0, n * sizeof(double));
    for (int q = 0; q < weak->equations; q++) {
        accumulate(work, x, q);
        adjoint_of(work, q);
    }
}

/* out += in through the filter, n values. */
static void collect(double *out, const double *in, size_t n,
                    const darc_weak_filter *f)
{
    size_t count = (size_t)f->count;
    const double *from = in + f->first;
    double sum = f->flat ? darc_lanes_sum(from, count - 1) : 0;
    for (size_t t = 0; t < n && f->flat; t++) {
        sum += from[t + count - 1];
        out[t] += f->tap[0] * sum;
        sum -= from[t];
    }
    for (size_t i = 0; i < count && !f->flat; i++)
        darc_lanes_add(out, f->tap[i], from + i, n);
}

/* Set f, samples margin .. samples - margin - 1 of the piece, to the noise of
 * variable v under the fields z. */
static void variable_noise(darc_weak_work *work, double *f, int v)
{
    const darc_weak *weak = work->weak;
    const darc_weak_var *var = weak->var + v;
    size_t m = (size_t)weak->margin, n = (size_t)work->samples - 2 * m;
    double *between = work->scratch + work->capacity;
    memset(f, 0, (size_t)work->samples * sizeof *f);
    for (int i = 0; i < var->paths; i++) {
        const darc_weak_path *p = var->path + i;
        const double *z = work->z[p->channel] + weak->left + m;
        if (p->partial == NULL) {
            collect(f + m, z, n, &p->pre);
            continue;
        }
        size_t wide = n + (size_t)p->pre.count - 1;
        size_t begin = weak->piece[work->piece].begin + m;
        memset(between, 0, wide * sizeof *between);
        collect(between, z + p->pre.first, wide, &p->post);
        multiply_column(between, p->partial, (ptrdiff_t)begin + p->pre.first,
                        wide, weak->table);
        collect(f + m, between - p->pre.first, n, &p->pre);
    }
}

void darc_weak_forward(darc_weak_work *work, double *out)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)work->samples;
    double *noise = work->scratch;
    double *f = work->scratch +
                2 * (work->capacity + (size_t)(weak->left + weak->right));
    memset(out, 0, (size_t)work->rows * (size_t)weak->coeffs * sizeof *out);
    for (int v = 0; v < weak->vars; v++) {
        if (weak->var[v].paths == 0)
            continue;
        variable_noise(work, noise, v);
        for (int g = 0; g < weak->groups; g++) {
            const darc_weak_group *group = weak->group + g;
            const double *by = work->by[g * weak->vars + v];
            double number = work->number[g * weak->vars + v];
            if (!group->noisy[v])
                continue;
            for (size_t t = 0; t < n; t++)
                f[t] = noise[t] * (by != NULL ? by[t] : number);
            if (work->sided)
                darc_weak_steps_noise(work, group, f);
            darc_weak_project(work, darc_weak_moments_of(work, out, group),
                              darc_weak_shape(weak, group, group->order), f);
        }
    }
}

/* The rows of A for the last few test functions, in a ring: row k*equations +
 * q at place (k % functions)*equations + q. */
typedef struct {
    int width, functions;
    int from, reach; /* values that are not 0, of a row */
    double *row;
} ring;

static double *row_of(const darc_weak_work *work, const ring *r, int k, int q)
{
    int place = (k % r->functions) * work->weak->equations + q;
    return r->row + (size_t)place * (size_t)r->width;
}

/* Add the products of row (k, q) with itself and the rows before it. */
static void add_products(darc_weak_work *work, const ring *r, int k, int q)
{
    int n = work->weak->equations, row = k * n + q;
    const double *a = row_of(work, r, k, q) + r->from;
    for (int j = 0; j < r->functions && j <= k; j++) {
        int by = window_of(work, k).first - window_of(work, k - j).first;
        for (int p = 0; p < n && (j > 0 || p <= q) && by < r->reach; p++) {
            int other = (k - j) * n + p;
            if (row - other > work->band)
                continue;
            const double *b = row_of(work, r, k - j, p) + r->from + by;
            work->ab[(size_t)other * (size_t)(work->band + 1) +
                     (size_t)(row - other)] +=
                darc_lanes_dot(a, b, (size_t)(r->reach - by));
        }
    }
}

static void add_channel(darc_weak_work *work, int channel)
{
    const darc_weak *weak = work->weak;
    darc_weak_reach own = {0, 0};
    if (channel < weak->channels)
        own = weak->reach[channel];
    ring r = {.from = weak->left - own.left,
              .reach = weak->wide + own.left + own.right,
              .width = weak->wide + weak->left + weak->right,
              .functions = (work->band + 1) / weak->equations + 1};
    r.row = darc_calloc((size_t)(r.width * r.functions * weak->equations),
                        sizeof *r.row);
    for (int k = 0; k < work->functions; k++)
        for (int q = 0; q < weak->equations; q++) {
            darc_weak_row(work, channel, k, q, row_of(work, &r, k, q));
            add_products(work, &r, k, q);
        }
    darc_free(r.row);
}

void darc_weak_covariance(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)(work->band + 1) * (size_t)work->rows;
    if (work->ab == NULL) {
        size_t most = (size_t)darc_weak_most_functions(weak);
        work->ab = darc_calloc((size_t)(work->band + 1) * most *
                                   (size_t)weak->equations,
                               sizeof *work->ab);
    }
    memset(work->ab, 0, n * sizeof *work->ab);
    for (int c = 0; c < darc_weak_channels(weak); c++)
        add_channel(work, c);
}
