/* shelf.h - what the spectrum of a signal shows above its band: the shelf of
 * the noise.
 *
 * Frequencies are bins of a periodogram, densities variances of white noise
 * that has them.  A signal ends where the spectrum has sunk to the shelf.
 * Noise inside the band is not seen: that it is as strong as on the shelf is
 * concluded only where the shelf is shown to be flat over an octave.
 */
#pragma once

#include "noise/periodogram.h"

#include <stdbool.h>

typedef struct {
    int power_band;   /* below this bin lies 99 % of the power, noise taken off;
                         not less than what the spectrum resolves */
    int signal_band;  /* up to this bin the signal, its lines included, stands
                         above twice the level */
    int line;         /* the first above that, hum; 0: none */
    int begin;        /* the shelf: from this bin to 0.98 of the end */
    double level;     /* density of the shelf, lines taken out */
    double ordinates; /* independent values from which it is known */
    bool flat;        /* shown so, and no harmonic of hum folds into the band */
    double sure;      /* standard deviations by which red noise is excluded */
    double raise;     /* the density inside the band may be this much higher,
                         at 99 %, if the shelf goes on as it leans; >= 1 */
    double seen;      /* variance above 1.25 times signal_band */
    double beyond;    /* the same above 1.25 times power_band: noise, or weak
                         harmonics of the signal */
} darc_shelf;

/* Set out from signal i of p, whose samples have the given variance > 0.
 * Densities below that of noise of variance `least` count as that. */
void darc_shelf_find(darc_shelf *out, const darc_periodogram *p, int i,
                     double variance, double least);

/* Lower the level of a shelf of signal i to this: it is not flat, and what
 * stands above belongs to the signal. */
void darc_shelf_lower(darc_shelf *s, const darc_periodogram *p, int i,
                      double variance, double level);

/* Set bin to where lines of signal 0 stand highest, by frequency; return how
 * many, 0 where they are more than DARC_LINES_ALL. */
int darc_shelf_lines(int *bin, const darc_periodogram *p);

/* Set out to what signal 0 of a table holds.  Return whether that is flat at
 * all frequencies, which is white where out->sure, by itself or with that of
 * others, is above DARC_ALL_SIGMAS. */
bool darc_shelf_is_all(darc_shelf *out, const darc_table *table);

/* Return the bin of p below which 99 % of the variance of signal i lies, noise
 * of density `level` taken off; not less than what p resolves. */
int darc_shelf_band(const darc_periodogram *p, int i, double variance,
                    double level);
