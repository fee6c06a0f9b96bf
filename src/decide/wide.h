/* wide.h - where an io-equation has more terms than coefficients can be fitted
 * to.
 *
 * Every term is a column, and any vector of coefficients may be right.  Where
 * the recording shows all columns to be independent beyond their errors,
 * there is no relation at all.  For the true coefficients |W c|^2 over its
 * mean under noise is Fisher's F, so that its least value over all c exceeds
 * a quantile with that probability at most, however many directions the
 * recording leaves free.  Where several are left free, nothing is shown.
 */
#pragma once

#include "decide/judgement.h"

/* Return whether equation e has too many terms for a fit. */
bool darc_wide_is(const darc_ioeqs_t io, int e);

/* The tests of judgement.h for a question of one such equation.
 * Fails: as darc_regression_init and darc_moments_init, where that is not for
 * lack of excitation. */
DARC_STATUS darc_wide_structure(darc_judgement *out, const darc_question *x,
                                const darc_table *table, darc_err *err);

/* Equal and changed: coefficients of such an equation are not compared. */
void darc_wide_pair(darc_judgement *out, const darc_question *x);

/* Make d undecided where it is consistent, or not yet made, and an equation of
 * io is such. */
void darc_wide_withhold(darc_decision *d, const darc_ioeqs_t io);
