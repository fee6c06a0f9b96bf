/* practice.h - measures of vehicle practice: errors in plain units, and the
 * rating of ISO/TS 18571 as far as it is public [ISO18571], [BFZD13].
 */
#ifndef DARC_AGREE_PRACTICE_H
#define DARC_AGREE_PRACTICE_H

#include "agree/theil.h"

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

#endif
