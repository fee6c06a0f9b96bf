/* observable.h - whether functions of states and parameters can be told.
 *
 * Recordings tell the field F of functions of the parameters.  One recording
 * tells, besides, the outputs and their derivatives at its start: y_j^(k) =
 * L^k y_j, functions of states, parameters and inputs.  Up to the order of the
 * io-equations these generate, over F and the inputs, all that follow.  A
 * function of states and parameters is identifiable iff it is in the field of
 * F, the inputs and these [OPPS]; to first order, iff its gradient is in the
 * span of theirs.
 *
 * Where initial values are known, they are among the generators.  A given one
 * is put in: then the start is no generic point, F may not be reached from
 * there, and only the derivatives at the start count.
 */
#ifndef DARC_IDENTIFY_OBSERVABLE_H
#define DARC_IDENTIFY_OBSERVABLE_H

#include "identify/identify.h"
#include "identify/starts.h"

typedef struct {
    int count;
    darc_starts starts;
    bool solved; /* the model has a solved form */
    darc_identifiability *status;
    bool *final; /* otherwise local means at least local */
} darc_observable;

/* Set out, with count and starts given, to what is known of so many first
 * outputs of `extended`, the model of io and id with these besides; undecided
 * where that has no solved form.  Where io is NULL, local means at least local.
 * Fails: DARC_USAGE where starts name no state of the solved form, or a value
 * is not by parameters; DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_observable_init(darc_observable *out,
                                              const darc_model *extended,
                                              const darc_ioeqs_struct *io,
                                              const darc_identification_t id,
                                              const darc_budget *budget,
                                              darc_err *err);
void darc_observable_clear(darc_observable *out);

#endif
