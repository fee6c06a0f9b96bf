#include "weak/piece.h"

#include "base/mem.h"

#include <float.h>
#include <math.h>

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Set size[j] to what a moment of coefficient j is at most: a sum of support +
 * 1 products, each of which is rounded. */
static void bound_moments(double *size, darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)work->samples, m = (size_t)weak->margin;
    for (int j = 0; j < weak->coeffs; j++)
        size[j] = 0;
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        double weight = 0;
        for (int t = 0; t <= weak->support; t++)
            weight += fabs(weak->phi[group->order][t]);
        darc_laurent_eval(work->scratch, &group->g,
                          (const double *const *)work->x, n);
        size[group->coeff] += weight * largest(work->scratch + m, n - 2 * m);
    }
}

int darc_weak_vanishing(const darc_weak *weak)
{
    const double rounding = (weak->support + 1) * DBL_EPSILON;
    darc_weak_work *work = darc_weak_work_new(weak);
    double *size = darc_calloc((size_t)weak->coeffs, sizeof *size);
    bool *alive = darc_calloc((size_t)weak->coeffs, sizeof *alive);
    int j = 0;
    for (int p = 0; p < weak->pieces && j < weak->coeffs; p++) {
        darc_weak_load(work, p);
        bound_moments(size, work);
        size_t k = (size_t)work->rows;
        for (int i = 0; i < weak->coeffs; i++)
            /* what is out of range is not 0 */
            alive[i] = alive[i] || !isfinite(size[i]) ||
                       largest(work->w + (size_t)i * k, k) > rounding * size[i];
        while (j < weak->coeffs && alive[j])
            j++;
    }
    darc_weak_work_free(work);
    darc_free(size);
    darc_free(alive);
    return j < weak->coeffs ? j : -1;
}
