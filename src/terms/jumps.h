/* jumps.h - a recording whose inputs jump, or are held, though nobody says so.
 *
 * Staircases are held, until that is refused; between other jumps no test
 * function reaches across (fit/cut.h).
 */
#pragma once

#include "fit/fit.h"

/* Set f to the fit of table, Q tested at level alpha.  What is asked later of
 * the recording is asked of f->weak->table: where inputs jump that are not
 * held, no test function reaches across.  Fails: as darc_fit_question. */
DARC_STATUS darc_fit_init(darc_fit *f, const darc_question *x,
                          const darc_table *table, double alpha, darc_err *err);
