/* feature.h - features of a step response, and their consistency [YLLJ14].
 *
 * y_0 is the first sample, y_end the mean of the last tenth, h = y_end - y_0
 * the step.  A signal is settled when the last tenth stays within 5 % of the
 * largest excursion max |y - y_0|.  Times count from the first sample.
 */
#ifndef DARC_AGREE_FEATURE_H
#define DARC_AGREE_FEATURE_H

#include "darc/status.h"

#include <stddef.h>

typedef enum {
    DARC_FEATURE_RISE_TIME,     /* from 10 % to 90 % of h, s */
    DARC_FEATURE_OVERSHOOT,     /* excess of the peak over y_end, of |h|; 0 if
                                   y_end is not exceeded */
    DARC_FEATURE_STEADY_STATE,  /* y_end */
    DARC_FEATURE_STEADY_ERROR,  /* target - y_end */
    DARC_FEATURE_SETTLING_TIME, /* after which |y - y_end| <= 2 % of |h|, s */
    DARC_FEATURE_PEAK,          /* the sample farthest from y_0 */
    DARC_FEATURE_PEAK_TIME,     /* s */
    DARC_FEATURE_MEAN,          /* of the samples */
    DARC_FEATURE_RMS,
    DARC_FEATURE_COUNT
} darc_feature;

/* Return "rise_time", "overshoot", ... */
const char *darc_feature_name(darc_feature f);

/* Set value[f] for every feature of n > 0 finite samples at the increasing
 * times t; target may be NAN.  A feature that the signal does not have is
 * NAN: without a steady state all but peak, mean and rms; without a step
 * (h = 0) rise time, overshoot and settling time; without a target the
 * steady-state error. */
void darc_feature_extract(double value[DARC_FEATURE_COUNT], const double *t,
                          const double *y, size_t n, double target);

/* Return why the value is NAN, as set by darc_feature_extract. */
const char *darc_feature_missing(darc_feature f,
                                 const double value[DARC_FEATURE_COUNT]);

/* Return exp(-lambda eta), eta = |s - r| / |r| (|s - r| if r = 0). */
double darc_feature_consistency(double reference, double simulation,
                                double lambda);

#endif
