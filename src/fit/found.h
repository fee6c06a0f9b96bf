/* found.h - the noise of a signal as it was found: in its own spectrum, above
 * its band, and inside it by what its equation leaves.
 */
#pragma once

#include "base/text.h"
#include "darc/report.h"
#include "fit/fit.h"

/* Set out to the noise of unknown u, a measured signal; a line only where no
 * other signal of the equations holds it.  Of an equation in which several
 * signals have noise all of it counts as that of the loudest. */
void darc_found_set(darc_noise_found *out, const darc_fit *f,
                    const darc_question *x, int u);

/* Append it in words, of noise n above the band: "noise of y: white, sd 0.011
 * (1 %), as white noise of 3 % below 2 Hz". */
void darc_found_say(darc_text_t out, const darc_noise_found *found,
                    const darc_signalnoise *n);
