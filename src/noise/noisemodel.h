/* noisemodel.h - the noise of a measured signal, estimated from the signal.
 *
 * Noise is white noise of unit variance through a symmetric kernel:
 * n(t) = sum_s kernel[s] * z(t + s), |s| <= half.  White noise has half = 0
 * and kernel = {sd}.  Two estimates are made: from high-order differences
 * (right for white noise only) and from the spectrum above the band of the
 * signal.  Where they disagree the noise is coloured: its kernel follows the
 * measured spectrum above the band and continues it flat below.
 */
#ifndef DARC_NOISE_NOISEMODEL_H
#define DARC_NOISE_NOISEMODEL_H

#include "data/table.h"

typedef enum {
    DARC_NOISE_GIVEN,     /* by the user */
    DARC_NOISE_NONE,      /* taken as exact (derived signals, time) */
    DARC_NOISE_WHITE,     /* both estimates agree */
    DARC_NOISE_COLOURED,  /* they disagree: from the spectrum */
    DARC_NOISE_QUANTISED, /* rounding dominates: spread over the band */
    DARC_NOISE_UNKNOWN,   /* no band free of signal: an upper bound, from
                             differences or the end of the spectrum */
    DARC_NOISE_FLOOR      /* less than any recording is taken to have, which
                             stands in its place */
} darc_noise_kind;

typedef struct {
    darc_noise_kind kind;
    double sd;         /* in all, unit of the signal */
    double surplus;    /* share of sd^2 that is a floor, which the signal does
                          not show: it counts as uncertainty, but biases no
                          power of the signal */
    double sd_diff;    /* from differences; NAN: not estimated */
    double sd_high;    /* from the spectrum above the band, if white */
    double band;       /* end of the signal's band, Hz */
    double power_band; /* below this lies 99 % of the signal's power, Hz;
                          not less than what the spectrum resolves */
    double edge;       /* least density from 1.25 to 2 times that frequency:
                          noise just above the signal is no more, unit^2/Hz;
                          NAN: not estimated */
    double step;       /* of quantisation; 0: none */
    double dof;        /* degrees of freedom of sd^2; HUGE_VAL: exact */
    int half;          /* kernel[-half .. half] stands at kernel + half */
    double *kernel;    /* 2*half + 1 values; owned */
} darc_noisemodel;

/* Set n to white noise of standard deviation sd >= 0 (0: exact). */
void darc_noisemodel_init(darc_noisemodel *n, double sd);
void darc_noisemodel_clear(darc_noisemodel *n);

/* Set n[i] to an estimate for table signal[i], i < count.  The noise is taken
 * from the flat end of the spectrum; what rises above it at lower frequency
 * counts as signal, except for rounding, whose whole power is known.  With
 * `coloured`, what is not coherent with any other signal counts as noise:
 * an upper estimate, since harmonics of a signal are not coherent either.
 * By up to `threads` threads, on whose number the result does not depend.
 * Fails: DARC_DATA for fewer than 128 samples in the longest segment, or a
 * non-uniform time. */
DARC_CHECKED darc_status darc_noisemodels_estimate(darc_noisemodel *n,
                                                   const darc_table *table,
                                                   const int *signal, int count,
                                                   bool coloured, int threads,
                                                   darc_err *err);

/* Set n to the noise of a recording in which nothing but noise was recorded:
 * table signal[i], at rest.  White where its spectrum is level; its kind is
 * DARC_NOISE_GIVEN.
 * Fails: DARC_DATA as above, and for a signal that does not move. */
DARC_CHECKED darc_status darc_noisemodel_measure(darc_noisemodel *n,
                                                 const darc_table *table,
                                                 int signal, darc_err *err);

/* Set to to a copy of from. */
void darc_noisemodel_copy(darc_noisemodel *to, const darc_noisemodel *from);

/* Return "white", "coloured", ...; static. */
const char *darc_noise_kind_text(darc_noise_kind kind);

/* Return the standard deviation of white noise from differences of the order
 * at which the estimate settles; *order gets it.  A smooth signal vanishes
 * in high differences; the variance of difference p is binomial(2p, p). */
double darc_noise_from_differences(const double *y, size_t n, int *order);

/* Return the quantisation step of n samples, 0 if they lie on no lattice. */
double darc_noise_step(const double *y, size_t n);

#endif
