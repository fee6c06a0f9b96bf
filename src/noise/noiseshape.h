/* noiseshape.h - the spectrum of low-pass noise, fitted above the signal. */
#ifndef DARC_NOISE_NOISESHAPE_H
#define DARC_NOISE_NOISESHAPE_H

#include "darc/status.h"
#include "noise/psd.h"

#include <stdbool.h>

/* Density inside / (1 + (f / corner)^(2 order)) + floor at frequency f. */
typedef struct {
    double inside; /* unit^2/Hz */
    double corner; /* Hz */
    double order;
    double floor; /* unit^2/Hz */
    double begin; /* fitted from here, Hz */
    double dof;   /* degrees of freedom of the density below begin */
} darc_noiseshape;

/* Return the density at f. */
double darc_noiseshape_at(const darc_noiseshape *s, double f);

/* Fit the spectrum of signal i of psd down to the lowest frequency at which
 * it still has this shape, not below `least` Hz, by the likelihood of
 * averaged periodograms [Whittle 1953].  Return false when no tenth of an
 * octave has it, or the densities inside are known to no better than a
 * factor of two.  Cost O(bins + 1e4). */
bool darc_noiseshape_fit(darc_noiseshape *s, const darc_psd *psd, int i,
                         double least);

#endif
