/* operator.h - the io-equation of a model that is linear in its states with
 * constant coefficients, and has one equation more than states.
 *
 * With s for the derivation the equations read A(s) x + g = 0, where A holds
 * parameters alone and g signals, in any way.  The primitive w(s) with w A = 0
 * gives the relation w(d/dt) g = 0, which generates all that follow: no
 * resultants, no extraneous factors, no denominators.
 */
#ifndef DARC_ELIMINATE_OPERATOR_H
#define DARC_ELIMINATE_OPERATOR_H

#include "algebra/dpoly.h"
#include "base/budget.h"
#include "model/model.h"

/* Set q, in frame jet of the names of model, to that relation, free of factors
 * in the parameters; *certain tells whether it is irreducible.
 * Fails: DARC_DOMAIN when the model is not of that kind, or q does not fit in
 * the frame; DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_operator_relation(darc_dpoly_t q, bool *certain,
                                                const darc_jet_t jet,
                                                const darc_model *model,
                                                const darc_budget *budget,
                                                darc_err *err);

#endif
