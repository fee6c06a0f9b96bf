#include "decide/moments.h"

#include "base/mem.h"
#include "base/random.h"
#include "decide/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
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

/* Return the moments of weak, less w. */
static double *change(const darc_weak *weak, const darc_moments *m)
{
    double *x = darc_columns_all(weak);
    darc_lanes_add(x, -1, m->w, (size_t)m->n * m->rows);
    return x;
}

static darc_status make_system(darc_weak **weak, const maker *m, darc_err *err)
{
    const darc_total_struct *total = m->r->total;
    return darc_weak_new(weak, &total, 1, &m->data, err);
}

/* Build the weak form, with test functions so short that there are more than
 * twice as many as terms, if the usual ones are too few. */
static darc_status build_system(maker *m, darc_err *err)
{
    size_t wanted = 2 * (size_t)m->out->n + DARC_MOMENTS_SPARE;
    darc_status status = make_system(&m->weak, m, err);
    if (status != DARC_OK || m->weak->functions >= wanted)
        return status;
    size_t samples = 0;
    for (int i = 0; i < m->data.table->segments; i++)
        samples +=
            m->data.table->segment[i].end - m->data.table->segment[i].begin;
    size_t step = samples / (wanted + wanted / 8);
    m->data.support = (int)(step > 0 ? step : 1) * (m->weak->degree + 1);
    darc_weak_free(m->weak);
    return make_system(&m->weak, m, err);
}

/* Count what wider smoothers change as an error. */
static darc_status add_bias(maker *m, darc_err *err)
{
    darc_weak *wide;
    darc_moments *out = m->out;
    m->data.support = m->weak->support;
    m->data.stretch = WIDER;
    DARC_NEED(make_system(&wide, m, err));
    m->data.stretch = 0;
    m->data.margin = wide->margin;
    darc_weak_free(m->weak);
    darc_status status = make_system(&m->weak, m, err);
    if (status == DARC_OK && m->weak->functions > (size_t)out->n) {
        assert(wide->functions == m->weak->functions);
        out->rows = m->weak->functions;
        out->w = darc_columns_all(m->weak);
        double *x = change(wide, out);
        darc_columns_gram(out->t, 1, x, out->rows, out->n);
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
            darc_columns_gram(m->out->t, 1, x, m->out->rows, m->out->n);
            darc_free(x);
        }
        for (int d = 0; d < m->weak->orders; d++)
            for (int i = 1; i <= m->weak->support; i += 2)
                m->weak->phi[d][i] *= -1;
    }
}

/* Add what comes from a channel, whose noise is n, to signal y of `count`
 * samples. */
static void carry_noise(double *y, size_t count, const double *n,
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
    if (from->bound)
        return;
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
                carry_noise(m->noisy[u], count, n + reach,
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

static void draw_moments(maker *m, double *to, int number)
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
    darc_columns_gram(m->out->t, 1.0 / DARC_MOMENTS_DRAWS, x, m->out->rows,
                      m->out->n);
    memcpy(to, x, (size_t)m->out->n * m->out->rows * sizeof *to);
    darc_free(x);
}

static darc_status add_drawn_noise(maker *m, const darc_budget *budget,
                                   darc_err *err)
{
    darc_moments *out = m->out;
    size_t size = (size_t)out->n * out->rows;
    darc_status status = DARC_OK;
    for (int u = 0; u < m->r->unknowns; u++)
        if (m->r->signal[u].sources > 0)
            m->noisy[u] = darc_calloc(m->data.table->samples, sizeof(double));
    out->noise = darc_calloc(DARC_MOMENTS_DRAWS * size, sizeof *out->noise);
    for (; out->draws < DARC_MOMENTS_DRAWS && status == DARC_OK; out->draws++) {
        draw_moments(m, out->noise + (size_t)out->draws * size, out->draws);
        status = darc_budget_check(budget, err);
    }
    return status;
}

static darc_status make_moments(maker *m, const darc_budget *budget,
                                darc_err *err)
{
    darc_status status = build_system(m, err);
    if (status == DARC_OK && m->weak->functions > (size_t)m->out->n)
        status = add_bias(m, err);
    if (status != DARC_OK || m->out->rows == 0)
        return status;
    for (int p = 0; p < m->weak->pieces; p++)
        m->out->used += m->weak->piece[p].end - m->weak->piece[p].begin;
    add_folding(m);
    return add_drawn_noise(m, budget, err);
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
    darc_status status = make_moments(&m, x->budget, err);
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
    DARC_FREE(m->w, m->t, m->noise);
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

double darc_moments_dof(const darc_moments *m, const double *c)
{
    double *sum = darc_calloc(m->rows, sizeof *sum);
    double mean = 0, square = 0, n = m->draws;
    for (int d = 0; d < m->draws; d++) {
        const double *x = m->noise + (size_t)d * (size_t)m->n * m->rows;
        memset(sum, 0, m->rows * sizeof *sum);
        for (int j = 0; j < m->n; j++)
            darc_lanes_add(sum, c[j], x + (size_t)j * m->rows, m->rows);
        double e = darc_lanes_dot(sum, sum, m->rows);
        mean += e / n;
        square += e * e / n;
    }
    darc_free(sum);
    double variance = fmax(0, square - mean * mean) * n /
                      darc_stats_chi2_quantile(DARC_MOMENTS_RARE, n - 1);
    double dof = variance > 0 ? 2 * mean * mean / variance : HUGE_VAL;
    return fmin((double)m->rows, fmax(1, dof));
}

/* What a column is known to at best, and the share of errors that is taken
 * as independent: either makes T larger, and the values smaller. */
static const double EXACT = 1e-10, INDEPENDENT = 1e-12;

/* Set d to the sizes of the errors; 1 for a column without any. */
static void error_sizes(double *d, const double *w, size_t rows,
                        const double *t, int n)
{
    for (int j = 0; j < n; j++) {
        const double *x = w + (size_t)j * rows;
        double square = darc_lanes_dot(x, x, rows);
        d[j] = sqrt(fmax(0, t[j * n + j]) + EXACT * EXACT * square);
        d[j] = d[j] > 0 ? d[j] : 1;
    }
}

/* Set l to the lower Cholesky factor of T in units of d. */
static bool factorise(double *l, const double *t, const double *d, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            l[j * n + i] =
                i == j ? 1 + INDEPENDENT : t[i * n + j] / (d[i] * d[j]);
    return darc_dense_cholesky(l, n);
}

/* Set r (n x n, by columns) to R' of W = Q R in units of d. */
static bool triangle(double *r, const double *w, size_t rows, const double *d,
                     int n)
{
    size_t m = rows < (size_t)n ? (size_t)n : rows;
    double *a = darc_calloc(m * (size_t)n, sizeof *a);
    for (int j = 0; j < n; j++)
        for (size_t i = 0; i < rows; i++)
            a[(size_t)j * m + i] = w[(size_t)j * rows + i] / d[j];
    bool ok = darc_dense_triangle(a, (int)m, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++)
            r[i * n + j] = a[(size_t)j * m + (size_t)i];
    darc_free(a);
    return ok;
}

/* With y = L' c the ratio is |R L^-T y|^2 / |y|^2: the singular values of
 * L^-1 R', whose left vectors are the y. */
bool darc_pencil_values(double *value, double *c, const double *w, size_t rows,
                        const double *t, int n)
{
    ptrdiff_t size = n * n;
    double *d, *l, *r, *u, *v, *s;
    DARC_CARVE({&d, n}, {&l, size}, {&r, size}, {&u, size}, {&v, size},
               {&s, n});
    error_sizes(d, w, rows, t, n);
    bool ok = factorise(l, t, d, n) && triangle(r, w, rows, d, n) &&
              darc_dense_divide(l, 'N', r, n, n) &&
              darc_dense_singular(s, u, v, r, n);
    double *y = n > 0 ? u + (size_t)(n - 1) * (size_t)n : u;
    ok = ok && darc_dense_divide(l, 'T', y, n, 1);
    for (int j = 0; j < n && ok; j++) {
        value[j] = s[n - 1 - j] * s[n - 1 - j];
        c[j] = y[j] / d[j];
    }
    darc_free(d);
    return ok;
}

void darc_nullity_clear(darc_nullity *f)
{
    DARC_FREE(f->value, f->c);
}

/* c'Tc over the square of the leading term of direction c. */
static double error_share(const darc_nullity *f)
{
    const darc_moments *w = f->columns;
    double lead = 0, sum = darc_dense_quadratic(w->t, f->c, w->n);
    double *size = darc_calloc((size_t)w->n, sizeof *size);
    darc_moments_sizes(size, w);
    for (int i = 0; i < w->n; i++)
        lead = fmax(lead, fabs(f->c[i]) * size[i]);
    darc_free(size);
    return lead > 0 ? sum / (double)w->rows / (lead * lead) : HUGE_VAL;
}

/* Return the least r such that some c leaves no more than the share r of its
 * leading term, besides errors: |W c|^2 <= 2 limit c'Tc + 2 r^2 c'Gc, where G
 * holds the squares of the columns. */
static double least_defect(const darc_nullity *f)
{
    const darc_moments *w = f->columns;
    int n = w->n;
    double *a = darc_calloc((size_t)n * (size_t)n, sizeof *a);
    double *g = darc_calloc((size_t)n, sizeof *g), least = 0;
    darc_columns_gram(a, 1, w->w, w->rows, n);
    for (int i = 0; i < n; i++)
        g[i] = a[i * n + i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = a[i * n + j] - 2 * f->limit * w->t[i * n + j];
            a[i * n + j] = x / (2 * sqrt(g[i] * g[j]));
        }
    double *value = darc_calloc((size_t)n, sizeof *value);
    if (darc_dense_eigen(value, a, n, 'N'))
        least = sqrt(fmax(0, value[0]));
    DARC_FREE(value, g, a);
    return least;
}

darc_status darc_nullity_find(darc_nullity *f, const darc_moments *columns,
                              double alpha, darc_err *err)
{
    const darc_moments *w = columns;
    *f = (darc_nullity){.columns = columns};
    f->value = darc_calloc((size_t)w->n, sizeof *f->value);
    f->c = darc_calloc((size_t)w->n, sizeof *f->c);
    if (!darc_pencil_values(f->value, f->c, w->w, w->rows, w->t, w->n))
        return darc_fail(err, DARC_INTERNAL, "no singular values of %d columns",
                         w->n);
    double dof = darc_moments_dof(w, f->c), of_mean = dof * w->draws;
    f->dof = dof;
    f->limit = darc_stats_f_isf(alpha, dof, of_mean);
    f->p_value = darc_stats_f_sf(f->value[0], dof, of_mean);
    while (f->free < w->n && !(f->value[f->free] > f->limit))
        f->free++;
    double share = error_share(f);
    double found =
        f->limit + darc_stats_f_isf(1 - DARC_POWER, dof, of_mean) - 1;
    f->defect = sqrt(fmax(0, f->value[0] - 1) * share);
    f->detectable = sqrt(found * share);
    f->low = f->free == 0 ? least_defect(f) : 0;
    return DARC_OK;
}
