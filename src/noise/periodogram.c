#include "noise/periodogram.h"

#include "base/mem.h"
#include "noise/limits.h"
#include "stats/columns.h"
#include "stats/fft.h"
#include "stats/lanes.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Stretches of a recording: their length, window and places. */
typedef struct {
    const darc_table *table;
    int length;
    size_t hop;
    size_t count;
    double *window;  /* owned, with what follows */
    double *ramp;    /* i less its mean */
    double *re, *im; /* two stretches at a time */
    double *turned;  /* the samples of a stretch that goes beyond an end */
    bool all;        /* of them, from half a length before a segment on */
    bool level;      /* the samples themselves are taken, not differences */
    darc_fft_plan plan;
} stretches;

/* Nuttall's window 4b: four terms, side lobes that fall by 18 dB an octave. */
static double window_at(int i, int n)
{
    double x = 2 * PI * (i + 0.5) / n;
    return 0.355768 - 0.487396 * cos(x) + 0.144232 * cos(2 * x) -
           0.012604 * cos(3 * x);
}

/* A segment of m samples has m - 1 differences. */
static size_t fitting(const stretches *of, darc_segment g)
{
    size_t length = (size_t)of->length, m = g.end - g.begin;
    size_t spare = of->all ? m - 1 : m - 1 - length;
    return m <= length ? 0 : spare / of->hop + 1;
}

static size_t count_stretches(const stretches *of)
{
    size_t count = 0;
    for (int i = 0; i < of->table->segments; i++)
        count += fitting(of, of->table->segment[i]);
    return count;
}

static int choose_length(const darc_table *table, int parts)
{
    darc_segment most = darc_table_longest(table);
    size_t longest = most.end - most.begin;
    int length = DARC_STRETCH_LEAST;
    while (length < DARC_STRETCH_MOST &&
           (size_t)parts * (size_t)length <= longest)
        length *= 2;
    return length;
}

/* Open the stretches of one of which the first members are set. */
static void open_stretches(stretches *of, int parts)
{
    of->length = choose_length(of->table, parts);
    int n = of->length;
    of->hop = (size_t)n / 4;
    of->count = count_stretches(of);
    if (of->count > DARC_STRETCHES_MOST && !of->all) {
        of->hop = of->hop * of->count / DARC_STRETCHES_MOST;
        of->count = count_stretches(of);
    }
    DARC_CARVE({&of->window, n}, {&of->ramp, n}, {&of->re, n}, {&of->im, n},
               {&of->turned, n + 1});
    for (int i = 0; i < n; i++) {
        of->window[i] = of->level ? sin(PI * (i + 0.5) / n) : window_at(i, n);
        of->ramp[i] = i - (n - 1) / 2.0;
    }
    darc_fft_plan_init(&of->plan, n);
}

/* Return the samples of stretch h of segment g, of values y; beyond an end of
 * the segment they are those inside, turned round. */
static const double *reach(const stretches *of, const double *y, darc_segment g,
                           size_t h)
{
    size_t at = h * of->hop, half = of->all ? (size_t)of->length / 2 : 0;
    size_t m = g.end - g.begin, count = (size_t)of->length + 1;
    if (at >= half && at - half + count <= m)
        return y + g.begin + at - half;
    for (size_t i = 0; i < count; i++) {
        size_t k = at + i < half ? half - at - i : at + i - half;
        of->turned[i] = y[g.begin + (k < m ? k : 2 * (m - 1) - k)];
    }
    return of->turned;
}

/* Set out to the differences of the stretch that begins at y, or to its samples
 * less `origin`, without their straight line of least squares, under the
 * window.  Differences take the steepness out of spectra, so that side lobes do
 * not cover weak high frequencies.  Add to m the moments of the samples less
 * `origin` under the square of the window. */
static void take_stretch(double *out, double m[2], const stretches *of,
                         const double *y, double origin)
{
    int n = of->length;
    for (int i = 0; i < n; i++) {
        double d = y[i] - origin, w = of->window[i] * of->window[i];
        out[i] = of->level ? d : y[i + 1] - y[i];
        m[0] += w * d;
        m[1] += w * d * d;
    }
    double mean = darc_lanes_sum(out, (size_t)n) / n;
    double slope = darc_lanes_dot(of->ramp, out, (size_t)n) /
                   ((double)n * ((double)n * n - 1) / 12);
    for (int i = 0; i < n; i++)
        out[i] = (out[i] - mean - slope * of->ramp[i]) * of->window[i];
}

/* Add the periodograms of stretches h and, if there is one, h + 1: of the
 * transform X of y + iz they are (|X(k)|^2 + |X(n-k)|^2) / 2 together. */
static void add_pair(const darc_periodogram *p, int i, stretches *of,
                     const double *value, darc_segment g, size_t h)
{
    int n = of->length;
    double *s = p->s + i * p->bins, *m = p->moment + 2 * i;
    double origin = value[of->table->segment[0].begin];
    take_stretch(of->re, m, of, reach(of, value, g, h), origin);
    if (h + 1 < fitting(of, g))
        take_stretch(of->im, m, of, reach(of, value, g, h + 1), origin);
    else
        memset(of->im, 0, (size_t)n * sizeof *of->im);
    darc_fft_run(&of->plan, of->re, of->im);
    for (int k = 0; k <= n / 2; k++) {
        int l = k == 0 ? 0 : n - k;
        s[k] += (of->re[k] * of->re[k] + of->im[k] * of->im[k] +
                 of->re[l] * of->re[l] + of->im[l] * of->im[l]) /
                2;
    }
}

static void add_segment(const darc_periodogram *p, stretches *of,
                        const int *signal, darc_segment g)
{
    size_t count = fitting(of, g);
    for (size_t h = 0; h < count; h += 2) {
        for (int i = 0; i < p->signals; i++)
            add_pair(p, i, of, of->table->signal[signal[i]].value, g, h);
        size_t half = of->all ? (size_t)of->length / 2 : 0;
        size_t t = h * of->hop < half ? 0 : h * of->hop - half;
        darc_table_done(of->table, g.begin + t, g.begin + t + of->hop);
    }
}

/* Divide by what the window, the differences and the stretches multiply. */
static void scale_power(darc_periodogram *p, const stretches *of)
{
    double gain = darc_lanes_dot(of->window, of->window, (size_t)of->length);
    for (int k = 0; k < p->bins * p->signals; k++) {
        int bin = k % p->bins;
        double slope =
            of->level ? 1 : 2 * sin(PI * (bin > 0 ? bin : 1) / of->length);
        p->s[k] /= gain * (double)of->count * slope * slope;
    }
    for (int i = 0; i < p->signals; i++) {
        double *m = p->moment + 2 * i, all = gain * (double)of->count;
        m[0] /= all;
        m[1] = fmax(0, m[1] / all - m[0] * m[0]);
    }
}

/* Stretches j hops apart share (sum w(t) w(t + j hop))^2 of their variance in
 * one bin, and sum w(t)^2 w(t + j hop)^2 in the mean of all bins. */
static void set_freedom(darc_periodogram *p, const stretches *of)
{
    size_t n = (size_t)of->length, count = of->count;
    const double *w = of->window;
    double bin = 0, all = 0, power = darc_lanes_dot(w, w, n);
    for (size_t j = 0; j < count && j * of->hop < n; j++) {
        double sum = 0, square = 0;
        double pairs = (double)(count - j) * (j > 0 ? 2 : 1);
        for (size_t t = 0; t + j * of->hop < n; t++) {
            double product = w[t] * w[t + j * of->hop];
            sum += product;
            square += product * product;
        }
        bin += pairs * sum * sum;
        all += pairs * square;
    }
    power *= (double)count;
    p->averages = power * power / bin;
    p->ordinates = power * power / (2 * all);
}

static void take_spectra(darc_periodogram *p, stretches *of, const int *signal,
                         int signals, int parts)
{
    open_stretches(of, parts);
    *p = (darc_periodogram){.signals = signals};
    if (of->count > 0) {
        p->bins = of->length / 2 + 1;
        DARC_CARVE({&p->s, signals * p->bins}, {&p->moment, 2 * signals});
        for (int i = 0; i < of->table->segments; i++)
            add_segment(p, of, signal, of->table->segment[i]);
        scale_power(p, of);
        set_freedom(p, of);
    }
    darc_free(of->window);
    darc_fft_plan_clear(&of->plan);
}

void darc_periodogram_init(darc_periodogram *p, const darc_table *table,
                           const int *signal, int signals, int parts, bool all)
{
    stretches of = {.table = table, .all = all};
    take_spectra(p, &of, signal, signals, parts);
}

void darc_periodogram_level(darc_periodogram *p, const darc_table *table)
{
    stretches of = {.table = table, .level = true};
    take_spectra(p, &of, (int[]){0}, 1, DARC_ALL_PARTS);
}

void darc_periodogram_clear(darc_periodogram *p)
{
    darc_free(p->s);
    *p = (darc_periodogram){0};
}
