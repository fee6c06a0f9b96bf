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
 * alone are of any colour in an equation, to that of which what is left there,
 * by itself or with the best of its candidates (terms/candidate.h), is white.
 * Return whether there is one, and whether a candidate *told it that is no
 * delay of a sample or so: inputs that change between samples make no other.
 * Release known in any case.  Cost: a fit of each equation and passes over its
 * moments and candidates. */
bool darc_left_noise(darc_signalnoise *known, bool *told, const darc_fit *f,
                     const darc_question *x, const darc_table *table,
                     double alpha);
