/* told.h - what lists tell of the recordings of a campaign: groups, covariates.
 */
#pragma once

#include "darc/drift.h"
#include "diagnose/drift.h"
#include "session/state.h"

/* Set of[i] to the number of the group of each of n recordings, in the order in
 * which they come; return how many there are. */
int darc_told_number(int *of, char *const *group, int n);

/* Note which covariates tell nothing, and where one hides changes most. */
void darc_told_note(darc_session *s, const darc_campaign *c,
                    const darc_drift *d);
