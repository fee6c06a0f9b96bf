/* delay.h - what a signal was some time ago. */
#ifndef DARC_DERIVE_DELAY_H
#define DARC_DERIVE_DELAY_H

#include "derive/strip.h"

/* Return the samples that those in `at` are made of. */
darc_segment darc_delay_reach(const darc_table *table, double delay,
                              darc_segment at);

/* Set out[i - at.begin] to what the stretch was `delay` seconds before sample
 * i, by a cubic through four samples where that is no sample; NAN where it
 * reaches over the begin of a segment.  Set source[i - at.begin] to the number
 * in the stretch of the sample nearest to that moment, SIZE_MAX for none. */
void darc_delay_values(double *out, size_t *source, const darc_stretch *v,
                       double delay, const darc_table *table, darc_segment at);

#endif
