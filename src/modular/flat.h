/* flat.h - polynomials modulo a prime with the parameters put in, as flat
 * arrays that are evaluated on truncated power series. */
#pragma once

#include "algebra/dpoly.h"

typedef struct {
    nmod_t mod;
    slong terms;
    ulong *coeff; /* coeff[t] of term t */
    slong *first; /* factors first[t] .. first[t+1] - 1 are term t's */
    slong *var;   /* variable of a factor; a square has two */
} darc_flat;

/* Set f to p with the parameters value[u] put in, modulo mod. */
void darc_flat_set(darc_flat *f, const darc_dpoly_t p, const darc_jet_t jet,
                   ulong *const *value, nmod_t mod);
void darc_flat_clear(darc_flat *f);

/* Set out[k], from <= k < n, to coefficient k of f where variable v has the
 * series variable[v], known to n coefficients; scratch holds 2 * n values. */
void darc_flat_series(ulong *out, slong from, slong n, const darc_flat *f,
                      ulong *const *variable, ulong *scratch);
