#include "fit/changes.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

void darc_changes_limits(double *least, double *most, const double *value,
                         darc_segment g, size_t t, bool shown)
{
    const double beyond = 0.5, last = 0.999;
    bool before = !shown && t >= g.begin + 3 && value[t - 1] == value[t - 2] &&
                  value[t - 2] == value[t - 3];
    bool behind = !shown && t + 2 < g.end && value[t + 1] == value[t] &&
                  value[t + 2] == value[t];
    *least = behind ? -beyond : 0;
    *most = before ? 1 + beyond : last;
}

static void move_changes(double *value, double *early, const darc_table *table)
{
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        for (size_t t = g.begin + 1; t < g.end; t++) {
            double e = early[t];
            if (e < 0 && t + 1 < g.end) {
                value[t] = value[t - 1];
                early[t++] = 0;
                early[t] = fmin(1 + e, 1 - 1e-9); /* less than one */
            } else if (e >= 1 && t > g.begin + 1) {
                value[t - 1] = value[t];
                early[t - 1] = e - 1;
                early[t] = 0;
            }
        }
    }
}

double *darc_changes_new(const double *value, const double *early,
                         const darc_table *table)
{
    size_t n = table->samples;
    double *own = darc_malloc(2 * n * sizeof *own);
    memcpy(own, early, n * sizeof *own);
    memcpy(own + n, value, n * sizeof *own);
    move_changes(own + n, own, table);
    return own;
}
