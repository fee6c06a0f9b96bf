/* fibre.h - fibres of rational functions of the parameters at random points.
 *
 * The functions f_k = num_k/den_k generate a field F.  The fibre at a point p
 * holds the x with f_k(x) = f_k(p); its ideal, saturated by the den_k, says
 * of every function whether it is constant there: for a random p modulo a
 * large prime that means that it is in F.
 */
#ifndef DARC_IDENTIFY_FIBRE_H
#define DARC_IDENTIFY_FIBRE_H

#include "identify/ratios.h"
#include "modular/groebner.h"

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
