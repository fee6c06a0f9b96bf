/* others.h - other parameters that match recordings as well as the best ones.
 */
#pragma once

#include "trajectory/profile.h"

/* Let x->sought.other be those of all recordings that match as well, with the
 * levels of the best match, or that a test of a parameter allows, of what draws
 * came to; *better: x's match became one of them.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_others_match(bool *better, darc_trajectory *x, darc_err *err);

/* Mark parameters whose other values lie outside their intervals, and drop
 * matches without any. */
void darc_others_mark(darc_profile *v, darc_sought *s, int params);
