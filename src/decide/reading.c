#include "decide/reading.h"

#include "base/text.h"
#include "decide/thresholds.h"
#include "terms/jumps.h"

#include <math.h>
#include <stdio.h>

darc_status darc_reading_take(darc_estimates *e, darc_fit *f,
                              const darc_question *x, const darc_table *table,
                              const darc_bindings *b, darc_err *err)
{
    double alpha = x->by->alpha;
    *e = (darc_estimates){0};
    DARC_NEED(darc_fit_init(f, x, table, DARC_PAIR_GATE * alpha, err));
    darc_estimates_init(e, f, x, alpha);
    if (b != NULL)
        darc_bindings_impose(b, e, alpha);
    return DARC_OK;
}

void darc_reading_drop_origins(double *cov, const darc_estimates *e)
{
    size_t n = (size_t)e->coeffs;
    for (int q = 0; q < e->equations; q++) {
        const darc_estimates_equation *eq = e->eq + q;
        for (size_t k = 0; eq->origin && eq->offset >= 0 && k < n; k++)
            cov[(size_t)eq->offset * n + k] = cov[k * n + (size_t)eq->offset] =
                0;
    }
}

double darc_reading_left(const darc_estimates *e)
{
    double most = 0;
    for (int q = 0; q < e->equations; q++)
        most = fmax(most, e->eq[q].defect.seen);
    return most;
}

bool darc_reading_fails(const darc_estimates *e, double tolerance)
{
    return darc_reading_left(e) > tolerance && (tolerance > 0 || e->misfit);
}

bool darc_reading_drowns(double ratio, char *why, size_t size)
{
    if (!(ratio > DARC_NOISE_LIMIT))
        return false;
    if (ratio < 1)
        snprintf(why, size,
                 "the signals do not stand out of their noise: products of "
                 "noise weigh %.2g as much in the fit as the signals, more "
                 "than %.2g",
                 ratio, DARC_NOISE_LIMIT);
    else
        snprintf(why, size,
                 "the signals do not stand out of their noise: products of "
                 "noise weigh more in the fit than the signals");
    return true;
}

bool darc_reading_is_useless(const darc_estimates *e, char *why, size_t size)
{
    if (darc_reading_drowns(e->ratio, why, size))
        return true;
    for (int q = 0; q < e->equations; q++)
        if (e->eq[q].defect.low > DARC_LOST) {
            snprintf(why, size,
                     "the structure leaves %s of the largest term unexplained, "
                     "and coefficients mean nothing then",
                     darc_percent_fine(e->eq[q].defect.defect).text);
            return true;
        }
    return false;
}
