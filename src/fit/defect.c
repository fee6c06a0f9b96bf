/* defect.c - what a yardstick tells: sizes of misfits, of the bias that they
 * may have left, and whether signals move in more directions than an equation
 * has coefficients. */
#include "base/mem.h"
#include "fit/thresholds.h"
#include "fit/yardstick.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/sandwich.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

double darc_yardstick_rho(const darc_yardstick *y)
{
    return sqrt(fmax(0, y->residual - y->as.noisy));
}

/* The r^2 of which `shown` is the end at z standard deviations: shown = r^2 +
 * z sd(r^2), sd^2 = (2 spread + 4 r^2 density) / functions.  z < 0: the high
 * end.  Less than the noise makes has a low end of 0. */
static double end_of(const darc_yardstick *y, const darc_yardstick_noise *n,
                     double z)
{
    double shown = y->residual - n->noisy;
    if (z > 0 && shown <= 0)
        return 0;
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
    double n = y->coeffs; /* no sum is more than so many largest terms */
    return (darc_defect){.low = fmin(n, sqrt(low) * share),
                         .defect = fmin(n, darc_yardstick_rho(y) / lead),
                         .high = fmin(n, sqrt(high) / lead),
                         .high_input =
                             fmin(n, sqrt(high) / (input > 0 ? input : lead)),
                         .seen = fmin(n, sqrt(seen) * share)};
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
    DARC_FREE(index, b);
}

enum { COPIES = DARC_YARDSTICK_COPIES };

void darc_project_out(double *a, int n, int o)
{
    double own = a[o * (n + 1)];
    if (!(own > 0))
        return;
    double *column = darc_calloc((size_t)n, sizeof *column);
    memcpy(column, a + o * n, (size_t)n * sizeof *column);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            a[i * n + k] -= column[i] * column[k] / own;
    darc_free(column);
}

/* Set a to the correlations of the columns and their shifts, what an offset
 * takes up projected out. */
static void correlate(double *a, const darc_yardstick *y, double *library)
{
    int n = COPIES * y->coeffs;
    if (y->offset >= 0)
        darc_project_out(library, n, y->offset);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double d = library[i * (n + 1)] * library[k * (n + 1)];
            bool in = i % y->coeffs != y->offset && k % y->coeffs != y->offset;
            a[i * n + k] = in && d > 0 ? library[i * n + k] / sqrt(d) : 0;
        }
}

/* Return what noise, and the filter's past, make of the power of the leading
 * term at most in the directions of the first `weak` rows of a: n columns, as
 * those of the yardstick over and over. */
static double made_in(const darc_yardstick *y, const double *a, int n, int weak,
                      double past)
{
    double noise = 0, all = 0;
    for (int j = 0; j < n; j++) {
        int own = j % y->coeffs * (y->coeffs + 1);
        double share = 0;
        for (int i = 0; i < weak; i++)
            share += a[i * n + j] * a[i * n + y->lead];
        if (j % y->coeffs != y->offset && y->gram[own] > 0) {
            noise += share * share * y->noise[own] / y->gram[own];
            all += fabs(share);
        }
    }
    return DARC_YARDSTICK_NOISE * noise + past * all * all;
}

void darc_excitation_measure(darc_yardstick *y, double *library, double past,
                             int free)
{
    int n = COPIES * y->coeffs, weak = n - free;
    double *a, *value;
    DARC_CARVE({&a, n * n}, {&value, n});
    double left = 0, made = 0;
    correlate(a, y, library);
    if (darc_dense_eigen(value, a, n, 'V')) { /* ascending */
        for (int i = 0; i < weak; i++)
            left += value[i] * a[i * n + y->lead] * a[i * n + y->lead];
        made = made_in(y, a, n, weak, past);
    }
    darc_free(a);
    y->arbitrary = sqrt(fmax(0, left));
    y->excited = sqrt(fmax(0, left - made));
}
