/* noisy.h - candidates that are functions of what noise makes much of. */
#pragma once

#include "terms/offers.h"
#include "weak/system.h"

/* Return the degree of a term, a sign counted as so much; 0 of other kinds. */
int darc_noisy_degree(const darc_candidate *c, int sign);

/* Whether a candidate is a function of derivatives or differences that noise
 * makes much of: the noise in it is that of the residual, to higher orders than
 * the score allows for.  weak: the equations with their candidates. */
bool darc_noisy_is(const darc_offers *o, const darc_weak *weak,
                   const darc_candidate *c);
