/* verdict.h - what trajectories say of a model and of parameters.
 *
 *   structure  inconsistent: a smooth forcing, or a term, is certain to be more
 *              than the tolerance; consistent: none is found, neither may be
 *              more than that (5 % where none is given), and it would have been
 *              found.
 *   equal, changed  inconsistent: F rejects, and with a tolerance a parameter
 *              is certain to differ by more; consistent: it does not, every
 *              parameter is known to be within it (or none given, no change
 *              moves an equation by 5 %), and one so large would be found.
 * Else undecided, and always where the search did not come to the same match
 * again.
 */
#pragma once

#include "trajectory/compare.h"
#include "trajectory/forcing.h"

/* Set d to the verdict on the structure; the weak form leaves that share of the
 * largest term, NAN: not known. */
void darc_verdict_structure(darc_decision *d, const darc_forcing *f,
                            const darc_trajectory *x, double left);

/* Make d undecided where it is inconsistent, but would not be if noise grew
 * with its signal otherwise, as it may (the likelihood does not exclude it), or
 * had a level of its own in each recording.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_verdict_doubt(darc_decision *d, darc_trajectory *x,
                               darc_err *err);

/* Set c, and f of the recordings each by itself: what such a verdict rests on.
 * Fails: as darc_comparing_init and darc_forcing_init. */
DARC_STATUS darc_verdict_gather(darc_comparing *c, darc_forcing *f,
                                darc_trajectory *x, const bool *may,
                                darc_err *err);

/* Set d to the verdict that all parameters but those that may differ (NULL:
 * none) are the same; f is of the recordings, each by itself. */
void darc_verdict_compare(darc_decision *d, const darc_comparing *c,
                          const darc_forcing *f, const darc_trajectory *x,
                          const bool *may);
