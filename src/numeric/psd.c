#include "numeric/psd.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void bit_reverse(double *re, double *im, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double r = re[i], m = im[i];
            re[i] = re[j];
            im[i] = im[j];
            re[j] = r;
            im[j] = m;
        }
    }
}

/* One butterfly pass over blocks of 2*half values. */
static void butterflies(double *re, double *im, int n, int half)
{
    for (int k = 0; k < half; k++) {
        double c = cos(PI * k / half), s = -sin(PI * k / half);
        for (int i = k; i < n; i += 2 * half) {
            int j = i + half;
            double r = re[j] * c - im[j] * s;
            double m = re[j] * s + im[j] * c;
            re[j] = re[i] - r;
            im[j] = im[i] - m;
            re[i] += r;
            im[i] += m;
        }
    }
}

void darc_fft(double *re, double *im, int n)
{
    assert(n > 0 && (n & (n - 1)) == 0);
    bit_reverse(re, im, n);
    for (int half = 1; half < n; half *= 2)
        butterflies(re, im, n, half);
}

static double window(int i, int n)
{
    double x = 2 * PI * (i + 0.5) / n;
    return 0.35875 - 0.48829 * cos(x) + 0.14128 * cos(2 * x) -
           0.01168 * cos(3 * x);
}

/* Set re to the differences of y, y[-1] included when there is one, without
 * their straight line of least squares.  Differences take the steepness out
 * of spectra, so that side lobes do not cover weak high frequencies. */
static void detrend(double *re, const double *v, bool first, int n)
{
    double *y = re;
    for (int i = n - 1; i >= 0; i--)
        y[i] = i > 0 || !first ? v[i] - v[i - 1] : v[1] - v[0];
    double mean = 0, slope = 0, middle = (n - 1) / 2.0;
    for (int i = 0; i < n; i++) {
        mean += y[i];
        slope += (i - middle) * y[i];
    }
    mean /= n;
    slope /= (double)n * ((double)n * n - 1) / 12;
    for (int i = 0; i < n; i++)
        re[i] = y[i] - mean - slope * (i - middle);
}

/* Transforms of one stretch of all signals, and the sums they go into. */
typedef struct {
    double *re, *im; /* signal i at i*n */
    double *cr, *ci; /* cross spectra of the pair (i, k) at (i*m + k)*bins */
} work;

static void add_stretch(darc_psd *p, work *w, const darc_table *table,
                        const int *signal, size_t begin, bool first)
{
    int n = 2 * (p->bins - 1), m = p->signals, bins = p->bins;
    for (int i = 0; i < m; i++) {
        double *re = w->re + (size_t)i * (size_t)n;
        double *im = w->im + (size_t)i * (size_t)n;
        detrend(re, table->signal[signal[i]].value + begin, first, n);
        for (int t = 0; t < n; t++) {
            re[t] *= window(t, n);
            im[t] = 0;
        }
        darc_fft(re, im, n);
        for (int k = 0; k < bins; k++)
            p->s[i * bins + k] += re[k] * re[k] + im[k] * im[k];
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < bins; k++) {
                size_t a = (size_t)(i * n + k), b = (size_t)(j * n + k);
                size_t c = (size_t)((i * m + j) * bins + k);
                w->cr[c] += w->re[a] * w->re[b] + w->im[a] * w->im[b];
                w->ci[c] += w->im[a] * w->re[b] - w->re[a] * w->im[b];
            }
}

static void set_coherence(darc_psd *p, const work *w)
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

static void scale(darc_psd *p, double dt, int count)
{
    int n = 2 * (p->bins - 1);
    double gain = 0;
    for (int i = 0; i < n; i++)
        gain += window(i, n) * window(i, n);
    for (int k = 0; k < p->bins * p->signals; k++) {
        int bin = k % p->bins; /* |1 - exp(-i omega)|^2 of the differences */
        double slope = 2 * sin(PI * (bin > 0 ? bin : 1) / n);
        p->s[k] *= 2 * dt / (gain * count * slope * slope);
    }
    /* Neighbours that overlap by half have a squared correlation of 0.0014
     * under this window: practically independent. */
    p->averages = count;
}

static double variance(const darc_table *table, int signal)
{
    const double *y = table->signal[signal].value;
    double n = 0, mean = 0, sum = 0;
    for (int i = 0; i < table->segments; i++)
        for (size_t t = table->segment[i].begin; t < table->segment[i].end;
             t++) {
            double d = y[t] - mean;
            n++;
            mean += d / n;
            sum += d * (y[t] - mean);
        }
    return n > 0 ? sum / n : 0;
}

void darc_psd_init(darc_psd *p, const darc_table *table, const int *signal,
                   int signals, int length)
{
    size_t n = (size_t)length, m = (size_t)signals, bins = n / 2 + 1;
    int count = 0;
    *p = (darc_psd){
        .bins = (int)bins, .signals = signals, .df = 1 / (length * table->dt)};
    p->s = darc_calloc(m * bins, sizeof *p->s);
    p->variance = darc_calloc(m, sizeof *p->variance);
    for (int i = 0; i < signals; i++)
        p->variance[i] = variance(table, signal[i]);
    p->coherence = darc_calloc(m * bins, sizeof *p->coherence);
    work w = {darc_calloc(m * n, sizeof(double)),
              darc_calloc(m * n, sizeof(double)),
              darc_calloc(m * m * bins, sizeof(double)),
              darc_calloc(m * m * bins, sizeof(double))};
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        for (size_t t = g.begin; t + n <= g.end; t += n / 2, count++)
            add_stretch(p, &w, table, signal, t, t == g.begin);
    }
    set_coherence(p, &w);
    if (count > 0)
        scale(p, table->dt, count);
    darc_free(w.re);
    darc_free(w.im);
    darc_free(w.cr);
    darc_free(w.ci);
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
