#include "noise/quiet.h"

#include "base/mem.h"
#include "noise/limits.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples of a stretch, and how often it is differenced. */
enum { LENGTH = 32, ORDER = 6 };
static const double gain = 924; /* C(12, 6): of the variance of white noise */

/* Return the variance of white noise that LENGTH samples show. */
static double stretch_variance(const double *y)
{
    double d[LENGTH], sum = 0;
    memcpy(d, y, sizeof d);
    for (int p = 1; p <= ORDER; p++)
        for (int i = 0; i < LENGTH - p; i++)
            d[i] = d[i + 1] - d[i];
    for (int i = 0; i < LENGTH - ORDER; i++)
        sum += d[i] * d[i];
    return sum / (LENGTH - ORDER) / gain;
}

double darc_quiet_variance(const darc_table *table, int signal)
{
    const double *y = table->signal[signal].value;
    double *v = darc_malloc((table->samples / LENGTH + 1) * sizeof *v);
    double all = 0, quiet = HUGE_VAL;
    size_t n = 0;
    for (int s = 0; s < table->segments; s++)
        for (size_t t = table->segment[s].begin;
             t + LENGTH <= table->segment[s].end; t += LENGTH) {
            v[n] = stretch_variance(y + t);
            all += v[n++];
        }
    if (n > 0) {
        qsort(v, n, sizeof *v, darc_stats_cmp);
        if (all / (double)n > DARC_QUIET_LOUD * v[n / 2])
            quiet = v[n / 2];
    }
    darc_free(v);
    return quiet;
}
