#include "diagnose/changepoint.h"

#include "base/mem.h"
#include "stats/stats.h"

#include <math.h>

typedef struct {
    const double *x, *sd;
    double alpha, tolerance; /* alpha of one place */
    darc_changepoint *found;
    int count;
} splitter;

/* Return the best split of begin .. end - 1. */
static darc_changepoint best_split(const splitter *s, int begin, int end)
{
    double w = 0, wx = 0, total_w = 0, total_wx = 0, best = -1;
    darc_changepoint p = {begin, 0, HUGE_VAL};
    for (int i = begin; i < end; i++) {
        double weight = 1 / (s->sd[i] * s->sd[i]);
        total_w += weight;
        total_wx += weight * s->x[i];
    }
    for (int i = begin; i + 1 < end; i++) {
        double weight = 1 / (s->sd[i] * s->sd[i]);
        w += weight;
        wx += weight * s->x[i];
        double change = (total_wx - wx) / (total_w - w) - wx / w;
        double sd = sqrt(1 / w + 1 / (total_w - w));
        if (fabs(change) / sd > best) {
            best = fabs(change) / sd;
            p = (darc_changepoint){i + 1, change, sd};
        }
    }
    return p;
}

static void split(splitter *s, int begin, int end)
{
    if (end - begin < 2)
        return;
    darc_changepoint p = best_split(s, begin, end);
    double beyond = fmax(0, fabs(p.change) - s->tolerance) / p.sd;
    if (2 * darc_stats_normal_sf(beyond) >= s->alpha)
        return;
    split(s, begin, p.at);
    s->found[s->count++] = p;
    split(s, p.at, end);
}

int darc_changepoints(darc_changepoint *found, const double *x,
                      const double *sd, int n, double alpha, double tolerance)
{
    splitter s = {x, sd, alpha / (n > 1 ? n - 1 : 1), tolerance, found, 0};
    split(&s, 0, n);
    return s.count;
}
