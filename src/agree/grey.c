#include "agree/grey.h"

#include "agree/thresholds.h"

#include <assert.h>
#include <math.h>

darc_grey darc_grey_degree(const double *r, const double *s, size_t n,
                           double lambda)
{
    assert(n > 0 && lambda > 0);
    darc_grey g = {1, HUGE_VAL, 0, false};
    for (size_t i = 0; i < n; i++) {
        double d = fabs(r[i] - s[i]);
        g.least = d < g.least ? d : g.least;
        g.most = d > g.most ? d : g.most;
    }
    if (g.most == 0)
        return g;
    double sum = 0, far = lambda * g.most;
    for (size_t i = 0; i < n; i++)
        sum += (g.least + far) / (fabs(r[i] - s[i]) + far);
    g.degree = sum / (double)n;
    g.parallel = g.least >= DARC_GREY_PARALLEL * g.most;
    return g;
}
