#include "fit/weakcolumns.h"

#include "base/mem.h"
#include "base/random.h"
#include "stats/lanes.h"
#include "stats/stats.h"
#include "weak/weak_inside.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SPARE = 16, /* moments beyond twice the terms */
    DRAWS = 16
};

/* Any symmetric smoother of degree below n has a bias that grows at least
 * with the square of its width: this doubles it. */
static const double WIDER = 1.4142135623730951;

/* The share of wrong lower bounds of degrees of freedom. */
static const double RARE = 0.05;

typedef struct {
    darc_weakcolumns *out;
    const darc_weakfit *f;
    const darc_table *table;
    darc_weak_signal *signal; /* by unknown; owned */
    int number;
    darc_weak *weak; /* owned */
    double **noisy;  /* by unknown: signals with simulated noise,
                        NULL where there is none; owned */
    const darc_budget *budget;
} maker;

/* ---- moments ---------------------------------------------------------------
 */

static void load(double *w, const darc_weak *weak, size_t rows)
{
    darc_weak_work *work = darc_weak_work_new(weak);
    size_t first = 0;
    for (int p = 0; p < weak->pieces; p++) {
        darc_weak_load(work, p);
        size_t k = (size_t)work->functions;
        for (int j = 0; j < weak->coeffs; j++)
            memcpy(w + (size_t)j * rows + first, work->w + (size_t)j * k,
                   k * sizeof *w);
        first += k;
    }
    darc_weak_work_free(work);
}

/* t += x' x. */
static void add_square(darc_weakcolumns *c, const double *x, double weight)
{
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum =
                weight * darc_lanes_dot(x + (size_t)i * c->rows,
                                        x + (size_t)j * c->rows, c->rows);
            c->t[i * c->n + j] += sum;
            if (i != j)
                c->t[j * c->n + i] += sum;
        }
}

static void subtract(double *x, const double *y, const darc_weakcolumns *c)
{
    darc_lanes_add(x, -1, y, (size_t)c->n * c->rows);
}

/* ---- the form ---------------------------------------------------------------
 */

static size_t samples_of(const darc_table *table)
{
    size_t n = 0;
    for (int i = 0; i < table->segments; i++)
        n += table->segment[i].end - table->segment[i].begin;
    return n;
}

static darc_status make(darc_weak **weak, const maker *m, darc_weak_data *data,
                        darc_err *err)
{
    data->table = m->table;
    data->signal = m->signal;
    data->moments = true;
    return darc_weak_new(weak, m->f->total, data, err);
}

/* Build the weak form, with test functions so short that there are more than
 * twice as many as terms, if the usual ones are too few. */
static darc_status build(maker *m, darc_weak_data *data, darc_err *err)
{
    size_t wanted = 2 * (size_t)m->out->n + SPARE;
    darc_status status = make(&m->weak, m, data, err);
    if (status != DARC_OK || m->weak->functions >= wanted)
        return status;
    size_t step = samples_of(m->table) / (wanted + wanted / 8);
    data->support = (int)(step > 3 ? step : 3) * (m->weak->degree + 1);
    darc_weak_free(m->weak);
    return make(&m->weak, m, data, err);
}

/* Count what wider smoothers change as an error. */
static darc_status add_bias(maker *m, darc_weak_data *data, darc_err *err)
{
    darc_weak *wide;
    darc_weakcolumns *c = m->out;
    data->support = m->weak->support;
    data->stretch = WIDER;
    darc_status status = make(&wide, m, data, err);
    if (status != DARC_OK)
        return status;
    data->stretch = 0;
    data->margin = wide->margin;
    darc_weak_free(m->weak);
    m->weak = NULL;
    status = make(&m->weak, m, data, err);
    if (status == DARC_OK && m->weak->functions > (size_t)c->n) {
        c->rows = m->weak->functions;
        size_t size = (size_t)c->n * c->rows;
        c->w = darc_calloc(size, sizeof *c->w);
        double *x = darc_calloc(size, sizeof *x);
        load(c->w, m->weak, c->rows);
        load(x, wide, c->rows);
        subtract(x, c->w, c);
        add_square(c, x, 1);
        darc_free(x);
    }
    darc_weak_free(wide);
    return status;
}

/* Count moments against test functions of alternating sign as an error. */
static void add_folding(maker *m)
{
    darc_weakcolumns *c = m->out;
    double *x = darc_calloc((size_t)c->n * c->rows, sizeof *x);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            load(x, m->weak, c->rows);
            add_square(c, x, 1);
        }
        for (int d = 0; d < m->weak->orders; d++)
            for (int i = 1; i <= m->weak->support; i += 2)
                m->weak->phi[d][i] *= -1;
    }
    darc_free(x);
}

/* ---- noise ------------------------------------------------------------------
 */

/* Set y to the signal x with noise of model n. */
static void add_noise(double *y, const double *x, size_t count,
                      const darc_noisemodel *n, darc_random *random)
{
    assert(x != NULL && n->kernel != NULL);
    size_t h = (size_t)n->half, room = count + 2 * h;
    double *z = darc_calloc(room, sizeof *z);
    for (size_t i = 0; i < room; i++)
        z[i] = darc_random_normal(random);
    memcpy(y, x, count * sizeof *y);
    for (size_t s = 0; s <= 2 * h; s++)
        darc_lanes_add(y, n->kernel[s], z + s, count);
    darc_free(z);
}

static void point_at(maker *m, bool noisy)
{
    for (int v = 0; v < m->weak->vars; v++) {
        int u = m->weak->var[v].deriv.unknown;
        if (m->noisy[u] != NULL)
            m->weak->var[v].value = noisy ? m->noisy[u] : m->signal[u].value;
    }
}

static darc_status draw(maker *m, darc_err *err)
{
    darc_weakcolumns *c = m->out;
    size_t size = (size_t)c->n * c->rows, count = m->table->samples;
    darc_status status = DARC_OK;
    for (int u = 0; u < m->f->unknowns; u++)
        if (m->signal[u].value != NULL && m->f->noise[u].kernel != NULL &&
            m->f->noise[u].sd > 0)
            m->noisy[u] = darc_calloc(count, sizeof **m->noisy);
    c->noise = darc_calloc(DRAWS * size, sizeof *c->noise);
    for (; c->draws < DRAWS && status == DARC_OK; c->draws++) {
        double *x = c->noise + (size_t)c->draws * size;
        for (int u = 0; u < m->f->unknowns; u++) {
            darc_random random;
            darc_random_init(&random, (uint64_t)c->draws + 1,
                             (uint64_t)(u + m->number * m->f->unknowns));
            if (m->noisy[u] != NULL)
                add_noise(m->noisy[u], m->signal[u].value, count,
                          m->f->noise + u, &random);
        }
        point_at(m, true);
        load(x, m->weak, c->rows);
        point_at(m, false);
        subtract(x, c->w, c);
        add_square(c, x, 1.0 / DRAWS);
        status = darc_budget_check(m->budget, err);
    }
    return status;
}

/* ---- all of it --------------------------------------------------------------
 */

static darc_status run(maker *m, const darc_weakcheck_options *o, darc_err *err)
{
    darc_weak_data data = {.support = o->support, .threads = o->threads};
    darc_status status = build(m, &data, err);
    if (status == DARC_OK && m->weak->functions > (size_t)m->out->n)
        status = add_bias(m, &data, err);
    if (status != DARC_OK || m->out->rows == 0)
        return status;
    for (int p = 0; p < m->weak->pieces; p++)
        m->out->used += m->weak->piece[p].end - m->weak->piece[p].begin;
    add_folding(m);
    return draw(m, err);
}

darc_status darc_weakcolumns_init(darc_weakcolumns *out,
                                  const darc_weaksource *from,
                                  const darc_weakcheck_options *o,
                                  const darc_budget *budget, darc_err *err)
{
    const darc_weakfit *f = from->f;
    size_t names = (size_t)f->unknowns;
    maker m = {.out = out,
               .f = f,
               .table = from->table,
               .number = from->number,
               .budget = budget};
    *out = (darc_weakcolumns){.n = f->model};
    out->t = darc_calloc((size_t)out->n * (size_t)out->n, sizeof *out->t);
    m.signal = darc_calloc(names, sizeof *m.signal);
    m.noisy = darc_calloc(names, sizeof *m.noisy);
    for (int u = 0; u < f->unknowns; u++)
        if (from->column[u] >= 0)
            m.signal[u] = (darc_weak_signal){
                .value = from->table->signal[from->column[u]].value,
                .noise = f->noise + u};
    darc_status status = run(&m, o, err);
    for (int u = 0; u < f->unknowns; u++)
        darc_free(m.noisy[u]);
    darc_free(m.noisy);
    darc_free(m.signal);
    darc_weak_free(m.weak);
    if (status != DARC_OK)
        darc_weakcolumns_clear(out);
    return status;
}

void darc_weakcolumns_clear(darc_weakcolumns *c)
{
    darc_free(c->w);
    darc_free(c->t);
    darc_free(c->noise);
    *c = (darc_weakcolumns){0};
}

void darc_weakcolumns_sizes(double *x, const darc_weakcolumns *c)
{
    for (int j = 0; j < c->n; j++) {
        const double *w = c->w + (size_t)j * c->rows;
        double square = darc_lanes_dot(w, w, c->rows) - c->t[j * c->n + j];
        x[j] = sqrt(fmax(0, square) / (double)c->rows);
    }
}

static double energy(const double *x, const double *direction, double *sum,
                     const darc_weakcolumns *c)
{
    memset(sum, 0, c->rows * sizeof *sum);
    for (int j = 0; j < c->n; j++)
        darc_lanes_add(sum, direction[j], x + (size_t)j * c->rows, c->rows);
    return darc_lanes_dot(sum, sum, c->rows);
}

double darc_weakcolumns_dof(const darc_weakcolumns *c, const double *direction)
{
    double *sum = darc_calloc(c->rows, sizeof *sum);
    double mean = 0, square = 0, n = c->draws;
    for (int d = 0; d < c->draws; d++) {
        const double *x = c->noise + (size_t)d * (size_t)c->n * c->rows;
        double e = energy(x, direction, sum, c);
        mean += e / n;
        square += e * e / n;
    }
    darc_free(sum);
    double variance = fmax(0, square - mean * mean) * n /
                      darc_stats_chi2_quantile(RARE, n - 1);
    double dof = variance > 0 ? 2 * mean * mean / variance : HUGE_VAL;
    return fmin((double)c->rows, fmax(1, dof));
}
