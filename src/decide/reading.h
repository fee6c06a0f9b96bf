/* reading.h - one recording, as a comparison with others takes it. */
#pragma once

#include "decide/bindings.h"

/* Set f to the fit of table and e to what it says, under the relations b (NULL:
 * none) where it obeys them; release both in any case.
 * Fails: as darc_fit_init. */
DARC_STATUS darc_reading_take(darc_estimates *e, darc_fit *f,
                              const darc_question *x, const darc_table *table,
                              const darc_bindings *b, darc_err *err);

/* Let cov, of e's coefficients, tell nothing of those that take up the origin
 * of a signal, which may differ between recordings: 0. */
void darc_reading_drop_origins(double *cov, const darc_estimates *e);

/* Return the share of the largest term that the structure leaves beyond noise
 * as it is modelled, the most of all equations: whether the model or red noise
 * makes it, it moves coefficients. */
double darc_reading_left(const darc_estimates *e);

/* Return whether that is more than noise and the tolerance explain. */
bool darc_reading_fails(const darc_estimates *e, double tolerance);

/* Return whether noise times noise, of that ratio to the information of the
 * signals, lets no test hold its level; why (NULL: not asked) then says so. */
bool darc_reading_drowns(double ratio, char *why, size_t size);

/* Return whether the recording allows no comparison at all; why (NULL: not
 * asked) then says so. */
bool darc_reading_is_useless(const darc_estimates *e, char *why, size_t size);
