/* measures.h - how near and how alike a reference and a simulated series are:
 * norms, Theil's inequality coefficients [The61], the grey relational degree
 * [Den89], [YLLJ14]; features of a step response and their consistency
 * [YLLJ14]; and those of vehicle practice: errors in plain units, the rating of
 * ISO/TS 18571 as far as it is public [ISO18571], [BFZD13].
 *
 * Both series have n > 0 finite samples at the same times.  Theil's do not see
 * the shape: a noisy signal and one with an offset may score alike.
 */
#pragma once

#include "data/table.h"

#include <stdbool.h>
#include <stddef.h>

/* Both at the same times, dt seconds apart. */
typedef struct {
    const double *reference, *simulation;
    size_t n; /* samples of each */
    double dt;
} darc_matched;

typedef struct {
    double reference, simulation, difference; /* sqrt(sum of squares) */
} darc_norms;

/* Return the largest |x[i]|. */
double darc_norms_max(const double *x, size_t n);

/* Return the mean of x. */
double darc_norms_mean(const double *x, size_t n);

/* Return sqrt(mean (r-s)^2) / (sqrt(mean r^2) + sqrt(mean s^2)), in 0 .. 1;
 * 0 when both are zero. */
double darc_theil_classical(const double *reference, const double *simulation,
                            size_t n);

/* Return sqrt(sum (r-s)^2) / sqrt(sum r^2), the coefficient against the
 * reference of [YLLJ14]; the numerator alone if the reference is zero. */
double darc_theil_reference(const double *reference, const double *simulation,
                            size_t n);

/* Return the proximity exp(-lambda T) of [YLLJ14], lambda > 0. */
double darc_theil_proximity(double coefficient, double lambda);

/* The grey relational degree: with D_i = |r_i - s_i| the mean of (min D +
 * lambda max D) / (D_i + lambda max D), 1 for equal series.
 * Trap: it looks only at how D varies.  Two series at a constant distance
 * score 1 however far apart they are; `parallel` says so. */
typedef struct {
    double degree;
    double least, most; /* min D, max D, in the unit of the signal */
    bool parallel;      /* the trap: max D > 0, min D / max D over the limit */
} darc_grey;

/* Return the degree of n > 0 finite samples, lambda > 0. */
darc_grey darc_grey_degree(const double *reference, const double *simulation,
                           size_t n, double lambda);

/* Features of a step response: y_0 is the first sample, y_end the mean of the
 * last tenth, h = y_end - y_0 the step.  A signal is settled when the last
 * tenth stays within 5 % of the largest excursion max |y - y_0|.  Times count
 * from the first sample. */
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

typedef struct {
    double rms;       /* of simulation - reference */
    double nrmse;     /* rms / nominal, or / the range of the reference */
    double max_error; /* largest |simulation - reference| */
    size_t at;        /* its sample */
    double r_squared; /* 1 - sum e^2 / sum (r - mean r)^2 */
} darc_errors;

/* Set out for n > 0 samples.  nominal > 0 replaces the range; NAN: none.
 * nrmse is NAN when the reference is constant and there is no nominal value,
 * r_squared when it is constant. */
void darc_practice_errors(darc_errors *out, const double *reference,
                          const double *simulation, size_t n, double nominal);

/* The rating R = .4 corridor + .2 phase + .2 magnitude + .2 slope.
 * corridor: 1 within 5 % of the largest |reference|, falling as a square to 0
 *   at 50 %.
 * phase: the shift of the highest correlation within 20 % of the length;
 *   falls linearly from 1 at no shift to 0 at 20 %.
 * magnitude: after that shift, relative distance along the dynamic time
 *   warping path (window 10 %); 0 at 50 %.
 * slope: after that shift, relative distance of the slopes, averaged over
 *   nine points; 0 at 200 %. */
typedef struct {
    double corridor, phase, magnitude, slope, rating; /* 0 .. 1 */
    const char *grade;     /* "excellent" > .94, "good" > .80, "fair" > .58,
                              "poor"; static */
    double shift;          /* s; > 0: the simulation is late */
    size_t points;         /* samples used: longer signals are averaged */
    const char *undefined; /* why the rating is NAN; else NULL; static */
} darc_iso18571;

/* Set out.  nominal > 0 replaces the largest |reference|.
 * A part that is not defined is NAN, and so is the rating: fewer than 20
 * samples, a reference of zeros without nominal value, a constant signal. */
void darc_practice_iso18571(darc_iso18571 *out, const darc_matched *m,
                            double nominal);

/* ---- align: recordings on the same times --------------------------------- */

typedef struct {
    size_t samples;
    double *time; /* s; owned */
    double dt;    /* 0: not uniform */
    int tables, signals;
    double **value; /* value[k * signals + i]: signal i of table k on
                       these times; owned */
    size_t offered; /* samples of the first table */
    bool resampled;
} darc_aligned;

/* Bring the named signals of all tables onto the times of the first one,
 * within the interval that all share, the longest part without a gap, in the
 * units of the first one.
 * Fails: DARC_DATA when fewer than two such samples are left, a signal is
 * missing, or of a unit that cannot be converted; DARC_IO as
 * darc_unit_convert. */
DARC_STATUS darc_aligned_init(darc_aligned *a, const darc_table *const *table,
                              int tables, const char *const *name, int signals,
                              darc_err *err);
void darc_aligned_clear(darc_aligned *a);
