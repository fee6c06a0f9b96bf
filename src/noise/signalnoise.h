/* signalnoise.h - the noise of a measured signal, and the band of the signal.
 *
 * Noise is white noise of unit variance through a kernel: n(t) = sum_j
 * kernel[j] z(t - j); white noise has kernel = {sd}.  It is given by the user,
 * measured in a recording at rest, or read off the spectrum of the signal,
 * above its band.  That says something of the noise inside the band only where
 * the spectrum is shown to be flat.
 */
#pragma once

#include "data/table.h"
#include "stats/autoregress.h"

#include <stdint.h>

typedef enum {
    DARC_COLOUR_EXACT,    /* no noise: a staircase, or said so */
    DARC_COLOUR_COMPUTED, /* of an input that a controller made (controller.h):
                             white, as much as that leaves open */
    DARC_COLOUR_GIVEN,    /* white, by the user */
    DARC_COLOUR_MEASURED, /* in a recording at rest */
    DARC_COLOUR_WHITE,    /* shown by the spectrum above the band */
    DARC_COLOUR_FLOOR,    /* flat, but below DARC_NOISE_CREDIBLE of the RMS:
                             there is no noise, or a filter has left it inside
                             the band only, which the spectrum cannot tell */
    DARC_COLOUR_ANY       /* not known: sd is what the top of the spectrum
                             shows, and what it can show if nothing flat */
} darc_colour;

typedef struct {
    darc_colour colour;
    double sd;          /* RMS of the noise in all, unit of the signal */
    double dof;         /* of sd^2; measured noise: of the density in the band,
                           see darc_signalnoise_measured; HUGE_VAL: exact */
    double raise;       /* at 99 % the variance that the noise inside the band
                           has as white noise is below raise * sd^2; HUGE_VAL:
                           nothing is known */
    double step;        /* of quantisation; 0: none */
    double rms;         /* of the signal about its mean */
    double power_band;  /* below it lies 99 % of the signal's power, noise taken
                           off, Hz; not less than what the spectrum resolves */
    double bulk_band;   /* the same by stretches of a tenth of the recording:
                           what is slower does not count */
    double signal_band; /* up to here the signal, lines included, stands above
                           twice the noise, Hz */
    double line;        /* the first line above that, hum, Hz; 0: none */
    double seen;        /* RMS of all above 1.25 signal_band */
    double beyond;      /* RMS of all above 1.25 power_band: what is not noise
                           of it are weak harmonics */
    double jump;        /* least between the levels that it switches between,
                           with noise on them; 0: it does not */
    int taps;           /* of the kernel, 1 or more */
    double *kernel;     /* owned */
} darc_signalnoise;

/* Set n[i] to what table signal[i] shows, i < count.  A staircase
 * (lattice.h) is exact.  Variances are not below step^2 / 12, and not below
 * DARC_NOISE_FLOOR times the RMS of the signal.  Cost O(samples) in time,
 * 10 ms for 1e6 samples of a signal.
 * Fails: DARC_DATA for fewer than DARC_NOISE_SAMPLES samples in the longest
 * segment, or a non-uniform time; nothing is left to be released. */
DARC_STATUS darc_signalnoise_read(darc_signalnoise *n, const darc_table *table,
                                  const int *signal, int count, darc_err *err);
/* Set n to a copy of what was read elsewhere. */
void darc_signalnoise_copy(darc_signalnoise *n, const darc_signalnoise *from);
void darc_signalnoise_clear(darc_signalnoise *n);

/* Set out to a model of the noise of table signal[i], recorded at rest: of the
 * longest segment, 2^17 samples at most.
 * Fails: DARC_DATA as above, and for a signal that does not move. */
DARC_STATUS darc_signalnoise_rest(darc_autoregress *out,
                                  const darc_table *table, int signal,
                                  darc_err *err);

/* Replace what was read by white noise that is known to have this sd >= 0; 0:
 * none.  The bands and RMS stay. */
void darc_signalnoise_give(darc_signalnoise *n, double sd);

/* Replace what was read by what the computation of a controller leaves. */
void darc_signalnoise_compute(darc_signalnoise *n, double left);

/* Replace it by noise that was measured at the same rate.  dof is 2 over the
 * relative variance of its density, averaged over the frequencies up to
 * power_band, where that is largest; dt is the time between samples, s.  A sum
 * of squares of k moments, whitened by this noise, is k times a variable with
 * the F distribution of k and dof degrees of freedom.  By experiment, a test of
 * many moments at .01 rejects .00 to .035 at 1000 samples of rest and .00 to
 * .015 at 5000, for white noise, AR(.5, .9, .99), low-pass noise at .05 and .3
 * of Nyquist, in bands of .05 and .2 of Nyquist; at 300 samples of AR(.99),
 * three times its memory, .06 to .11. */
void darc_signalnoise_measured(darc_signalnoise *n,
                               const darc_autoregress *rest, double dt);

/* Return "exact", "given", ...; static. */
const char *darc_colour_text(darc_colour colour);

/* Add noise like that of a recording to n samples x. */
void darc_signalnoise_add(double *x, size_t n, const darc_signalnoise *noise,
                          uint64_t seed, uint64_t stream);
