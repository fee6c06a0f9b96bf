#include "derive/differ_inside.h"

#include "base/mem.h"
#include "derive/fdweights.h"
#include "stats/stencil.h"

#include <assert.h>
#include <math.h>

static int half_width(const darc_diff_spec *spec, int k)
{
    if (k == 0)
        return 0;
    return spec->kind == DARC_DIFF_CENTRAL ? (k + 1) / 2 - 1 + spec->order / 2
                                           : spec->window / 2;
}

int darc_differ_half(const darc_differ *differ, int k)
{
    assert(k >= 0 && k <= differ->orders);
    return half_width(&differ->spec, k);
}

/* Set w to the weights of derivative k for the points x[0 .. 2 half], z = 0,
 * x in units of h. */
static void formula(double *w, const darc_diff_spec *spec, int k,
                    const long double *x, double h)
{
    int n = 2 * half_width(spec, k) + 1;
    size_t columns = (size_t)n, rows = (size_t)k + 1;
    long double *lw = darc_calloc((rows + 3) * columns, sizeof *lw);
    darc_fdpoints at = {x, n, 0};
    if (spec->kind == DARC_DIFF_CENTRAL)
        darc_fdweights_long(lw, k, at);
    else
        darc_fdweights_fit(lw, k, spec->degree, at, lw + rows * columns);
    long double scale = powl((long double)h, k);
    for (int j = 0; j < n; j++)
        w[j] = (double)(lw[k * n + j] / scale);
    darc_free(lw);
}

/* On a uniform grid weights are even or odd; make them exactly so. */
static void make_symmetric(double *w, int half, int k)
{
    for (int j = 0; j < half; j++)
        w[j] = k % 2 == 0 ? w[2 * half - j] : -w[2 * half - j];
    if (k % 2 == 1)
        w[half] = 0;
}

static double *uniform_formula(const darc_diff_spec *spec, int k, double dt)
{
    int half = half_width(spec, k);
    size_t n = 2 * (size_t)half + 1;
    double *w = darc_calloc(n, sizeof *w);
    long double *x = darc_calloc(n, sizeof *x);
    for (size_t j = 0; j < n; j++)
        x[j] = (long double)j - half;
    formula(w, spec, k, x, dt);
    make_symmetric(w, half, k);
    darc_free(x);
    return w;
}

darc_status darc_differ_new(darc_differ **differ, const darc_diff_spec *spec,
                            int orders, const darc_table *table, darc_err *err)
{
    assert(orders >= 0);
    if (spec->kind == DARC_DIFF_SG && spec->degree < orders)
        return darc_fail(err, DARC_DOMAIN,
                         "sg:%d,%d: a polynomial of degree %d has no "
                         "derivative of order %d, which the relation needs",
                         spec->window, spec->degree, spec->degree, orders);
    darc_differ *d = darc_calloc(1, sizeof *d);
    d->spec = *spec;
    d->orders = orders;
    d->table = table;
    if (table->dt > 0) {
        d->weight = darc_calloc((size_t)orders + 1, sizeof *d->weight);
        for (int k = 1; k <= orders; k++)
            d->weight[k] = uniform_formula(spec, k, table->dt);
    }
    *differ = d;
    return DARC_OK;
}

void darc_differ_free(darc_differ *differ)
{
    if (differ == NULL)
        return;
    for (int k = 0; k <= differ->orders && differ->weight != NULL; k++)
        darc_free(differ->weight[k]);
    darc_free(differ->weight);
    darc_free(differ);
}

void darc_differ_weights(const darc_differ *differ, int k, size_t i, double *w)
{
    int half = darc_differ_half(differ, k);
    if (k == 0) {
        w[0] = 1;
        return;
    }
    if (differ->weight != NULL) {
        for (int j = 0; j <= 2 * half; j++)
            w[j] = differ->weight[k][j];
        return;
    }
    const darc_table *table = differ->table;
    size_t first = i - (size_t)half, n = 2 * (size_t)half + 1;
    double h = (table->time[first + n - 1] - table->time[first]) / (2.0 * half);
    long double *x = darc_calloc(n, sizeof *x);
    for (size_t j = 0; j < n; j++)
        x[j] = ((long double)table->time[first + j] - table->time[i]) / h;
    formula(w, &differ->spec, k, x, h);
    darc_free(x);
}

static void eval_nonuniform(const darc_differ *differ, int k, const double *y,
                            size_t i, size_t n, double *out)
{
    size_t half = (size_t)darc_differ_half(differ, k);
    double *w = darc_calloc(2 * half + 1, sizeof *w);
    for (size_t t = 0; t < n; t++) {
        darc_differ_weights(differ, k, i + t, w);
        double sum = 0;
        for (size_t j = 0; j <= 2 * half; j++)
            sum += w[j] * y[i + t + j - half];
        out[t] = sum;
    }
    darc_free(w);
}

void darc_differ_eval(const darc_differ *differ, int k, const double *y,
                      size_t i, size_t n, double *out)
{
    int half = darc_differ_half(differ, k);
    assert(i >= (size_t)half);
    if (k == 0)
        for (size_t t = 0; t < n; t++)
            out[t] = y[i + t];
    else if (differ->weight != NULL)
        darc_stencil_apply(out, differ->weight[k] + half, half, k % 2 == 1,
                           y + i, n);
    else
        eval_nonuniform(differ, k, y, i, n, out);
}

static void fill_nan(double *x, size_t n)
{
    for (size_t i = 0; x != NULL && i < n; i++)
        x[i] = NAN;
}

static double gain_at(const darc_differ *differ, int k, size_t i, double *w)
{
    darc_differ_weights(differ, k, i, w);
    double sum = 0;
    for (int j = 0; j <= 2 * darc_differ_half(differ, k); j++)
        sum += w[j] * w[j];
    return sqrt(sum);
}

/* Set value (and gain) where the formula fits into the segment. */
static void derive_segment(const darc_differ *d, int k, const double *y,
                           const darc_segment *s, double *value, double *gain)
{
    size_t half = (size_t)darc_differ_half(d, k);
    if (s->end - s->begin <= 2 * half)
        return;
    size_t first = s->begin + half, n = s->end - half - first;
    darc_differ_eval(d, k, y, first, n, value + first);
    if (gain == NULL)
        return;
    double *w = darc_calloc(2 * half + 1, sizeof *w);
    for (size_t i = first; i < first + n; i++)
        gain[i] =
            i > first && d->weight != NULL ? gain[first] : gain_at(d, k, i, w);
    darc_free(w);
}

static void derive_all(const darc_differ *d, int k, int signal, double *value,
                       double *gain)
{
    assert(d != NULL);
    const darc_table *table = d->table;
    fill_nan(value, table->samples);
    fill_nan(gain, table->samples);
    for (int s = 0; s < table->segments; s++)
        derive_segment(d, k, table->signal[signal].value, table->segment + s,
                       value, gain);
}

darc_status darc_differ_signal(darc_differentiated out, const darc_table *table,
                               int signal, int k, const darc_diff_spec *spec,
                               darc_err *err)
{
    assert(signal >= 0 && signal < table->signals);
    darc_differ *d = NULL, *finer = NULL;
    darc_status status = darc_differ_new(&d, spec, k, table, err);
    if (status != DARC_OK)
        return status;
    derive_all(d, k, signal, out.value, out.gain);
    if (out.truncation != NULL) {
        darc_diff_spec next = darc_diff_spec_finer(spec);
        status = darc_differ_new(&finer, &next, k, table, err);
        if (status == DARC_OK) {
            derive_all(finer, k, signal, out.truncation, NULL);
            for (size_t i = 0; i < table->samples; i++)
                out.truncation[i] = out.value[i] - out.truncation[i];
        }
    }
    darc_differ_free(finer);
    darc_differ_free(d);
    return status;
}
