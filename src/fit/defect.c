/* defect.c - what a yardstick tells: sizes of misfits, and of the bias that
 * they may have left. */
#include "fit/yardstick.h"

#include "base/mem.h"
#include "fit/sandwich.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

double darc_yardstick_rho(const darc_yardstick *y)
{
    return sqrt(fmax(0, y->residual - y->as.noisy));
}

/* The r^2 of which `shown` is the end at z standard deviations: shown = r^2 +
 * z sd(r^2), sd^2 = (2 spread + 4 r^2 density) / functions.  z < 0: the high
 * end. */
static double end_of(const darc_yardstick *y, const darc_yardstick_noise *n,
                     double z)
{
    double shown = y->residual - n->noisy;
    double v = 2 * n->spread / y->functions;
    double w = 4 * n->density / y->functions;
    /* (shown - r2)^2 = z^2 (v + w r2), on the side of z */
    double half = shown + z * z * w / 2;
    double root = half * half - shown * shown + z * z * v;
    return fmax(0, z > 0 ? half - sqrt(fmax(0, root))
                         : half + sqrt(fmax(0, root)));
}

darc_defect darc_yardstick_defect(const darc_yardstick *y, double alpha,
                                  bool sure)
{
    double z = darc_stats_normal_quantile(1 - alpha);
    double lead = y->lead >= 0 ? y->size[y->lead] : 0;
    if (!(lead > 0)) /* all is noise: nothing is known of a share */
        return (darc_defect){0, 0, HUGE_VAL, HUGE_VAL, 0};
    double r = y->raise;
    darc_yardstick_noise most = {r * y->as.noisy, r * r * y->as.spread,
                                 r * y->as.density};
    double low = end_of(y, &most, z), high = end_of(y, &y->as, -z), seen = low;
    if (!sure) {
        double n = fmax(1, y->supports);
        double made = sqrt(y->red * darc_stats_chi2_isf(alpha, n) / n);
        low = fmin(low, pow(fmax(0, sqrt(y->residual) - made), 2));
        high = fmax(high, y->residual);
    }
    double few = y->events / darc_stats_chi2_isf(alpha, y->events);
    double share = fmin(1, sqrt(few)) / lead;
    double input = y->input >= 0 ? y->size[y->input] : 0;
    return (darc_defect){.low = sqrt(low) * share,
                         .defect = darc_yardstick_rho(y) / lead,
                         .high = sqrt(high) / lead,
                         .high_input = sqrt(high) / (input > 0 ? input : lead),
                         .seen = sqrt(seen) * share};
}

void darc_yardstick_bias(double *bias, const darc_yardstick *y,
                         const darc_gls *fit)
{
    int n = y->coeffs, m = 0;
    int *index = darc_calloc((size_t)n, sizeof *index);
    double *b = darc_calloc((size_t)n, sizeof *b);
    double r2 = fmax(0, y->residual - y->as.noisy);
    for (int j = 0; j < n; j++) {
        bias[j] = 0;
        if (fit->free[y->first + j] && j != y->offset)
            index[m++] = j;
    }
    for (int i = 0; i < m; i++) {
        memset(b, 0, (size_t)n * sizeof *b);
        b[i] = 1;
        bool solved = darc_solve_part(y->gram, n, index, m, b, 1);
        bias[index[i]] = solved ? sqrt(fmax(0, r2 * b[i])) : HUGE_VAL;
    }
    darc_free(index);
    darc_free(b);
}
