/* implicit.h - the same as observable.h where a model has no solved form.
 *
 * The function h that is asked for is an output beside the measured ones; its
 * io-equation is the minimal polynomial of h over the field of the parameters
 * and the measured signals.  If that has order 0 and coefficients in F, their
 * number of roots decides; what moves the coefficients moves h.
 */
#ifndef DARC_IDENTIFY_IMPLICIT_H
#define DARC_IDENTIFY_IMPLICIT_H

#include "identify/identify.h"

/* Return what is known of the function h of the model of id; undecided where
 * the budget is spent, equations are too long or id is not complete. */
darc_identifiability darc_implicit_find(const darc_model *model, const char *h,
                                        const darc_identification_t id,
                                        const darc_budget *budget);

#endif
