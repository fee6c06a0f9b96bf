/* groebner.h - Groebner bases modulo a prime, by Buchberger's algorithm with
 * the criteria of Gebauer and Moeller.
 *
 * Made for fibres of coefficient maps: generic points, no variable vanishes,
 * so that monomial factors of a polynomial are dropped.
 */
#pragma once

#include "modular/ring.h"

typedef struct {
    nmod_mpoly_t p; /* monic */
    ulong *lead;    /* exponents of its leading monomial; owned */
    bool active;    /* no later lead divides this one: it still divides */
    bool value;     /* x_v - a, put into all others */
} darc_basis_element;

typedef struct {
    slong i, j;
    slong degree; /* of the lcm of the leading monomials */
    ulong *lcm;   /* owned */
} darc_basis_pair;

typedef struct {
    const nmod_mpoly_ctx_struct *ctx; /* not owned */
    slong vars, count, pairs;
    darc_basis_element *g; /* the active ones are the basis; {1}: the ideal is
                              everything */
    darc_basis_pair *pair; /* still to be treated */
    slong waiting;         /* generators that are not yet among g: */
    nmod_mpoly_struct *fresh;
    slong values;    /* variables that have one value alone: */
    bool *fixed;     /* of variable v, the value at[v]; owned */
    ulong *at;       /* owned */
    double products; /* of terms, not yet taken from a budget */
} darc_groebner_struct;

typedef darc_groebner_struct darc_groebner_t[1];

/* Set b to the ideal {0}. */
void darc_groebner_init(darc_groebner_t b, const nmod_mpoly_ctx_struct *ctx);
void darc_groebner_clear(darc_groebner_t b);

/* Add f, which is used up, to what generates the ideal; x_v - value. */
void darc_groebner_add(darc_groebner_t b, nmod_mpoly_t f);
void darc_groebner_add_value(darc_groebner_t b, slong v, ulong value);

/* Make b a basis of what linear combinations of few terms show of what was
 * added, as it is and without monomial factors, reduced by what they show; the
 * rest waits.
 * Fails: as darc_groebner_find. */
DARC_STATUS darc_groebner_find_short(darc_groebner_t b,
                                     const darc_budget *budget, darc_err *err);

/* Make b a basis of its ideal, saturated by the variables as far as monomial
 * factors appear on the way.
 * Fails: DARC_LIMIT on a spent budget, from which products of terms are taken.
 */
DARC_STATUS darc_groebner_find(darc_groebner_t b, const darc_budget *budget,
                               darc_err *err);

/* Set r to the normal form of f; r may be f.  Return how many products of terms
 * that took, about. */
double darc_groebner_reduce(nmod_mpoly_t r, const nmod_mpoly_t f,
                            const darc_groebner_t b);

/* Return whether f lies in the ideal; whether the ideal is everything. */
bool darc_groebner_contains(const darc_groebner_t b, const nmod_mpoly_t f);
bool darc_groebner_is_one(const darc_groebner_t b);

/* ---- polynomials as vectors of their monomials */

/* Bring the n polynomials f into a reduced echelon form whose pivots are
 * monomials that few of them have, so that combinations of few terms show;
 * return their rank: the others, which become 0, are cleared.  The terms that
 * were touched are added to *terms. */
slong darc_echelon(nmod_mpoly_struct *f, slong n, double *terms,
                   const nmod_mpoly_ctx_t ctx);
