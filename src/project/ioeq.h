/* ioeq.h - input-output equations: the states eliminated.
 *
 * E = sum_k coeff[k](theta) * part[k](y, u): a differential polynomial in
 * measured signals of minimal order, irreducible, primitive over the
 * integers; the coeff are linearly independent over Q, so that along a
 * solution the parts obey that one linear relation and no other.
 */
#ifndef DARC_PROJECT_IOEQ_H
#define DARC_PROJECT_IOEQ_H

#include "algebra/dpoly.h"
#include "algebra/partial.h"
#include "base/budget.h"
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
    double cpu_s;        /* CPU seconds it took */
} darc_ioeq;

typedef struct {
    darc_jet_t jet; /* names as in the model; states absent from E; the
                       parameters are the lowest block */
    int count;
    size_t alloc;
    darc_ioeq *eq; /* ascending leaders, one for each output bound; owned */
    bool linked;   /* the leaders obey a further relation, which is not among
                      eq: all follow from the model, but not all that follows,
                      and parameters may be better identifiable than they show */
    darc_dpolys_t inequations; /* of the model and the elimination */
} darc_ioeqs_struct;

typedef darc_ioeqs_struct darc_ioeqs_t[1];

typedef enum {
    DARC_ENGINE_AUTO,
    DARC_ENGINE_GENERAL,
    DARC_ENGINE_PROJECT,
    DARC_ENGINE_LINEAR
} darc_engine;

/* Set out to the input-output equations of model, one per output that the
 * equations bind, under ranking (NULL: the model's; where that is the default
 * one, the outputs count in the order of declaration or in the reverse one,
 * whichever gives shorter equations).
 * Fails: DARC_DOMAIN when the forced engine does not apply, or the model
 * leaves no relation between its signals; DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_ioeqs_init(darc_ioeqs_t out,
                                         const darc_model *model,
                                         const darc_ranking_struct *ranking,
                                         darc_engine engine,
                                         const darc_budget *budget,
                                         darc_err *err);

/* The same with the monomials alone where the model has a solved form: poly
 * and coeff stay empty, part holds the monomials.  Hundredths of a second
 * where the expanded equation has a million terms. */
DARC_CHECKED darc_status
darc_ioeqs_init_support(darc_ioeqs_t out, const darc_model *model,
                        const darc_ranking_struct *ranking,
                        const darc_budget *budget, darc_err *err);

/* The equations where they take at most `work` products of terms, else the
 * monomials alone. */
DARC_CHECKED darc_status
darc_ioeqs_init_within(darc_ioeqs_t out, const darc_model *model,
                       const darc_ranking_struct *ranking, double work,
                       const darc_budget *budget, darc_err *err);
void darc_ioeqs_clear(darc_ioeqs_t e);

/* Set e to no equation in a frame of its own with the given names, ranking
 * and bounds; then append equations, in that frame. */
void darc_ioeqs_init_frame(darc_ioeqs_t e, const darc_names_t names,
                           const darc_ranking_t ranking, const int *bound);

/* Append the equation poly = 0 (made primitive) found by `engine` in cpu_s
 * seconds: leader and groups are set.  poly has no state and a leader that
 * is no parameter. */
void darc_ioeqs_append(darc_ioeqs_t e, const darc_dpoly_t poly,
                       const char *engine, double cpu_s);

/* Set p to the equations of e, as done. */
void darc_ioeqs_reach(darc_partial_t p, const darc_ioeqs_t e);

/* Return the highest order of a derivative in E. */
int darc_ioeq_order(const darc_ioeq *eq, const darc_jet_t jet);

/* Append the equation whose monomials are those of sum, not expanded. */
void darc_ioeqs_append_support(darc_ioeqs_t e, const darc_dpoly_t sum,
                               const char *engine, double cpu_s);

/* Split eq->poly into coeff and part (both empty before): the coeff are a
 * basis of the lattice that the coefficients of E span, short ones first.
 * Past some hundred monomials that is not attempted: every monomial is then a
 * part of its own, and the coeff may be dependent. */
void darc_ioeq_group(darc_ioeq *eq, const darc_jet_t jet);

/* Join the monomials of equations that are not expanded: their coefficients
 * may be linearly dependent over Q, which their values modulo a prime show;
 * then the parts become sums of monomials with independent coefficients.
 * Monomials stay single where that takes more than `work` products of terms,
 * or the values are not to be had.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_ioeqs_group_support(darc_ioeqs_t io,
                                                  const darc_model *model,
                                                  double work,
                                                  const darc_budget *budget,
                                                  darc_err *err);

/* Set rk to ranking with the parameters moved below everything else: the
 * ranking under which io-equations are computed. */
void darc_ioeq_ranking(darc_ranking_t rk, const darc_ranking_t ranking,
                       const darc_names_t names);

#endif
