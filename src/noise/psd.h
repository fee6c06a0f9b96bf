/* psd.h - power spectral densities by averaged periodograms. */
#ifndef DARC_NOISE_PSD_H
#define DARC_NOISE_PSD_H

#include "data/table.h"

#include <stddef.h>

typedef struct {
    int bins; /* frequencies k*df, k = 0 .. bins - 1 */
    int signals;
    double df;         /* Hz */
    double averages;   /* number of practically independent periodograms */
    double *s;         /* one-sided density of signal i at s + i*bins,
                          unit^2/Hz; owned */
    double *variance;  /* of the samples of each signal; owned */
    double *coherence; /* largest squared coherence with another signal,
                          averaged over block neighbours; owned */
} darc_psd;

/* Set p, by up to `threads` threads, to the spectra of signals: segments of
 * `length` (a power of two) samples that overlap by half, of their differences,
 * straight line removed, four-term Blackman-Harris window (side lobes below -92
 * dB).  Segments shorter than `length` are left out; bins = 0 when none is
 * left. */
void darc_psd_init(darc_psd *p, const darc_table *table, const int *signal,
                   int signals, int length, int threads);
void darc_psd_clear(darc_psd *p);

#endif
