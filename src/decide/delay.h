/* delay.h - missing terms that look like a delay, in words.
 */
#ifndef DARC_DECIDE_DELAY_H
#define DARC_DECIDE_DELAY_H

#include "decide/evidence.h"

/* ", as if u were 20 ms late", where the missing term m is the slope of a
 * signal that stands in the equation, for c u(t - T) is c u - c T u'; ""
 * elsewhere. Return text. */
const char *darc_delay_of_slope(const darc_evidence *s, const darc_missing *m,
                                char *text, size_t size);

/* Append "a delay or lag of u by about 3 ms" for a candidate of that kind; one
 * of T < 0 is that of the others. */
void darc_delay_name(darc_text_t t, const darc_evidence *s,
                     const darc_missing *m);

#endif
