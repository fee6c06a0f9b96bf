/* fibre.h - fibres of rational functions f_k of the parameters at random
 * points: what is constant there is in the field that they generate
 * (src/MATHEMATICS.md, 11). */
#pragma once

#include "algebra/ratios.h"
#include "modular/groebner.h"

/* A fibre of ratios through a point modulo a prime; its ring has the variables
 * of the ratios, then, where functions with divisors come in, one for the
 * saturation.  It may be cut: variables cut[v], algebraically independent over
 * the field, are at other random values. */
typedef struct {
    const fmpz_mpoly_ctx_struct *ring; /* of the ratios; not owned */
    nmod_mpoly_ctx_t ctx;
    nmod_t mod;
    slong vars;
    bool divisors; /* whether there is a variable for the saturation */
    ulong *x;      /* the point; vars values; owned */
    slong *place;  /* NULL, or: variable v is put in as at[v] where < 0, else v
                    */
    ulong *at;     /* owned, as place is */
    darc_groebner_t basis; /* of its ideal, once it is found */
    const darc_budget *budget;
} darc_fibre;

/* Set w to the fibre through a random point of ratios like f, without its
 * ideal; cut may be NULL.  w has a variable for the saturation if f has
 * divisors, or `divisors` says so. */
void darc_fibre_init(darc_fibre *w, const darc_ratios_t f, bool divisors,
                     const bool *cut, ulong prime, flint_rand_t state);
void darc_fibre_clear(darc_fibre *w);

/* Find the ideal of the fibre of f, which may be other ratios than before.
 * Fails: DARC_LIMIT on a spent budget (w->budget). */
DARC_STATUS darc_fibre_find(darc_fibre *w, const darc_ratios_t f,
                            darc_err *err);

/* Find values of single variables alone, as far as combinations of generators
 * show them: w->basis->fixed.
 * Fails: as darc_fibre_find. */
DARC_STATUS darc_fibre_fix(darc_fibre *w, const darc_ratios_t f, darc_err *err);

/* Set q to num*den(x) - num(x)*den modulo the prime, and d to den; variable v
 * becomes target[v] (NULL: itself, or its value if it is cut). */
void darc_fibre_equation(nmod_mpoly_t q, nmod_mpoly_t d, const fmpz_mpoly_t num,
                         const fmpz_mpoly_t den, const slong *target,
                         const darc_fibre *p);

/* Return whether num/den is constant on the fibre, whose ideal is found. */
bool darc_fibre_fixes(const darc_fibre *w, const fmpz_mpoly_t num,
                      const fmpz_mpoly_t den);

/* The rational points of a fibre that is cut down to finitely many (the witness
 * points of numerical algebraic geometry). */
typedef struct {
    slong vars, count;
    ulong *x; /* point i at i * vars; owned */
    bool all; /* whether these are all points over every extension */
} darc_slice_struct;

typedef darc_slice_struct darc_slice_t[1];

/* Set s to the points of w, whose ideal is found and has finitely many.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_slice_init(darc_slice_t s, const darc_fibre *w, darc_err *err);
void darc_slice_clear(darc_slice_t s);
