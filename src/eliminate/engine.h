/* engine.h - the ways to input-output equations, behind eliminate.h; one file
 * engine_*.c each.
 *
 * An engine appends to out, an empty set of equations in a frame with the
 * names of the model under darc_ioeq_ranking, one equation an output bound
 * by the model, and inequations.  It may replace the frame of out by a larger
 * one.  DARC_DOMAIN says that the engine does not apply to the model; out is
 * then unchanged and the caller may try another.
 */
#ifndef DARC_ELIMINATE_ENGINE_H
#define DARC_ELIMINATE_ENGINE_H

#include "eliminate/eliminate.h"

/* Return whether p holds a state. */
bool darc_engine_has_state(const darc_dpoly_t p, const darc_jet_t jet);

/* Set q to the product of the irreducible factors of p that contain more
 * than parameters (each once); return their number, -1 when p could not be
 * factored.  q and p differ. */
int darc_engine_core(darc_dpoly_t q, const darc_dpoly_t p,
                     const darc_jet_t jet);

/* Append to out the inequations, in frame jet, that are free of states. */
DARC_CHECKED darc_status darc_engine_inequations(darc_ioeqs_t out,
                                                 const darc_dpolys_t ineq,
                                                 const darc_jet_t jet,
                                                 darc_err *err);

/* Equations that are free of states already, as they stand. */
DARC_CHECKED darc_status darc_engine_model(darc_ioeqs_t out,
                                           const darc_model *model,
                                           const darc_ranking_t ranking,
                                           const darc_budget *budget,
                                           darc_err *err);

/* Projection by resultants: models in solved form. */
DARC_CHECKED darc_status darc_engine_project(darc_ioeqs_t out,
                                             const darc_model *model,
                                             const darc_ranking_t ranking,
                                             const darc_budget *budget,
                                             darc_err *err);

/* Linear algebra: models in solved form, linear in the states. */
DARC_CHECKED darc_status darc_engine_linear(darc_ioeqs_t out,
                                            const darc_model *model,
                                            const darc_ranking_t ranking,
                                            const darc_budget *budget,
                                            darc_err *err);

/* The monomials alone of the equations of a model in solved form, with
 * numbers for the parameters, at random points modulo primes until two agree:
 * every point may lose monomials by chance, with a probability of at most
 * their number times their degree over the prime. */
DARC_CHECKED darc_status darc_engine_support(darc_ioeqs_t out,
                                             const darc_model *model,
                                             const darc_ranking_t ranking,
                                             const darc_budget *budget,
                                             darc_err *err);

/* Give the outputs the positions in rk, a default ranking, for which the
 * equations of a model in solved form are the shortest, as counted with numbers
 * for the parameters; of equal ones those by names, however declared. */
void darc_order_outputs(darc_ranking_t rk, const darc_model *model,
                        const darc_budget *budget);

/* Rosenfeld-Groebner: any model. */
DARC_CHECKED darc_status darc_engine_general(darc_ioeqs_t out,
                                             const darc_model *model,
                                             const darc_ranking_t ranking,
                                             const darc_budget *budget,
                                             darc_err *err);

#endif
