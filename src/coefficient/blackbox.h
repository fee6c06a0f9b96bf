/* blackbox.h - the coefficients of io-equations as a black box: their values at
 * any parameters modulo any prime, without the expanded equation.
 *
 * They come from the polynomials where these are known; otherwise from the
 * values of the monomials at points, where these are few, or from the
 * elimination of the states with numbers for the parameters.  Entry k of
 * equation e is the coefficient of part k; the entries of one equation are
 * known up to a common factor.
 */
#pragma once

#include "base/budget.h"
#include "projection/coeffs.h"
#include "projection/ioeq.h"
#include "projection/route.h"

/* Where the coefficients of an equation stand that is not expanded: all its
 * monomials, that of part k which no other part has with the coefficient
 * k + 1, the others with one larger than the number of parts. */
typedef struct {
    darc_dpoly_t monomial;
    slong *factor; /* of part k: what its monomial has there; owned */
} darc_support;

typedef struct {
    const darc_ioeqs_struct *io; /* NULL: others than those of io-equations */
    slong vars;                  /* parameters */
    int *unknown; /* variable v is parameter unknown[v] of the model; owned */
    int count;    /* of equations */
    slong *first; /* entries of equation e: first[e] .. first[e + 1] - 1 */
    bool polynomials;      /* whether c holds them; else: */
    darc_coeffs_t c;       /* one vector an equation */
    darc_problem_t p;      /* the elimination */
    int *equation;         /* of output j */
    darc_support *support; /* of equation e; owned */
    darc_route route;      /* of the elimination */
    const darc_budget *budget;
    flint_rand_t rand;
    slong calls; /* evaluations so far */
} darc_blackbox_struct;

typedef darc_blackbox_struct darc_blackbox_t[1];

/* Set g to the coefficients of the equations io of model (NULL: io is
 * expanded). g keeps io and budget. Fails: DARC_DOMAIN when io is not expanded
 * and the model has no solved form, or parts are joined so that one has no
 * monomial of its own; DARC_LIMIT on a spent budget. */
DARC_STATUS darc_blackbox_init(darc_blackbox_t g, const darc_ioeqs_t io,
                               const darc_model *model,
                               const darc_budget *budget, darc_err *err);

/* Set g to the vectors c instead, which it takes over. */
void darc_blackbox_init_take(darc_blackbox_t g, darc_coeffs_t c,
                             const darc_budget *budget);
void darc_blackbox_clear(darc_blackbox_t g);

/* Set value (first[count] places) to the coefficients at x (vars values)
 * modulo mod.n.
 * Fails: DARC_DOMAIN when they have no value there; DARC_LIMIT on a spent
 * budget. */
DARC_STATUS darc_blackbox_at(ulong *value, darc_blackbox_t g, const ulong *x,
                             nmod_t mod, darc_err *err);

/* Return whether the coefficients a and b agree up to a factor for each
 * equation. */
bool darc_blackbox_agree(const ulong *a, const ulong *b,
                         const darc_blackbox_t g, nmod_t mod);

/* ---- monomials whose coefficients depend on each other, found by values at
 * random points modulo a prime: the reduced basis R of their space says
 * c_j = sum_i R_ij c_p(i) with the pivots p(i) */

/* Join the monomials of equations that are not expanded: their coefficients
 * may be linearly dependent over Q, which their values modulo a prime show;
 * then the parts become sums of monomials with independent coefficients.
 * Monomials stay single where that takes more than `work` products of terms,
 * or the values are not to be had.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_ioeqs_group_support(darc_ioeqs_t io, const darc_model *model,
                                     double work, const darc_budget *budget,
                                     darc_err *err);
