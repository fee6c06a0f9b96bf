#include "noise/psd.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "stats/fft.h"
#include "stats/lanes.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Stretches are added up in groups: what one thread does at a time. */
enum { GROUP = 8 };

static double window(int i, int n)
{
    double x = 2 * PI * (i + 0.5) / n;
    return 0.35875 - 0.48829 * cos(x) + 0.14128 * cos(2 * x) -
           0.01168 * cos(3 * x);
}

/* Set re to the differences of y, y[-1] included when there is one, without
 * their straight line of least squares.  Differences take the steepness out
 * of spectra, so that side lobes do not cover weak high frequencies. */
static void detrend(double *re, const double *v, bool first, int n,
                    const double *ramp)
{
    double *y = re;
    for (int i = n - 1; i >= 0; i--)
        y[i] = i > 0 || !first ? v[i] - v[i - 1] : v[1] - v[0];
    double mean = darc_lanes_sum(y, (size_t)n) / n;
    double slope = darc_lanes_dot(ramp, y, (size_t)n) /
                   ((double)n * ((double)n * n - 1) / 12);
    for (int i = 0; i < n; i++)
        re[i] = y[i] - mean - slope * ramp[i];
}

/* Sums over stretches. */
typedef struct {
    double *s;       /* as in darc_psd */
    double *cr, *ci; /* cross spectra of the pair (i, k) at (i*m + k)*bins */
} sums;

/* What all groups share. */
typedef struct {
    darc_psd *p;
    const darc_table *table;
    const int *signal;
    darc_fft_plan plan;
    double *window;
    double *ramp;  /* i less its mean */
    size_t *first; /* of segment i: stretches before it; segments + 1 */
    sums all;
} spectra;

/* One group: transforms of two stretches of all signals, and its sums. */
typedef struct {
    const spectra *of;
    double *re, *im; /* signal i of stretch h at (2*i + h)*n */
    sums part;
} work;

static sums new_sums(const darc_psd *p)
{
    size_t m = (size_t)p->signals, bins = (size_t)p->bins;
    return (sums){darc_calloc(m * bins, sizeof(double)),
                  darc_calloc(m * m * bins, sizeof(double)),
                  darc_calloc(m * m * bins, sizeof(double))};
}

static void clear_sums(sums *s)
{
    darc_free(s->s);
    darc_free(s->cr);
    darc_free(s->ci);
}

static void *open_work(void *user)
{
    const spectra *of = user;
    size_t n = 4 * (size_t)of->p->signals * (size_t)of->p->bins;
    work *w = darc_calloc(1, sizeof *w);
    *w = (work){of, darc_calloc(n, sizeof(double)),
                darc_calloc(n, sizeof(double)), new_sums(of->p)};
    return w;
}

static void close_work(void *state)
{
    work *w = state;
    darc_free(w->re);
    darc_free(w->im);
    clear_sums(&w->part);
    darc_free(w);
}

/* The spectra of two real series from that of a + ib. */
static void separate(double *are, double *aim, double *bre, double *bim, int n)
{
    for (int k = 0; k <= n / 2; k++) {
        int l = k == 0 ? 0 : n - k;
        double xr = are[k], xi = aim[k], yr = are[l], yi = aim[l];
        bre[k] = (xi + yi) / 2;
        bim[k] = (yr - xr) / 2;
        are[k] = (xr + yr) / 2;
        aim[k] = (xi - yi) / 2;
    }
}

/* Transform a stretch of one signal, and the next one if `two`. */
static void transform(work *w, int i, const double *y, bool first, bool two)
{
    int n = 2 * (w->of->p->bins - 1);
    double *re = w->re + (size_t)(2 * i) * (size_t)n;
    double *im = w->im + (size_t)(2 * i) * (size_t)n;
    detrend(re, y, first, n, w->of->ramp);
    if (two)
        detrend(im, y + n / 2, false, n, w->of->ramp);
    else
        memset(im, 0, (size_t)n * sizeof *im);
    for (int t = 0; t < n; t++) {
        re[t] *= w->of->window[t];
        im[t] *= w->of->window[t];
    }
    darc_fft_run(&w->of->plan, re, im);
    if (two)
        separate(re, im, re + n, im + n, n);
}

/* Add stretch h of the pair at hand. */
static void add_stretch(work *w, int h)
{
    int m = w->of->p->signals, bins = w->of->p->bins, n = 2 * (bins - 1);
    for (int i = 0; i < m; i++) {
        const double *re = w->re + (size_t)(2 * i + h) * (size_t)n;
        const double *im = w->im + (size_t)(2 * i + h) * (size_t)n;
        double *s = w->part.s + i * bins;
        for (int k = 0; k < bins; k++)
            s[k] += re[k] * re[k] + im[k] * im[k];
        for (int j = 0; j < i; j++) {
            const double *pr = w->re + (size_t)(2 * j + h) * (size_t)n;
            const double *pi = w->im + (size_t)(2 * j + h) * (size_t)n;
            double *cr = w->part.cr + (size_t)((i * m + j) * bins);
            double *ci = w->part.ci + (size_t)((i * m + j) * bins);
            for (int k = 0; k < bins; k++) {
                cr[k] += re[k] * pr[k] + im[k] * pi[k];
                ci[k] += im[k] * pr[k] - re[k] * pi[k];
            }
        }
    }
}

static void zero_sums(sums *s, const darc_psd *p)
{
    size_t m = (size_t)p->signals, bytes = m * (size_t)p->bins * sizeof *s->s;
    memset(s->s, 0, bytes);
    memset(s->cr, 0, m * bytes);
    memset(s->ci, 0, m * bytes);
}

static darc_status add_group(void *state, size_t unit, darc_err *err)
{
    work *w = state;
    const spectra *of = w->of;
    size_t half = (size_t)of->p->bins - 1, at = unit * GROUP;
    size_t end = at + GROUP, all = of->first[of->table->segments];
    (void)err;
    zero_sums(&w->part, of->p);
    for (int g = 0; at < end && at < all;) {
        while (of->first[g + 1] <= at)
            g++;
        bool two = at + 1 < of->first[g + 1] && at + 1 < end;
        size_t begin = of->table->segment[g].begin;
        size_t t = begin + (at - of->first[g]) * half;
        for (int i = 0; i < of->p->signals; i++)
            transform(w, i, of->table->signal[of->signal[i]].value + t,
                      t == begin, two);
        darc_table_done(of->table, t, t + 3 * half);
        add_stretch(w, 0);
        if (two)
            add_stretch(w, 1);
        at += two ? 2 : 1;
    }
    return DARC_OK;
}

static void gather(void *user, void *state, size_t unit)
{
    spectra *of = user;
    const work *w = state;
    size_t n = (size_t)of->p->signals * (size_t)of->p->bins;
    (void)unit;
    darc_lanes_add(of->all.s, 1, w->part.s, n);
    darc_lanes_add(of->all.cr, 1, w->part.cr, n * (size_t)of->p->signals);
    darc_lanes_add(of->all.ci, 1, w->part.ci, n * (size_t)of->p->signals);
}

static void set_coherence(darc_psd *p, const sums *w)
{
    int m = p->signals, bins = p->bins;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < bins; k++) {
                size_t c = (size_t)((i * m + j) * bins + k);
                double *ci = p->coherence + i * bins + k;
                double *cj = p->coherence + j * bins + k;
                double power = p->s[i * bins + k] * p->s[j * bins + k];
                double g = (w->cr[c] * w->cr[c] + w->ci[c] * w->ci[c]) /
                           (power > 0 ? power : 1);
                *ci = g > *ci ? g : *ci;
                *cj = g > *cj ? g : *cj;
            }
}

static void scale(darc_psd *p, const double *weights, double dt, size_t count)
{
    int n = 2 * (p->bins - 1);
    double gain = 0;
    for (int i = 0; i < n; i++)
        gain += weights[i] * weights[i];
    for (int k = 0; k < p->bins * p->signals; k++) {
        int bin = k % p->bins; /* |1 - exp(-i omega)|^2 of the differences */
        double slope = 2 * sin(PI * (bin > 0 ? bin : 1) / n);
        p->s[k] *= 2 * dt / (gain * (double)count * slope * slope);
    }
    /* Neighbours that overlap by half have a squared correlation of 0.0014
     * under this window: practically independent. */
    p->averages = (double)count;
}

/* Count the stretches of each segment and make the tables. */
static void prepare(spectra *of)
{
    int n = 2 * (of->p->bins - 1);
    size_t length = (size_t)n;
    assert(length >= 2);
    darc_fft_plan_init(&of->plan, n);
    of->window = darc_calloc(length, sizeof *of->window);
    of->ramp = darc_calloc(length, sizeof *of->ramp);
    for (int i = 0; i < n; i++) {
        of->window[i] = window(i, n);
        of->ramp[i] = i - (n - 1) / 2.0;
    }
    of->first = darc_calloc((size_t)of->table->segments + 1, sizeof *of->first);
    for (int i = 0; i < of->table->segments; i++) {
        darc_segment g = of->table->segment[i];
        size_t m = g.end - g.begin;
        of->first[i + 1] =
            of->first[i] + (m < length ? 0 : (m - length) / (length / 2) + 1);
    }
    of->all = new_sums(of->p);
}

void darc_psd_init(darc_psd *p, const darc_table *table, const int *signal,
                   int signals, int length, int threads)
{
    size_t m = (size_t)signals, bins = (size_t)length / 2 + 1;
    *p = (darc_psd){
        .bins = (int)bins, .signals = signals, .df = 1 / (length * table->dt)};
    p->variance = darc_calloc(m, sizeof *p->variance);
    for (int i = 0; i < signals; i++)
        p->variance[i] =
            darc_lanes_variance(table->signal[signal[i]].value, table);
    p->coherence = darc_calloc(m * bins, sizeof *p->coherence);
    spectra of = {.p = p, .table = table, .signal = signal};
    prepare(&of);
    size_t count = of.first[table->segments];
    darc_parallel job = {&of,        (count + GROUP - 1) / GROUP,
                         threads,    open_work,
                         close_work, add_group,
                         gather};
    darc_status status = darc_parallel_run(&job, NULL, NULL);
    p->s = of.all.s;
    set_coherence(p, &of.all);
    if (count > 0 && status == DARC_OK)
        scale(p, of.window, table->dt, count);
    of.all.s = NULL;
    clear_sums(&of.all);
    darc_fft_plan_clear(&of.plan);
    darc_free(of.window);
    darc_free(of.ramp);
    darc_free(of.first);
    if (count == 0)
        darc_psd_clear(p);
}

void darc_psd_clear(darc_psd *p)
{
    darc_free(p->s);
    darc_free(p->variance);
    darc_free(p->coherence);
    *p = (darc_psd){0};
}
