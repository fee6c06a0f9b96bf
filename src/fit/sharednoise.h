/* sharednoise.h - noise that several signals of a relation carry.
 *
 * s = sqrt(y) has the noise of y, and a relation in y and s feels both at
 * once.  The covariance of moments takes the noises of signals as independent;
 * where n of them carry noise of one source the true covariance is at most n
 * times the one so taken: the square of a sum of n is at most n times the sum
 * of squares.
 */
#ifndef DARC_FIT_SHAREDNOISE_H
#define DARC_FIT_SHAREDNOISE_H

#include "fit/weakfit.h"

/* Set f->times[u] to the number of signals with noise that share a source with
 * signal u, itself included, the most that any of its sources has; 1 where
 * none is shared.  column[u] >= 0 says which signals the relation holds. */
void darc_sharednoise_count(darc_weakfit *f, const darc_model *model,
                            const int *column);

#endif
