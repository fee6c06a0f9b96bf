#include "derive/differ.h"

#include "base/limits.h"
#include "base/mem.h"
#include "stats/lanes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Read a number of at most five digits; return what follows, or NULL. */
static const char *read_number(const char *s, int *number)
{
    size_t digits = strspn(s, "0123456789");
    *number = digits > 0 && digits <= 5 ? atoi(s) : 0;
    return digits > 0 && digits <= 5 ? s + digits : NULL;
}

static darc_status parse_fit(darc_diff_spec *spec, const char *text,
                             darc_err *err)
{
    int window, degree;
    const char *s = read_number(text + 3, &window);
    s = s == NULL || *s != ',' ? NULL : read_number(s + 1, &degree);
    if (s == NULL || *s != '\0')
        return darc_fail(err, DARC_DOMAIN,
                         "'%s' does not read sg:WINDOW,DEGREE", text);
    if (degree < 1 || degree > DARC_MAX_SG_DEGREE)
        return darc_fail(err, DARC_DOMAIN,
                         "'%s': the degree lies outside 1 .. %d", text,
                         DARC_MAX_SG_DEGREE);
    if (window % 2 == 0 || window <= degree || window > DARC_MAX_WINDOW)
        return darc_fail(err, DARC_DOMAIN,
                         "'%s': the window is not an odd number in %d .. %d",
                         text, degree + 1, DARC_MAX_WINDOW);
    *spec = (darc_diff_spec){
        .kind = DARC_DIFF_SG, .window = window, .degree = degree};
    return DARC_OK;
}

darc_status darc_diff_spec_parse(darc_diff_spec *spec, const char *text,
                                 darc_err *err)
{
    if (strncmp(text, "sg:", 3) == 0)
        return parse_fit(spec, text, err);
    char order = strncmp(text, "central", 7) == 0 ? text[7] : '\0';
    if ((order != '2' && order != '4' && order != '6') || text[8] != '\0')
        return darc_fail(err, DARC_DOMAIN,
                         "'%s' is none of central2, central4, central6, "
                         "sg:WINDOW,DEGREE",
                         text);
    *spec = (darc_diff_spec){.kind = DARC_DIFF_CENTRAL, .order = order - '0'};
    return DARC_OK;
}

darc_diff_spec darc_diff_spec_finer(const darc_diff_spec *spec)
{
    darc_diff_spec finer = *spec;
    if (spec->kind == DARC_DIFF_CENTRAL) {
        finer.order += 2;
        return finer;
    }
    finer.degree += 2;
    if (finer.window < finer.degree + 2)
        finer.window = finer.degree + 1 + finer.degree % 2;
    return finer;
}

/* One step of [For88]: from the weights on x[0 .. i-1] to those on
 * x[0 .. i]; *c1 is the product of x[i-1] - x[j], j < i-1. */
static void fornberg_step(long double *w, int orders, darc_fdpoints at, int i,
                          long double *c1)
{
    const long double *x = at.x;
    int top = i < orders ? i : orders, n = at.n;
    long double c2 = 1, c4 = x[i - 1] - at.z, c5 = x[i] - at.z;
    for (int j = 0; j < i; j++) {
        long double c3 = x[i] - x[j];
        c2 *= c3;
        if (j == i - 1) {
            for (int k = top; k > 0; k--)
                w[k * n + i] =
                    *c1 * (k * w[(k - 1) * n + i - 1] - c4 * w[k * n + i - 1]) /
                    c2;
            w[i] = -*c1 * c4 * w[i - 1] / c2;
        }
        for (int k = top; k > 0; k--)
            w[k * n + j] = (c5 * w[k * n + j] - k * w[(k - 1) * n + j]) / c3;
        w[j] = c5 * w[j] / c3;
    }
    *c1 = c2;
}

void darc_fdweights_long(long double *w, int orders, darc_fdpoints at)
{
    assert(orders >= 0 && orders < at.n);
    DARC_FILL(w, (orders + 1) * at.n, 0);
    w[0] = 1;
    long double c1 = 1;
    for (int i = 1; i < at.n; i++)
        fornberg_step(w, orders, at, i, &c1);
}

static long double dot(const long double *a, const long double *b, int n)
{
    long double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

void darc_fdweights_fit(long double *w, int orders, int degree,
                        darc_fdpoints at, long double *work)
{
    int n = at.n;
    assert(orders <= degree && degree < n && degree <= DARC_MAX_SG_DEGREE);
    long double *now = work, *before = work + n, *xp = work + 2 * n;
    /* derivatives 0 .. orders of p_j and p_(j-1) at z */
    long double jet[DARC_MAX_SG_DEGREE + 1] = {1};
    long double jet_before[DARC_MAX_SG_DEGREE + 1] = {0};
    long double norm_before = 1;
    DARC_FILL(w, (orders + 1) * n, 0);
    for (int i = 0; i < n; i++) {
        now[i] = 1;
        before[i] = 0;
    }
    for (int j = 0; j <= degree; j++) {
        long double norm = dot(now, now, n);
        for (int k = 0; k <= orders; k++)
            for (int i = 0; i < n; i++)
                w[k * n + i] += jet[k] / norm * now[i];
        for (int i = 0; i < n; i++)
            xp[i] = at.x[i] * now[i];
        long double a = dot(xp, now, n) / norm;
        long double b = j == 0 ? 0 : norm / norm_before;
        for (int i = 0; i < n; i++) {
            long double next = xp[i] - a * now[i] - b * before[i];
            before[i] = now[i];
            now[i] = next;
        }
        for (int k = orders; k >= 0; k--) { /* (z - a) p_j^(k) + k p_j^(k-1) */
            long double next = (at.z - a) * jet[k] - b * jet_before[k];
            next += k > 0 ? k * jet[k - 1] : 0;
            jet_before[k] = jet[k];
            jet[k] = next;
        }
        norm_before = norm;
    }
}

int darc_diff_half(const darc_diff_spec *spec, int k)
{
    if (k == 0)
        return 0;
    return spec->kind == DARC_DIFF_CENTRAL ? (k + 1) / 2 - 1 + spec->order / 2
                                           : spec->window / 2;
}

int darc_differ_half(const darc_differ *differ, int k)
{
    assert(k >= 0 && k <= differ->orders);
    return darc_diff_half(&differ->spec, k);
}

/* Set w to the weights of derivative k for the points x[0 .. 2 half], z = 0,
 * x in units of h. */
static void formula(double *w, const darc_diff_spec *spec, int k,
                    const long double *x, double h)
{
    int n = 2 * darc_diff_half(spec, k) + 1;
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
double *darc_diff_weights(const darc_diff_spec *spec, int k, double dt)
{
    int half = darc_diff_half(spec, k);
    size_t n = 2 * (size_t)half + 1;
    double *w = darc_calloc(n, sizeof *w);
    long double *x = darc_calloc(n, sizeof *x);
    for (size_t j = 0; j < n; j++)
        x[j] = (long double)j - half;
    formula(w, spec, k, x, dt);
    for (int j = 0; j < half; j++)
        w[j] = k % 2 == 0 ? w[2 * half - j] : -w[2 * half - j];
    w[half] = k % 2 == 0 ? w[half] : 0;
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
            d->weight[k] = darc_diff_weights(spec, k, table->dt);
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
    DARC_FREE(differ->weight, differ);
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

void darc_differ_eval(const darc_differ *differ, int k, const double *y,
                      size_t i, size_t n, double *out)
{
    int half = darc_differ_half(differ, k);
    assert(i >= (size_t)half);
    if (k == 0) {
        memcpy(out, y + i, n * sizeof *out);
        return;
    }
    if (differ->weight != NULL) {
        darc_stencil_apply(out, differ->weight[k] + half, half, k % 2 == 1,
                           y + i, n);
        return;
    }
    double *w = darc_calloc(2 * (size_t)half + 1, sizeof *w);
    for (size_t t = 0; t < n; t++) {
        darc_differ_weights(differ, k, i + t, w);
        out[t] = 0;
        for (int j = 0; j <= 2 * half; j++)
            out[t] += w[j] * (y + i + t)[j - half];
    }
    darc_free(w);
}

/* Set value (and gain) where the formula fits into its segment, else to NAN. */
static void derive_all(const darc_differ *d, int k, int signal, double *value,
                       double *gain)
{
    const darc_table *table = d->table;
    const double *y = table->signal[signal].value;
    size_t half = (size_t)darc_differ_half(d, k);
    double *w = darc_calloc(2 * half + 1, sizeof *w);
    for (size_t i = 0; i < table->samples; i++) {
        value[i] = NAN;
        if (gain != NULL)
            gain[i] = NAN;
    }
    for (int s = 0; s < table->segments; s++) {
        const darc_segment *at = table->segment + s;
        size_t first = at->begin + half, end = at->end - half;
        if (at->end - at->begin <= 2 * half)
            continue;
        darc_differ_eval(d, k, y, first, end - first, value + first);
        for (size_t i = first; i < end && gain != NULL; i++) {
            if (i > first && d->weight != NULL) {
                gain[i] = gain[first];
                continue;
            }
            double square = 0;
            darc_differ_weights(d, k, i, w);
            for (size_t j = 0; j <= 2 * half; j++)
                square += w[j] * w[j];
            gain[i] = sqrt(square);
        }
    }
    darc_free(w);
}

darc_status darc_differ_signal(darc_differentiated out, const darc_table *table,
                               int signal, int k, const darc_diff_spec *spec,
                               darc_err *err)
{
    assert(signal >= 0 && signal < table->signals);
    darc_status status = DARC_OK;
    darc_differ *d = NULL, *finer = NULL;
    DARC_NEED(darc_differ_new(&d, spec, k, table, err));
    assert(d != NULL);
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
    DARC_EACH(darc_differ_free, finer, d);
    return status;
}
