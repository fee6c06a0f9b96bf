/* elementary.h - functions of one quantity along some samples, their slopes,
 * and how sure a switch is.
 */
#ifndef DARC_DERIVE_ELEMENTARY_H
#define DARC_DERIVE_ELEMENTARY_H

#include "derive/strip.h"
#include "syntax/expr.h"

/* Set y[i] to f(x[i]) and slope[i], unless slope is NULL, to f'(x[i]). */
void darc_elementary(darc_function f, const double *x, double *y, double *slope,
                     size_t n);

/* The same of x^q. */
void darc_elementary_power(double q, const double *x, double *y, double *slope,
                           size_t n);

/* Set out[i] to the sd of what changes by `jump` where x passes 0, if x has
 * errors of that variance: jump sqrt(p (1 - p)), p = Phi(-|x| / sd). */
void darc_switch_error(double *out, const darc_strip *x,
                       const darc_strip *variance, const darc_strip *jump,
                       size_t n);

/* Set y[i] to column[i] after a filter of weights 1 - (j / (half + 1))^2, which
 * keeps lines and the sign of all; towards the ends of segments it narrows. */
void darc_smooth(double *y, const double *column, int half,
                 const darc_table *table, darc_segment at);

#endif
