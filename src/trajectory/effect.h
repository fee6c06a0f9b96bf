/* effect.h - what changes of parameters may move the equations by.
 *
 * Parameters that make up for each other may each be known ill, and what they
 * make of the rates well.  The measure is that of the weak form: RMS of what a
 * change moves a rate by, over that of its largest term, and an output by, over
 * its own, the most within the joint region of all that are compared.
 */
#pragma once

#include "trajectory/compare.h"
#include "trajectory/linear.h"

/* Set c->moves and c->moves_most, from l, the match apart made linear; they
 * stay where some parameter is not known. */
void darc_effect_take(darc_comparing *c, darc_trajectory *x,
                      const darc_linear_match *l, const bool *may);
