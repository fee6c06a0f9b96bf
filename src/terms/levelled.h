/* levelled.h - fits with noise that is seen where jumps are taken off.
 *
 * Jumps of inputs, and what outputs make of them, reach all frequencies and
 * look like noise.
 */
#pragma once

#include "fit/cut.h"
#include "fit/fit.h"

/* Set out to the table with outputs freed of their jumps at steps; return
 * whether there are any.  Then release it with darc_levelled_release. */
bool darc_levelled_table(darc_table *out, const darc_fit *f,
                         const darc_table *table);
void darc_levelled_release(darc_table *out, const darc_table *table);

/* Set r to the noise that is seen between the jumps of inputs, with the bands
 * that the signals have with them.  Clear it in any case.
 * Fails: as darc_regression_init. */
DARC_STATUS darc_levelled_between(darc_regression *r, const darc_question *x,
                                  const darc_cut *cut, const darc_table *table);

/* As darc_fit_question, with noise that is seen where jumps of outputs are
 * taken off, or between steps of held inputs. */
DARC_STATUS darc_levelled_fit(darc_fit *f, const darc_question *x,
                              const darc_table *table, double alpha,
                              darc_err *err);
