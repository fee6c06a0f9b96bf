/* missing.h - score tests of terms that the model may lack. */
#ifndef DARC_FIT_MISSING_H
#define DARC_FIT_MISSING_H

#include "fit/weakfit.h"

/* List in out the candidate terms (powers and products up to degree 3 of the
 * signals and derivatives of the model, the next derivative, dry friction, an
 * offset; or those of o->against) by how much of Q they explain.  With
 * o->against the decision follows the directed test.  *least_p: smallest
 * p-value, corrected for their number.
 * Fails: DARC_DOMAIN for a term that cannot be read; as the fit. */
DARC_CHECKED darc_status darc_missing_terms(
    darc_weakcheck *out, double *least_p, const darc_weakfit *f,
    const darc_ioeqs_t io, int e, const darc_table *table,
    const darc_weakcheck_options *o, const darc_budget *budget, darc_err *err);

#endif
