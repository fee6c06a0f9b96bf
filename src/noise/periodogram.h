/* periodogram.h - averaged periodograms of the signals of a recording.
 *
 * Everything is counted in samples: bin k stands for k / (2 (bins - 1)) cycles
 * a sample, and a density is told as the variance of white noise that has it.
 * The spacing of the samples does not enter.
 */
#pragma once

#include "data/table.h"

typedef struct {
    int bins; /* 0: no segment is long enough */
    int signals;
    double averages;  /* independent periodograms that make up one bin */
    double ordinates; /* independent values that all bins hold together */
    double *s;        /* density k of signal i at s + i*bins; owned, with */
    double *moment;   /* mean, less some origin, and variance of the samples of
                         signal i under the windows, at moment + 2*i */
} darc_periodogram;

/* Set p to the spectra of signals of the table from stretches of a power of
 * two, 32 to 8192 samples, between one and two of `parts` equal parts of the
 * longest segment where that is long enough, that begin a quarter of their
 * length apart; of long recordings from about 40 stretches, spread evenly.  Of
 * each the differences are taken, without their straight line, under a
 * four-term window (side lobes below -93 dB, main lobe 4 bins on either side).
 * Segments shorter than a stretch are left out.  The differences leave bins 0
 * to 4 with more than the true density of white noise.  What moves at the very
 * ends of a segment, or between stretches, the windows hide.  `all` of it is
 * seen by all stretches, however many, and by such as go on beyond the ends by
 * half their length, with samples in turned order; that kink raises high
 * frequencies.  Cost O(5e5 signals) at most; O(samples signals) of all. */
void darc_periodogram_init(darc_periodogram *p, const darc_table *table,
                           const int *signal, int signals, int parts, bool all);

/* The same of signal 0, whose spectrum is nearly level: of the samples
 * themselves, under half a sine, so that more values are independent. */
void darc_periodogram_level(darc_periodogram *p, const darc_table *table);
void darc_periodogram_clear(darc_periodogram *p);
