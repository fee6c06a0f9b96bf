/* beyond.h - a proof that whatever its parameters are, a model misses a target
 * over a band by more than a tolerance (src/MATHEMATICS.md, 11, Meeting a
 * target).
 */
#pragma once

#include "fulfil/nearest.h"

/* Return the proof as text, the frequencies at one of which the deviation is
 * larger, and the boxes that cover all parameters, of each either > 0 or any;
 * NULL: none was found.  It is sought around the values of n. */
char *darc_beyond_prove(const darc_nearest *n, const bool *positive,
                        const darc_budget *budget);
