/* excitation.h - whether signals move in more directions than an equation has
 * coefficients. */
#ifndef DARC_FIT_EXCITATION_H
#define DARC_FIT_EXCITATION_H

#include "fit/yardstick.h"

/* a -= a_o a_o' / a_oo, n x n; nothing where a_oo = 0. */
void darc_project_out(double *a, int n, int o);

/* Set arbitrary and excited of y, whose gram, noise and lead are known: what as
 * many columns as an equation has free coefficients leave of its leading term,
 * however they are chosen: the part of it outside the strongest directions in
 * which the signals move; and how much of that is certain to be neither noise
 * nor the filter's.  library: products of the columns and their later copies,
 * which this overwrites; past: the share of their power that the filter makes
 * for lack of a past. */
void darc_excitation_measure(darc_yardstick *y, double *library, double past,
                             int free);

#endif
