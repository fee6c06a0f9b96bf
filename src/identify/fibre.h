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

/* A point with a context for its ideals: the variables of the ring, then,
 * where functions with divisors come in, one for the saturation. */
typedef struct {
    nmod_mpoly_ctx_t ctx;
    nmod_t mod;
    slong vars;
    bool divisors; /* whether there is a variable for the saturation */
    ulong *x;      /* the point; vars values */
    bool *cut;     /* NULL, or: variable v is put in as at[v] where cut[v] */
    ulong *at;
} darc_place;

void darc_place_init(darc_place *p, slong vars, bool divisors, ulong prime,
                     flint_rand_t state);
void darc_place_clear(darc_place *p);

/* From now on ideals at p are those of a slice of the fibre, the variables
 * cut[v] being at other random values.  Where these variables are
 * algebraically independent over F, a function is constant on the fibre iff
 * on the slice it has its value at x: every component of the fibre meets a
 * generic slice.  As many as the fibre has dimensions leave finitely many
 * points. */
void darc_place_cut(darc_place *p, const bool *cut, flint_rand_t state);

/* Set b to a basis of the ideal of the fibre of f at p, which is made for
 * divisors if f has any. */
DARC_CHECKED darc_status darc_fibre_init(darc_groebner_t b,
                                         const darc_ratios_t f,
                                         const darc_place *p,
                                         const darc_budget *budget,
                                         darc_err *err);

/* Return whether num/den is constant on the fibre. */
bool darc_fibre_fixes(const darc_groebner_t b, const fmpz_mpoly_t num,
                      const fmpz_mpoly_t den, const fmpz_mpoly_ctx_struct *ctx,
                      const darc_place *p);

#endif
