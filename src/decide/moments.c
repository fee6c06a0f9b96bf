#include "decide/moments.h"

#include "base/mem.h"
#include "base/random.h"
#include "decide/thresholds.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/stats.h"
#include "weak/piece.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Any symmetric smoother of degree below n has a bias that grows at least
 * with the square of its width: this doubles it. */
static const double WIDER = 1.4142135623730951;

typedef struct {
    darc_moments *out;
    const darc_regression *r;
    darc_weak_data data;
    darc_weak *weak; /* owned */
    double **noisy;  /* by unknown: signals with simulated noise, NULL where
                        there is none; owned */
} maker;

/* t += weight x' x. */
static void add_square(darc_moments *m, const double *x, double weight)
{
    for (int i = 0; i < m->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum =
                weight * darc_lanes_dot(x + (size_t)i * m->rows,
                                        x + (size_t)j * m->rows, m->rows);
            m->t[i * m->n + j] += sum;
            if (i != j)
                m->t[j * m->n + i] += sum;
        }
}

/* Return the moments of weak, less w. */
static double *change(const darc_weak *weak, const darc_moments *m)
{
    double *x = darc_columns_all(weak);
    darc_lanes_add(x, -1, m->w, (size_t)m->n * m->rows);
    return x;
}

static darc_status make(darc_weak **weak, const maker *m, darc_err *err)
{
    const darc_total_struct *total = m->r->total;
    return darc_weak_new(weak, &total, 1, &m->data, err);
}

/* Build the weak form, with test functions so short that there are more than
 * twice as many as terms, if the usual ones are too few. */
static darc_status build(maker *m, darc_err *err)
{
    size_t wanted = 2 * (size_t)m->out->n + DARC_MOMENTS_SPARE;
    darc_status status = make(&m->weak, m, err);
    if (status != DARC_OK || m->weak->functions >= wanted)
        return status;
    size_t samples = 0;
    for (int i = 0; i < m->data.table->segments; i++)
        samples +=
            m->data.table->segment[i].end - m->data.table->segment[i].begin;
    size_t step = samples / (wanted + wanted / 8);
    m->data.support = (int)(step > 0 ? step : 1) * (m->weak->degree + 1);
    darc_weak_free(m->weak);
    return make(&m->weak, m, err);
}

/* Count what wider smoothers change as an error. */
static darc_status add_bias(maker *m, darc_err *err)
{
    darc_weak *wide;
    darc_moments *out = m->out;
    m->data.support = m->weak->support;
    m->data.stretch = WIDER;
    DARC_NEED(make(&wide, m, err));
    m->data.stretch = 0;
    m->data.margin = wide->margin;
    darc_weak_free(m->weak);
    darc_status status = make(&m->weak, m, err);
    if (status == DARC_OK && m->weak->functions > (size_t)out->n) {
        assert(wide->functions == m->weak->functions);
        out->rows = m->weak->functions;
        out->w = darc_columns_all(m->weak);
        double *x = change(wide, out);
        add_square(out, x, 1);
        darc_free(x);
    }
    darc_weak_free(wide);
    return status;
}

/* Count moments against test functions of alternating sign as an error. */
static void add_folding(maker *m)
{
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            double *x = darc_columns_all(m->weak);
            add_square(m->out, x, 1);
            darc_free(x);
        }
        for (int d = 0; d < m->weak->orders; d++)
            for (int i = 1; i <= m->weak->support; i += 2)
                m->weak->phi[d][i] *= -1;
    }
}

/* Add what comes from a channel, whose noise is n, to signal y of `count`
 * samples. */
static void carry(double *y, size_t count, const double *n,
                  const darc_weak_source *s)
{
    n += s->shift;
    if (s->partial == NULL)
        darc_lanes_add(y, s->factor, n, count);
    for (size_t t = 0; s->partial != NULL && t < count; t++)
        y[t] += s->factor * s->partial[t] * n[t];
}

/* Add noise of channel c to the signals. */
static void add_channel(maker *m, int c, int draw)
{
    const darc_weak_channel *from = m->r->channel + c;
    size_t before = (size_t)(from->taps - 1), count = m->data.table->samples,
           reach = 0;
    for (int u = 0; u < m->r->unknowns; u++)
        for (int i = 0; i < m->r->signal[u].sources; i++) {
            size_t shift = (size_t)abs(m->r->signal[u].source[i].shift);
            reach = shift > reach ? shift : reach;
        }
    size_t room = count + 2 * reach;
    double *z, *n;
    DARC_CARVE({&z, (ptrdiff_t)(room + before)}, {&n, (ptrdiff_t)room});
    darc_random random;
    darc_random_init(&random, (uint64_t)draw + 1, (uint64_t)c);
    for (size_t i = 0; i < room + before; i++)
        z[i] = darc_random_normal(&random);
    for (size_t j = 0; j <= before; j++)
        darc_lanes_add(n, from->kernel[j], z + before - j, room);
    for (int u = 0; u < m->r->unknowns; u++)
        for (int i = 0; i < m->r->signal[u].sources; i++)
            if (m->r->signal[u].source[i].channel == c)
                carry(m->noisy[u], count, n + reach,
                      m->r->signal[u].source + i);
    darc_free(z);
}

static void point_at(maker *m, bool noisy)
{
    for (int v = 0; v < m->weak->vars; v++) {
        int u = m->weak->var[v].deriv.unknown;
        if (m->noisy[u] != NULL)
            m->weak->var[v].value = noisy ? m->noisy[u] : m->r->signal[u].value;
    }
}

static void draw(maker *m, double *to, int number)
{
    size_t count = m->data.table->samples;
    for (int u = 0; u < m->r->unknowns; u++)
        if (m->noisy[u] != NULL)
            memcpy(m->noisy[u], m->r->signal[u].value, count * sizeof *to);
    for (int c = 0; c < m->r->channels; c++)
        add_channel(m, c, number);
    point_at(m, true);
    double *x = change(m->weak, m->out);
    point_at(m, false);
    add_square(m->out, x, 1.0 / DARC_MOMENTS_DRAWS);
    memcpy(to, x, (size_t)m->out->n * m->out->rows * sizeof *to);
    darc_free(x);
}

static darc_status add_noise(maker *m, const darc_budget *budget, darc_err *err)
{
    darc_moments *out = m->out;
    size_t size = (size_t)out->n * out->rows;
    darc_status status = DARC_OK;
    for (int u = 0; u < m->r->unknowns; u++)
        if (m->r->signal[u].sources > 0)
            m->noisy[u] = darc_calloc(m->data.table->samples, sizeof(double));
    out->noise = darc_calloc(DARC_MOMENTS_DRAWS * size, sizeof *out->noise);
    for (; out->draws < DARC_MOMENTS_DRAWS && status == DARC_OK; out->draws++) {
        draw(m, out->noise + (size_t)out->draws * size, out->draws);
        status = darc_budget_check(budget, err);
    }
    return status;
}

static darc_status run(maker *m, const darc_budget *budget, darc_err *err)
{
    darc_status status = build(m, err);
    if (status == DARC_OK && m->weak->functions > (size_t)m->out->n)
        status = add_bias(m, err);
    if (status != DARC_OK || m->out->rows == 0)
        return status;
    for (int p = 0; p < m->weak->pieces; p++)
        m->out->used += m->weak->piece[p].end - m->weak->piece[p].begin;
    add_folding(m);
    return add_noise(m, budget, err);
}

darc_status darc_moments_init(darc_moments *out, const darc_regression *r,
                              const darc_question *x, const darc_table *table,
                              darc_err *err)
{
    assert(r->equations == 1);
    maker m = {.out = out,
               .r = r,
               .data = {.table = table,
                        .signal = r->signal,
                        .support = x->by->support,
                        .threads = x->by->threads,
                        .moments = true}};
    *out = (darc_moments){.n = r->total->coeffs};
    out->t = darc_calloc((size_t)out->n * (size_t)out->n, sizeof *out->t);
    m.noisy = darc_calloc((size_t)r->unknowns, sizeof *m.noisy);
    darc_status status = run(&m, x->budget, err);
    for (int u = 0; u < r->unknowns; u++)
        darc_free(m.noisy[u]);
    darc_free(m.noisy);
    darc_weak_free(m.weak);
    if (status != DARC_OK)
        darc_moments_clear(out);
    return status;
}

void darc_moments_clear(darc_moments *m)
{
    darc_free(m->w);
    darc_free(m->t);
    darc_free(m->noise);
    *m = (darc_moments){0};
}

void darc_moments_sizes(double *size, const darc_moments *m)
{
    for (int j = 0; j < m->n; j++) {
        const double *w = m->w + (size_t)j * m->rows;
        double square = darc_lanes_dot(w, w, m->rows) - m->t[j * m->n + j];
        size[j] = sqrt(fmax(0, square) / (double)m->rows);
    }
}

static double energy(const double *x, const double *c, double *sum,
                     const darc_moments *m)
{
    memset(sum, 0, m->rows * sizeof *sum);
    for (int j = 0; j < m->n; j++)
        darc_lanes_add(sum, c[j], x + (size_t)j * m->rows, m->rows);
    return darc_lanes_dot(sum, sum, m->rows);
}

double darc_moments_dof(const darc_moments *m, const double *c)
{
    double *sum = darc_calloc(m->rows, sizeof *sum);
    double mean = 0, square = 0, n = m->draws;
    for (int d = 0; d < m->draws; d++) {
        const double *x = m->noise + (size_t)d * (size_t)m->n * m->rows;
        double e = energy(x, c, sum, m);
        mean += e / n;
        square += e * e / n;
    }
    darc_free(sum);
    double variance = fmax(0, square - mean * mean) * n /
                      darc_stats_chi2_quantile(DARC_MOMENTS_RARE, n - 1);
    double dof = variance > 0 ? 2 * mean * mean / variance : HUGE_VAL;
    return fmin((double)m->rows, fmax(1, dof));
}
