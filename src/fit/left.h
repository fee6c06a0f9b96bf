/* left.h - the noise of a signal, from what an equation leaves.
 *
 * The spectrum of a signal shows its noise above its band alone, and steps,
 * blows and what decays after them have no end of a band.  But an equation
 * accounts for them: what it leaves of the moments, whitened as if the noise
 * were white, has the spectrum of the noise over that of white noise.  Where it
 * lacks a term, that is so of what the equation leaves with the term.
 */
#pragma once

#include "fit/fit.h"

/* Set known, by unknown, to the noise of all signals as in f, but of those that
 * are of any colour, and alone have noise in an equation of which what is left,
 * by itself or with the best of its candidates (weak/candidate.h), is white, to
 * that.  Return whether there
 * is one; release known in any case.  Cost: a fit of each equation and a pass
 * over its moments and candidates. */
bool darc_left_noise(darc_signalnoise *known, const darc_fit *f,
                     const darc_question *x, const darc_table *table,
                     double alpha);
