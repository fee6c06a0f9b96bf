#include "diagnose/foresee.h"

#include "base/mem.h"
#include "decide/thresholds.h"
#include "diagnose/thresholds.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>

static double ncp(int dof, double alpha)
{
    return darc_stats_detectable_ncp(dof, alpha, DARC_POWER);
}

/* Set c to the correlations of the differences, and sd. */
static void correlate(double *c, double *sd, const darc_values *a,
                      const darc_values *b)
{
    int n = a->functions;
    for (int k = 0; k < n; k++) {
        bool known = a->value[k].known && b->value[k].known;
        sd[k] = known ? sqrt(a->cov[k * n + k] + b->cov[k * n + k]) : HUGE_VAL;
    }
    for (int k = 0; k < n * n; k++)
        c[k] = (a->cov[k] + b->cov[k]) / (sd[k / n] * sd[k % n]);
}

/* Sweep [Bea64] row p: after several rows c holds the inverse of what stood in
 * these, its other entries are what is left of them. */
static void sweep(double *c, int n, int p)
{
    double d = c[p * n + p];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != p && j != p)
                c[i * n + j] -= c[i * n + p] * c[p * n + j] / d;
    for (int i = 0; i < n; i++) {
        c[i * n + p] /= i == p ? 1 : d;
        c[p * n + i] /= i == p ? 1 : -d;
    }
    c[p * n + p] = 1 / d;
}

void darc_foresee_changes(double *least, const darc_values *a,
                          const darc_values *b, double alpha)
{
    int n = a->functions;
    assert(n == b->functions);
    double *c = darc_calloc((size_t)(n * n) + 1, sizeof *c);
    bool *swept = darc_calloc((size_t)n + 1, sizeof *swept);
    correlate(c, least, a, b);
    for (int k = 0; k < n; k++) {
        swept[k] = isfinite(least[k]) && c[k * n + k] > DARC_FORESEE_SAME;
        if (swept[k])
            sweep(c, n, k);
    }
    for (int k = 0; k < n; k++) {
        double alone = swept[k] ? least[k] / sqrt(c[k * n + k]) : least[k];
        least[k] = b->rank > 0 ? sqrt(ncp(b->rank, alpha)) * alone /
                                     fabs(a->value[k].value)
                               : HUGE_VAL;
    }
    darc_free(c);
    darc_free(swept);
}

double darc_foresee_apart(const darc_values *v, int p, int q, double alpha)
{
    int n = v->vars;
    const double *m = v->information;
    double pp = m[p * n + p], qq = m[q * n + q], pq = m[p * n + q];
    double left = qq > 0 ? pp - pq * pq / qq : pp;
    if (v->rank < 2 || !(left > DARC_FORESEE_SAME * pp))
        return HUGE_VAL;
    return sqrt(2 * ncp(v->rank - 1, alpha) / left) / fabs(v->theta[p]);
}
