/* series.h - power-series solutions of a solved form modulo a prime: the
 * second route by which tests verify algebra. */
#ifndef DARC_TESTS_SERIES_H
#define DARC_TESTS_SERIES_H

#include "base/flint.h"
#include "model/solved.h"

typedef struct {
    ulong prime;
    slong length;         /* terms of every series */
    int unknowns;         /* of the model */
    nmod_poly_struct *at; /* at[u] of every unknown */
} series_solution;

/* Set x to the solution of s with random parameters, initial values and
 * inputs; return 0 when a denominator vanishes there. */
int series_init(series_solution *x, const darc_solved_t s, slong length,
                flint_rand_t state);
void series_clear(series_solution *x);

/* Return p at the origin, p in any frame of the same names; orders below
 * x->length. */
ulong series_value(const darc_dpoly_t p, const series_solution *x,
                   const darc_jet_t jet);

#endif
