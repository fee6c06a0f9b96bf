/* pooling.h - the least squares over all equations and recordings that values
 * of parameters come from (values.h tells what of).
 */
#ifndef DARC_DIAGNOSE_POOLING_H
#define DARC_DIAGNOSE_POOLING_H

#include "diagnose/slopes.h"
#include "fit/estimates.h"
#include "projection/coeffs.h"

typedef struct {
    const darc_question *x;
    const darc_estimates *const *e;
    int recordings, vars, entries;
    darc_coeffs_t c;
    darc_slopes *g; /* entries; owned */
    double **root;  /* of each recording: root' root = V^-1; owned */
    int *rank;      /* rows of each root; owned */
    int rows;       /* of all */
    double *value;  /* entries, then their gradients; owned */
    double *r, *j;  /* rows; rows x vars: weighed residual, Jacobian; owned */
    double *pinv;   /* vars x vars: of J' J; owned */
    double *shown;  /* vars x vars: the projection on what J shows; owned */
    double *theta;  /* owned */
    double *slope;  /* of each function, functions x vars; owned */
    double least;   /* Q at the minimum */
    double factor;  /* by which sds are widened */
} darc_pooling;

/* Set s, whose x, e and recordings are set, to what they say; own: as many
 * places as the model has names. */
void darc_pooling_open(darc_pooling *s, int *own);
void darc_pooling_close(darc_pooling *s);

/* Return what a recording says of the equation of a vector of coefficients. */
const darc_estimates_equation *darc_pooling_equation(const darc_pooling *s,
                                                     int recording, int vector);

/* Set theta near what makes the coefficients of the first recording; return
 * whether there is such a place. */
DARC_CHECKED bool darc_pooling_begin(darc_pooling *s);

/* Set r and j at theta; return Q, HUGE_VAL where it has none. */
double darc_pooling_square(darc_pooling *s, const double *theta);

/* Set pinv and shown from j, in the scale of its columns; return the rank. */
int darc_pooling_invert(darc_pooling *s);

/* Move theta to a minimum of Q, by halved steps of Gauss and Newton; return Q.
 * r and j belong to theta then. */
double darc_pooling_descend(darc_pooling *s);

#endif
