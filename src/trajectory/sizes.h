/* sizes.h - how large the terms of rates are along a match, as RMS.
 *
 * Other values of the parameters make part of a term that is missing: what is
 * left of it after least squares on the slopes of its rate by the parameters is
 * what the rate lacks, as the weak form counts it.
 */
#pragma once

#include "trajectory/forcing.h"

typedef struct {
    double *size;  /* of the largest term of each rate, by recording; owned, all
                      in one */
    double *state; /* of each state, likewise */
    double *term;  /* of each candidate, all recordings */
    double *net;   /* of that, the share that no parameter of its rate makes up
                      for */
} darc_sizes;

/* Set s along the match of x, with such candidates; return whether there is a
 * trajectory.  Release it with darc_sizes_clear in any case. */
bool darc_sizes_init(darc_sizes *s, darc_trajectory *x,
                     const darc_lacking *term, int terms);
void darc_sizes_clear(darc_sizes *s);

/* Return the signals' product that l is of, at the states y. */
double darc_lacking_at(const darc_flow *w, const darc_lacking *l,
                       const double *y);
