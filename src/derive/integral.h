/* integral.h - integrals of what an expression is, from the first sample of
 * each run without a gap, where they are 0: of cubics through four samples on
 * even time, by trapezoids on the times as they are elsewhere.
 *
 * An integral depends on all samples before: its state is kept every
 * DARC_INTEGRAL_STEP samples, so that it can be taken up anywhere.
 */
#ifndef DARC_DERIVE_INTEGRAL_H
#define DARC_DERIVE_INTEGRAL_H

#include "derive/strip.h"

typedef struct {
    int runs;        /* samples before that were known in a row, 3 at most */
    double last[3];  /* their values, the last first */
    double value;    /* the integral up to it */
    double variance; /* of its error */
} darc_integral_state;

typedef struct {
    darc_integral_state
        *state; /* before sample k * DARC_INTEGRAL_STEP; owned */
} darc_integral;

/* Set it up for a table; no state is known yet. */
void darc_integral_init(darc_integral *g, const darc_table *table);
void darc_integral_clear(darc_integral *g);

/* Go from state s, before the first sample of the stretch, to that behind its
 * last.  Set out to the integral, and sd, unless NULL, to that of its error:
 * variance is that of the argument, of errors of neighbouring samples that
 * have nothing to do with each other. */
void darc_integral_run(darc_integral_state *s, double *out, double *sd,
                       const darc_stretch *v, const darc_strip *variance,
                       const darc_table *table);

#endif
