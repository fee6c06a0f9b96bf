/* fibre.h - fibres of rational functions of the parameters at random points.
 *
 * The functions f_k = num_k/den_k generate a field F.  The fibre at a point p
 * holds the x with f_k(x) = f_k(p); its ideal, saturated by the den_k, says
 * of every function whether it is constant there: for a random p modulo a
 * large prime that means that it is in F.
 */
#ifndef DARC_IDENTIFY_FIBRE_H
#define DARC_IDENTIFY_FIBRE_H

#include "modular/groebner.h"
#include "projection/coeffs.h"

/* Rational functions in the variables of a ring. */
typedef struct {
    const fmpz_mpoly_ctx_struct *ctx; /* not owned */
    slong count;
    size_t alloc, den_alloc;
    fmpz_mpoly_struct *num, *den; /* in lowest terms */
} darc_ratios_struct;

typedef darc_ratios_struct darc_ratios_t[1];

void darc_ratios_init(darc_ratios_t f, const fmpz_mpoly_ctx_struct *ctx);
void darc_ratios_clear(darc_ratios_t f);

/* Return whether a divisor is more than a number. */
bool darc_ratios_have_divisors(const darc_ratios_t f);

/* Append num/den in lowest terms; a number and what stands there already, or
 * its inverse, are left out.  Return whether it was appended. */
bool darc_ratios_append(darc_ratios_t f, const fmpz_mpoly_t num,
                        const fmpz_mpoly_t den);

/* Remove entry k; those behind it move up. */
void darc_ratios_remove(darc_ratios_t f, slong k);

/* Sort from k on: short ones of low degree first. */
void darc_ratios_sort(darc_ratios_t f, slong k);

/* Return the rank of the Jacobian of f at a random point modulo a prime: the
 * transcendence degree of F. */
slong darc_ratios_rank(const darc_ratios_t f, ulong seed);

/* Mark variables that are algebraically independent over F: as many as a fibre
 * has dimensions. */
void darc_ratios_independent(bool *marked, const darc_ratios_t f);

/* A fibre of ratios through a point modulo a prime; its ring has the variables
 * of the ratios, then, where functions with divisors come in, one for the
 * saturation.
 *
 * It may be cut: variables cut[v] are at other random values.  Where these are
 * algebraically independent over F, a function is constant on the fibre iff
 * on the slice it has its value at x: every component of the fibre meets a
 * generic slice.  As many as the fibre has dimensions leave finitely many
 * points. */
typedef struct {
    const fmpz_mpoly_ctx_struct *ring; /* of the ratios; not owned */
    nmod_mpoly_ctx_t ctx;
    nmod_t mod;
    slong vars;
    bool divisors; /* whether there is a variable for the saturation */
    ulong *x;      /* the point; vars values; owned */
    bool *cut;     /* NULL, or: variable v is put in as at[v] where cut[v] */
    ulong *at;     /* owned, as cut is */
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
DARC_CHECKED darc_status darc_fibre_find(darc_fibre *w, const darc_ratios_t f,
                                         darc_err *err);

/* Return whether num/den is constant on the fibre, whose ideal is found. */
bool darc_fibre_fixes(const darc_fibre *w, const fmpz_mpoly_t num,
                      const fmpz_mpoly_t den);

#endif
