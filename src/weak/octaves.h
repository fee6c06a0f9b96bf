/* octaves.h - the spectrum of what the equations leave, over that of white
 * noise: what their fit says of the noise of the signals.
 */
#pragma once

#include "weak/system.h"

enum { DARC_OCTAVES = 10 };

typedef struct {
    int equations;
    int count;     /* octaves that hold DARC_OCTAVES_LEAST values; 0: too few
                      test functions */
    double top;    /* end of the first, Hz; each below ends at half of that */
    bool uneven;   /* noise is stronger where columns are large */
    int *loudest;  /* channel of the most noise in equation q; owned */
    double *share; /* of equation q from share + q*DARC_OCTAVES on: mean square,
                      1 for white noise of the size that signals show; owned */
} darc_octaves;

/* Set o from residuals at the coefficients c that white noise makes white of
 * variance 1: functions x equations, in turn by function.  Cost one Fourier
 * transform an equation, and the moments of a piece. */
void darc_octaves_init(darc_octaves *o, const darc_weak *weak, const double *c,
                       const double *white);
void darc_octaves_clear(darc_octaves *o);
