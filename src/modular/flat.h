/* flat.h - polynomials modulo a prime with the parameters put in, as flat
 * arrays that are evaluated on truncated power series. */
#ifndef DARC_MODULAR_FLAT_H
#define DARC_MODULAR_FLAT_H

#include "algebra/dpoly.h"

typedef struct {
    slong terms;
    ulong *coeff; /* coeff[t] of term t */
    slong *first; /* factors first[t] .. first[t+1] - 1 are term t's */
    slong *var;   /* variable of a factor */
    slong *exp;   /* and its exponent >= 1 */
} darc_flat;

/* Powers of series: power[v][e] for 1 <= e <= degree[v]. */
typedef struct {
    slong vars, length;
    slong *degree;
    ulong ***power;
} darc_powers;

/* Set f to p with the parameters value[u] put in, modulo mod. */
void darc_flat_set(darc_flat *f, const darc_dpoly_t p, const darc_jet_t jet,
                   ulong *const *value, nmod_t mod);

void darc_flat_clear(darc_flat *f);

/* Make room for the powers that the count polynomials f need; power 1 of
 * variable v is variable[v], not copied. */
void darc_powers_init(darc_powers *w, slong vars, slong length,
                      const darc_flat *f, slong count, ulong *const *variable);
void darc_powers_clear(darc_powers *w);

/* Extend every power by its coefficient k; power 1 is known to k. */
void darc_powers_extend(darc_powers *w, slong k, nmod_t mod);

/* Return coefficient k of f on the series; powers are known to k.  scratch
 * holds 2 * (k + 1) values. */
ulong darc_flat_coeff(const darc_flat *f, const darc_powers *w, slong k,
                      ulong *scratch, nmod_t mod);

#endif
