/* ring.h - polynomials modulo a prime in which an elimination runs, with a
 * generic point of the model.
 *
 * A polynomial of the elimination ideal is irreducible and vanishes at the
 * point; a resultant is such a polynomial times factors that do not vanish
 * there.
 */
#pragma once

#include "algebra/dpoly.h"
#include "base/budget.h"

typedef nmod_mpoly_struct darc_mpoly;

/* Initialise, clear all polynomials of a list that ends in NULL. */
void darc_mpoly_inits(const nmod_mpoly_ctx_t ctx, ...) DARC_ENDS_IN_NULL;
void darc_mpoly_clears(const nmod_mpoly_ctx_t ctx, ...) DARC_ENDS_IN_NULL;

typedef struct {
    slong vars;
    slong side;           /* variables side .. vars - 1 are parameters */
    nmod_mpoly_ctx_t ctx; /* lexicographic */
    nmod_t mod;
    ulong *point; /* value of every variable; owned */
    flint_rand_t rand;
    const darc_budget *budget;
    double work;       /* products of terms done so far in determinants */
    double work_limit; /* DARC_LIMIT beyond */
} darc_ring_struct;

typedef darc_ring_struct darc_ring_t[1];

/* Coefficients by powers of one variable: degree + 1 polynomials. */
typedef struct {
    slong degree; /* -1: the zero polynomial */
    darc_mpoly *c;
} darc_split;

/* Set ring to F_p[vars variables]; point is all zero, to be filled. */
void darc_ring_init(darc_ring_t ring, slong vars, ulong p,
                    const darc_budget *budget);
void darc_ring_clear(darc_ring_t ring);

/* Return DARC_OK while the work and the budget last.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_ring_check(const darc_ring_t ring, darc_err *err);

/* Return the value of f at the point. */
ulong darc_ring_value(const darc_mpoly *f, const darc_ring_t ring);

/* Return the degree of f in v, -1 for f = 0. */
slong darc_ring_degree(const darc_mpoly *f, slong v, const darc_ring_t ring);

void darc_split_init(darc_split *s, const darc_mpoly *f, slong v,
                     const darc_ring_t ring);
void darc_split_clear(darc_split *s, const darc_ring_t ring);

/* Set image to f at random values of all variables but those that are kept. */
void darc_ring_image(darc_mpoly *image, const darc_mpoly *f, const bool *kept,
                     darc_ring_t ring);

/* Set g, none of f, to the gcd of the n polynomials, 0 of none.
 * Fails: DARC_LIMIT on a spent budget or a gcd FLINT gave up. */
DARC_STATUS darc_ring_gcd(darc_mpoly *g, const darc_mpoly *const *f, slong n,
                          darc_ring_t ring, darc_err *err);

/* Set f to its irreducible factor that vanishes at the point, monic.
 * Fails: DARC_INTERNAL when none does (f is 0 or the point is unlucky);
 * DARC_LIMIT on a spent budget or a factorisation FLINT gave up. */
DARC_STATUS darc_ring_factor(darc_mpoly *f, darc_ring_t ring, darc_err *err);
