#include "fit/excitation.h"

#include "base/mem.h"
#include "fit/thresholds.h"
#include "stats/dense.h"

#include <math.h>
#include <string.h>

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
    double *a = darc_calloc((size_t)(n * n), sizeof *a);
    double *value = darc_calloc((size_t)n, sizeof *value);
    double left = 0, made = 0;
    correlate(a, y, library);
    if (darc_dense_eigen(value, a, n, 'V')) { /* ascending */
        for (int i = 0; i < weak; i++)
            left += value[i] * a[i * n + y->lead] * a[i * n + y->lead];
        made = made_in(y, a, n, weak, past);
    }
    darc_free(a);
    darc_free(value);
    y->arbitrary = sqrt(fmax(0, left));
    y->excited = sqrt(fmax(0, left - made));
}
