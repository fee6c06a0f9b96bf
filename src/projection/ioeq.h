/* ioeq.h - input-output equations: the states eliminated.
 *
 * E = sum_k coeff[k](theta) * part[k](y, u): a differential polynomial in
 * measured signals of minimal order, irreducible, primitive over the
 * integers; the coeff are linearly independent over Q, so that along a
 * solution the parts obey that one linear relation and no other.
 */
#pragma once

#include "algebra/partial.h"
#include "algebra/solution.h"
#include "base/budget.h"
#include "base/carrier.h"
#include "model/model.h"

typedef struct {
    bool expanded;       /* whether poly and coeff are known; otherwise they
                            are empty and part holds the monomials of E, or
                            sums of them (darc_ioeqs_group_support) */
    darc_dpoly_t poly;   /* E */
    darc_deriv leader;   /* its leader among the outputs */
    darc_dpolys_t coeff; /* in the parameters alone */
    darc_dpolys_t part;  /* in signals and their derivatives alone; integer
                            polynomials, E = sum_k coeff[k]*part[k] exactly */
    const char *engine;  /* "general", "projection", "linear", "model" (an
                            equation of the model as it stands); static */
    double cpu_s;        /* its share, by terms, of the CPU seconds of all */
} darc_ioeq;

typedef struct {
    darc_jet_t jet; /* names as in the model; states absent from E; the
                       parameters are the lowest block */
    int count;
    darc_ioeq *eq; /* ascending leaders, one for each output bound; owned */
    bool coupled;  /* the equations are linear in all leaders together, a
                      highest derivative each, and solved for none of them */
    bool bound;    /* laws of derived signals made equations shorter: as free
                      signals they would tell more of the parameters */
    bool linked;   /* the leaders obey a further relation, which is not among
                      eq: all follow from the model, but not all that follows,
                      and parameters may be better identifiable than they show */
    darc_dpolys_t inequations; /* of the model and the elimination */
} darc_ioeqs_struct;

typedef darc_ioeqs_struct darc_ioeqs_t[1];

void darc_ioeqs_clear(darc_ioeqs_t e);

/* Return whether all are expanded. */
bool darc_ioeqs_are_expanded(const darc_ioeqs_t e);

/* Set e to no equation in a frame of its own with the given names, ranking
 * and bounds; then append equations, in that frame. */
void darc_ioeqs_init_frame(darc_ioeqs_t e, const darc_names_t names,
                           const darc_ranking_t ranking, const int *bound);

/* Replace e by no equation in another frame. */
void darc_ioeqs_reframe(darc_ioeqs_t e, const darc_names_t names,
                        const darc_ranking_t ranking, const int *bound);

/* Append the equation poly = 0 (made primitive) found by `engine`:
 * leader and groups are set.  poly has no state and a leader that
 * is no parameter. */
void darc_ioeqs_append(darc_ioeqs_t e, const darc_dpoly_t poly,
                       const char *engine);

/* The same with that variable as leader. */
void darc_ioeqs_append_led(darc_ioeqs_t e, const darc_dpoly_t poly,
                           slong leader, const char *engine);

/* Remove all equations. */
void darc_ioeqs_drop(darc_ioeqs_t e);

/* Set p to the equations of e, as done. */
void darc_ioeqs_reach(darc_partial_t p, const darc_ioeqs_t e);

/* Make s, random signals with the names of e, a random solution of e, which is
 * expanded, with the parameters that it has.
 * Fails: DARC_INTERNAL when none is found; s is then cleared. */
DARC_STATUS darc_ioeqs_solve(darc_solution_t s, const darc_ioeqs_t e,
                             flint_rand_t state, darc_err *err);

/* Return the highest order of a derivative in E. */
int darc_ioeq_order(const darc_ioeq *eq, const darc_jet_t jet);

/* Append the equation whose monomials are those of sum, not expanded. */
void darc_ioeqs_append_support(darc_ioeqs_t e, const darc_dpoly_t sum,
                               const char *engine);

/* Put fractions in the place of parameters of model that stand for numbers, as
 * near as doubles are: for data, of equations that are expanded. */
void darc_ioeqs_put_numbers(darc_ioeqs_t e, const darc_model *model);

/* Carry e, in a frame with these names; here it is to be cleared. */
void darc_ioeqs_carry(darc_carrier *c, darc_ioeqs_t e,
                      const darc_names_t names);

/* Set rk to ranking with the parameters moved below everything else: the
 * ranking under which io-equations are computed. */
void darc_ioeq_ranking(darc_ranking_t rk, const darc_ranking_t ranking,
                       const darc_names_t names);

/* ---- the coefficients of an io-equation, by monomials of the signals
 * and by linear dependences. */

typedef struct {
    darc_dpolys_t coeff;    /* in the parameters */
    darc_dpolys_t monomial; /* one term, coefficient 1; no two the same */
} darc_monomials;

/* Set g to p = sum_k coeff[k]*monomial[k]; the parameters are the lowest
 * variables of jet. */
void darc_monomials_init(darc_monomials *g, const darc_dpoly_t p,
                         const darc_jet_t jet);
void darc_monomials_clear(darc_monomials *g, const darc_jet_t jet);

/* Split eq->poly into coeff and part (both empty before): the coeff are a
 * basis of the lattice that the coefficients of E span, short ones first.
 * Past some hundred monomials that is not attempted: every monomial is then a
 * part of its own, and the coeff may be dependent. */
void darc_ioeq_group(darc_ioeq *eq, const darc_jet_t jet);
