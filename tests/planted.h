/* planted.h - random systems that have a known solution. */
#ifndef DARC_TEST_PLANTED_H
#define DARC_TEST_PLANTED_H

#include "ring.h"

/* A ring in x, y (states) and t with a system that the polynomials x(t) and
 * y(t) solve. */
typedef struct {
    ring r;
    fmpz_poly_struct solution[3]; /* x, y, t */
} planted;

/* `equations` equations of order <= order, made of products of 1 .. 3
 * factors, one of which vanishes on the solution, and of sums of two. */
void planted_init(planted *p, int equations, int order, const char *ranking,
                  unsigned long seed);
void planted_clear(planted *p);

/* Return whether q, in the frame jet, vanishes on the solution. */
int planted_solves(const planted *p, const darc_dpoly_t q,
                   const darc_jet_t jet);

#endif
