/* jet.h - a finite frame of derivatives as the variables of a FLINT context.
 *
 * FLINT contexts have fixed variables, so all derivatives up to an order
 * bound per unknown are allocated beforehand.  Variable 0 is the highest
 * derivative under the ranking and the term order is lexicographic: the
 * leader of a differential polynomial is its first variable.  When a bound
 * turns out too small the computation starts again in a larger frame
 * (darc_dpoly_move carries polynomials over).
 */
#pragma once

#include "algebra/names.h"
#include "algebra/ranking.h"
#include "base/flint.h"

typedef struct {
    darc_names_t names;     /* owned copy */
    darc_ranking_t ranking; /* owned copy */
    int *bound;             /* highest order of unknown u in the frame */
    slong *first;           /* index[first[u] + k] is the variable of (u, k) */
    slong *index;
    slong vars;        /* number of FLINT variables, >= 1 */
    darc_deriv *deriv; /* deriv[v] of variable v, v = 0 .. vars - 1 */
    fmpz_mpoly_ctx_t ctx;
} darc_jet_struct;

typedef darc_jet_struct darc_jet_t[1];

/* Set jet to the frame of all derivatives (u, k), 0 <= k <= bound[u].  The
 * bound of parameters and of time is taken as 0. */
void darc_jet_init(darc_jet_t jet, const darc_names_t names,
                   const darc_ranking_t ranking, const int *bound);
void darc_jet_clear(darc_jet_t jet);

/* Return the variable of d, -1 when it lies outside the frame.  O(1). */
slong darc_jet_var(const darc_jet_t jet, darc_deriv d);

/* Return whether unknown u is constant (a parameter). */
int darc_jet_is_constant(const darc_jet_t jet, int u);
