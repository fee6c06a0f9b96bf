/* slopes.h - polynomials in the parameters, their values and gradients in
 * double precision. */
#ifndef DARC_DIAGNOSE_SLOPES_H
#define DARC_DIAGNOSE_SLOPES_H

#include "base/flint.h"

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

/* Return p, num / den at theta, and set its gradient. */
double darc_slopes_value(double *gradient, const darc_slopes *p,
                         const double *theta, int vars);
double darc_slopes_quotient(double *gradient, const darc_slopes *num,
                            const darc_slopes *den, const double *theta,
                            int vars);

#endif
