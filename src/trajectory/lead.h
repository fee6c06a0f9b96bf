/* lead.h - a match in pieces that are apart, from afar.
 *
 * Each piece begins where outputs were measured, other states as the measured
 * ones drive them.  The first samples of all pieces are matched, then twice as
 * many, and so on: short trajectories are nearly linear in what they begin
 * with.
 */
#pragma once

#include "trajectory/match.h"

/* Bring m, all of whose recordings are long, there from its values, by so many
 * steps at the end; signs: parameters keep theirs.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_match_lead(darc_match *m, bool signs, int steps,
                            darc_err *err);
