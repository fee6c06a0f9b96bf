/* linear.h - the match made linear at its minimum: what is left, the space that
 * its unknowns move it in.
 */
#pragma once

#include "trajectory/match.h"

typedef struct {
    size_t rows;        /* of all recordings, samples that there are */
    int columns;        /* of theta, then unknowns of each recording */
    int rank;           /* of the slopes */
    double information; /* logarithm of the determinant of their products */
    double *left;       /* weighed; owned */
    double *base; /* orthonormal columns of their space, rows x rank; owned */
    double *inverse; /* columns x columns: covariance in units of the level, on
                        the space that is seen; owned */
    double *unseen;  /* of each column: the share of it in the null space;
                        owned */
    size_t *first;   /* first row of each recording, and the end; owned */
} darc_linear_match;

/* Set l; return whether there is a trajectory. */
bool darc_linear_match_init(darc_linear_match *l, darc_match *m);
void darc_linear_match_clear(darc_linear_match *l);

/* Take what lies in the space of l off x, of l->rows. */
void darc_linear_match_rest(const darc_linear_match *l, double *x);
