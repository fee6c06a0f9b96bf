#include "noise/noisemodel.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "noise/differences.h"
#include "noise/noiseband.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DIFFERENCE = 12,
    MIN_SAMPLES = 128,
    STEP_SAMPLES = 20000, /* looked at for a quantisation step */
    SHORTEST_STRETCH = 64,
    LONGEST_STRETCH = 8192,
    STRETCHES = 12 /* wanted in the longest segment, overlap included */
};

void darc_noisemodel_init(darc_noisemodel *n, double sd)
{
    *n = (darc_noisemodel){.kind = sd > 0 ? DARC_NOISE_GIVEN : DARC_NOISE_NONE,
                           .sd = sd,
                           .sd_diff = NAN,
                           .sd_high = NAN,
                           .band = NAN,
                           .power_band = NAN,
                           .edge = NAN,
                           .dof = HUGE_VAL};
    n->kernel = darc_calloc(1, sizeof *n->kernel);
    n->kernel[0] = sd;
}

void darc_noisemodel_copy(darc_noisemodel *to, const darc_noisemodel *from)
{
    size_t values = 2 * (size_t)from->half + 1;
    *to = *from;
    to->kernel = darc_calloc(values, sizeof *to->kernel);
    memcpy(to->kernel, from->kernel, values * sizeof *to->kernel);
}

void darc_noisemodel_clear(darc_noisemodel *n)
{
    darc_free(n->kernel);
    *n = (darc_noisemodel){0};
}

const char *darc_noise_kind_text(darc_noise_kind kind)
{
    static const char *const text[] = {
        "given", "none", "white", "coloured", "quantised", "unknown", "floor"};
    return text[kind];
}

static double binomial(int n, int k)
{
    double b = 1;
    for (int i = 1; i <= k; i++)
        b = b * (n - k + i) / i;
    return b;
}

/* Estimates of orders p and p + 1 share most of their samples; their ratio
 * has a relative standard deviation below sqrt(1/n): 4 of those, and a
 * thousandth for signals that vanish slowly, is "settled". */
static double settled(const double *y, size_t n, int *order,
                      const darc_table *table, size_t begin)
{
    assert(n > MAX_DIFFERENCE);
    double sum[MAX_DIFFERENCE + 1] = {0};
    darc_differences_add(sum, MAX_DIFFERENCE, y, n, table, begin);
    double previous = HUGE_VAL, variance = 0;
    int p = 1;
    for (; p <= MAX_DIFFERENCE; p++) {
        variance = sum[p] / ((double)(n - (size_t)p) * binomial(2 * p, p));
        if (variance >= previous * (1 - 1e-3 - 4 / sqrt((double)n)) && p > 2)
            break;
        previous = variance;
    }
    *order = p > MAX_DIFFERENCE ? MAX_DIFFERENCE : p;
    return sqrt(variance);
}

double darc_noise_from_differences(const double *y, size_t n, int *order)
{
    return settled(y, n, order, NULL, 0);
}

static int cmp_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Return the smallest difference of sorted values that is no rounding. */
static double smallest_gap(const double *s, size_t n, double range)
{
    double gap = range;
    for (size_t i = 1; i < n; i++)
        if (s[i] - s[i - 1] > 1e-9 * range && s[i] - s[i - 1] < gap)
            gap = s[i] - s[i - 1];
    return gap;
}

double darc_noise_step(const double *y, size_t n)
{
    size_t m = n < STEP_SAMPLES ? n : STEP_SAMPLES;
    double *s = darc_calloc(m, sizeof *s);
    memcpy(s, y, m * sizeof *s);
    qsort(s, m, sizeof *s, cmp_double);
    double range = s[m - 1] - s[0];
    double step = range > 0 ? smallest_gap(s, m, range) : 0;
    bool lattice = step > 0 && range / step < 1e6 && range / step > 2;
    for (size_t i = 1; i < m && lattice; i++) {
        double q = (s[i] - s[0]) / step;
        /* decimal printing of the lattice may round */
        lattice = fabs(q - round(q)) < 0.02 + 1e-4 * q;
    }
    darc_free(s);
    return lattice ? step : 0;
}

static darc_segment longest_segment(const darc_table *table)
{
    darc_segment best = {0, 0};
    for (int i = 0; i < table->segments; i++)
        if (table->segment[i].end - table->segment[i].begin >
            best.end - best.begin)
            best = table->segment[i];
    return best;
}

static int stretch_length(size_t n)
{
    int length = SHORTEST_STRETCH;
    while (length < LONGEST_STRETCH &&
           2 * (size_t)length * (STRETCHES + 1) / 2 <= n)
        length *= 2;
    return length;
}

static void estimate_one(darc_noisemodel *n, const darc_psd *psd, int i,
                         const darc_table *table, int signal, darc_segment g,
                         bool coloured)
{
    int order;
    size_t samples = g.end - g.begin;
    const double *y = table->signal[signal].value + g.begin;
    darc_noisemodel_init(n, 0);
    n->sd_diff = settled(y, samples, &order, table, g.begin);
    n->step = darc_noise_step(y, samples);
    if (psd->bins > 0)
        darc_noiseband_apply(n, psd, i, coloured);
    if (n->kind != DARC_NOISE_NONE)
        return;
    /* No band without signal: the differences are what is left.  The
     * covariance of squared differences costs about 2/3 of the samples. */
    n->kind = DARC_NOISE_UNKNOWN;
    n->sd = n->sd_diff;
    n->dof = (double)samples / 3;
    n->kernel[0] = n->sd;
}

/* Fail unless noise can be estimated from segment g of the table. */
static darc_status require_samples(const darc_table *table, darc_segment g,
                                   darc_err *err)
{
    if (table->dt <= 0)
        return darc_fail(err, DARC_DATA,
                         "%s: noise is estimated on uniform time only; where "
                         "the steps are equal in truth, --rate HZ says so",
                         table->file);
    if (g.end - g.begin < MIN_SAMPLES)
        return darc_fail(err, DARC_DATA,
                         "%s: %zu samples without a gap, at least %d needed "
                         "to estimate noise",
                         table->file, g.end - g.begin, (int)MIN_SAMPLES);
    return DARC_OK;
}

darc_status darc_noisemodel_measure(darc_noisemodel *n, const darc_table *table,
                                    int signal, darc_err *err)
{
    darc_segment g = longest_segment(table);
    darc_psd psd;
    darc_status status = require_samples(table, g, err);
    if (status != DARC_OK)
        return status;
    darc_psd_init(&psd, table, &signal, 1, stretch_length(g.end - g.begin), 1);
    darc_noisemodel_init(n, 0);
    n->kind = DARC_NOISE_GIVEN;
    darc_noiseband_measure(n, &psd);
    darc_psd_clear(&psd);
    if (n->sd > 0)
        return DARC_OK;
    darc_noisemodel_clear(n);
    return darc_fail(err, DARC_DATA,
                     "%s: '%s' does not move: that shows no noise; give it by "
                     "--noise, the rounding step over the root of 12 at least",
                     table->file, table->signal[signal].name);
}

/* Signals that several threads take in turn. */
typedef struct {
    darc_noisemodel *n;
    const darc_psd *psd;
    const darc_table *table;
    const int *signal;
    bool coloured;
} estimates;

static void *open_estimates(void *user)
{
    return user;
}

static void close_estimates(void *state)
{
    (void)state;
}

static darc_status estimate_signal(void *state, size_t i, darc_err *err)
{
    const estimates *e = state;
    int signal = e->signal[i];
    estimate_one(e->n + i, e->psd, (int)i, e->table, signal,
                 longest_segment(e->table), e->coloured);
    return isfinite(e->n[i].sd)
               ? DARC_OK
               : darc_fail(err, DARC_DATA,
                           "%s: the noise of '%s' cannot be estimated; give it "
                           "by --noise",
                           e->table->file, e->table->signal[signal].name);
}

static void gather_estimate(void *user, void *state, size_t i)
{
    (void)user;
    (void)state;
    (void)i;
}

darc_status darc_noisemodels_estimate(darc_noisemodel *n,
                                      const darc_table *table,
                                      const int *signal, int count,
                                      bool coloured, int threads, darc_err *err)
{
    darc_segment g = longest_segment(table);
    darc_psd psd;
    darc_status status = require_samples(table, g, err);
    if (status != DARC_OK)
        return status;
    darc_psd_init(&psd, table, signal, count, stretch_length(g.end - g.begin),
                  threads);
    for (int i = 0; i < count; i++)
        n[i] = (darc_noisemodel){0};
    estimates all = {n, &psd, table, signal, coloured};
    darc_parallel job = {&all,           (size_t)count,   threads,
                         open_estimates, close_estimates, estimate_signal,
                         gather_estimate};
    status = darc_parallel_run(&job, NULL, err);
    darc_psd_clear(&psd);
    for (int i = 0; i < count && status != DARC_OK; i++)
        darc_noisemodel_clear(n + i);
    return status;
}
