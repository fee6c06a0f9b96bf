/* pooling.h - the least squares over all equations and recordings that values
 * of parameters come from (values.h tells what of); polynomials in these, with
 * their gradients, in double precision.
 */
#pragma once

#include "fit/estimates.h"
#include "projection/coeffs.h"

typedef struct {
    int terms;
    double *factor; /* of each term; owned */
    int *power;     /* terms x vars; owned */
} darc_slopes;

/* Set p to a polynomial of ctx, whose variable v is number place[v] of vars.
 * Release it with darc_slopes_clear. */
void darc_slopes_load(darc_slopes *p, const fmpz_mpoly_struct *from,
                      const fmpz_mpoly_ctx_t ctx, const int *place, int vars);
void darc_slopes_clear(darc_slopes *p);

/* Set p to variable v; to 1 for v = -1. */
void darc_slopes_single(darc_slopes *p, int v, int vars);

/* Return num / den at theta, and set its gradient. */
double darc_slopes_quotient(double *gradient, const darc_slopes *num,
                            const darc_slopes *den, const double *theta,
                            int vars);

typedef struct {
    const darc_question *x;
    const darc_estimates *const *e;
    int recordings, vars, entries;
    darc_coeffs_t c;
    darc_slopes *g; /* entries; owned */
    double **root;  /* of each recording: root' root = V^-1; owned */
    int *rank;      /* rows of each root; owned */
    int rows;       /* of all */
    double *value;  /* entries, then their gradients; owned, with the next */
    double *r, *j;  /* rows; rows x vars: weighed residual, Jacobian */
    double *pinv;   /* vars x vars: of J' J */
    double *shown;  /* vars x vars: the projection on what J shows */
    double *theta;  /* owned */
    double *slope;  /* of each function, functions x vars; owned */
    double least;   /* Q at the minimum */
    double factor;  /* by which sds are widened */
} darc_pooling;

/* Set s, whose x, e and recordings are set, to what they say. */
void darc_pooling_open(darc_pooling *s);
void darc_pooling_close(darc_pooling *s);

/* Set the ratios at theta of a recording's coefficients, and their slopes,
 * coefficients x vars, by the values in s; return whether no reference is 0. */
bool darc_pooling_ratios(double *ratio, double *slope, const darc_pooling *s,
                         int recording);

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
