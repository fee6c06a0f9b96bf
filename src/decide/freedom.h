/* freedom.h - whether an io-equation is all that a model says.
 *
 * Coefficients that depend on fewer parameters than there are ratios of them
 * obey relations, which a fit of free coefficients does not test.
 */
#ifndef DARC_DECIDE_FREEDOM_H
#define DARC_DECIDE_FREEDOM_H

#include "projection/ioeq.h"

/* Return whether the ratios of the coefficients of equation e are certain to
 * be algebraically independent.  model NULL: the equation is expanded. */
bool darc_freedom_is_full(const darc_model *model, const darc_ioeqs_t io, int e,
                          const darc_budget *budget);

#endif
