/* problem.h - an elimination to be done: a model in solved form, and the
 * orders that its io-equations have.
 *
 * The order of every io-equation is known before any elimination, by the rank
 * of the Jacobian of the Lie derivatives at a random point.
 */
#ifndef DARC_PROJECTION_PROBLEM_H
#define DARC_PROJECTION_PROBLEM_H

#include "model/solved.h"
#include "projection/ioeq.h"

typedef struct {
    darc_solved_t s;
    int *order;   /* order[j] of the io-equation of output j; owned */
    int *bound;   /* of a frame for the io-equations, by unknown; owned */
    slong length; /* of the power series of a point for that frame */
    const darc_budget *budget;
    flint_rand_t rand;
} darc_problem_struct;

typedef darc_problem_struct darc_problem_t[1];

/* Set p to the elimination for model under ranking; p keeps budget.
 * Fails: DARC_DOMAIN when the model has no solved form. */
DARC_CHECKED darc_status darc_problem_init(darc_problem_t p,
                                           const darc_model *model,
                                           const darc_ranking_struct *ranking,
                                           const darc_budget *budget,
                                           darc_err *err);
void darc_problem_clear(darc_problem_t p);

/* Set the orders to those under another ranking: order[j] is the lowest k for
 * which the k-th derivative of output j depends on lower derivatives of the
 * outputs, by the rank of the Jacobian of the Lie derivatives with respect to
 * the states. */
void darc_problem_rank(darc_problem_t p, const darc_ranking_struct *ranking);

#endif
