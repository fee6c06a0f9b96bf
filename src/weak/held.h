/* held.h - signals that are constant between samples.
 *
 * Of a held signal u and smooth g the integral of f(u) g is the sum, over
 * samples, of f(u_i) times the integral of g from sample i to the next.  A
 * polynomial through ten samples around that step gives the latter as weights
 * w_k of g(t_i + k dt), k = -4 .. 5; so the sum over samples of g_i F_i, F_i =
 * sum_k w_k f(u_(i-k)), is the integral: a held factor of a term goes through
 * this filter, and sums over samples stay as they are.
 *
 * Where the leading term is (d/dt)^n of y and u stands under (d/dt)^(n-1), a
 * jump of u is one of y': c_n times it, and the jump of the term of u, add up
 * to 0.  By Euler and Maclaurin the sum over samples of y g lacks dt^2/12 times
 * the sum of g times these jumps, as if each sample of y lacked dt/12 times the
 * jump there: put on, it stands for any smooth g and, to first order, for
 * products with y.  Left out, T*y' + y = K*u seems to lack K*dt^2/12*(u'' +
 * u'/T).
 */
#pragma once

#include "weak/system.h"

/* Samples on either side that the filter takes. */
enum { DARC_WEAK_HELD_HALF = 5 };

/* Set x to the held factor of var, filtered, at samples begin .. begin + n - 1
 * of segment s; beyond its ends the first and last values go on. */
void darc_weak_held_load(double *x, const darc_weak_var *var, darc_segment s,
                         size_t begin, size_t n);

/* Return the variable that stands for all held signals of a term and its
 * logarithm, made if need be; -1: there are none, one that stands for itself,
 * one with noise to be seen, or no room for more variables. */
int darc_weak_held_factor(darc_weak *weak, const darc_weak_data *data,
                          const darc_total_struct *total,
                          const darc_total_term *term);

/* Set y (samples of the table) to the samples of an output that jumps of held
 * signals bend, straightened, for equation q with coefficients c.  Return which
 * it is; -1 where there is none, another output may jump instead (m*a + d*x' =
 * F: a does, unless it leads an equation of its own), or terms hold more than
 * samples show: derivatives, logarithms. */
int darc_weak_held_straighten(double *y, const darc_weak_data *data,
                              const darc_total_struct *total, int equations,
                              int q, const double *c);

/* Return an output that may jump where a held signal does, because it stands
 * under no higher derivative in one of the equations, and leads none; -1: none.
 */
int darc_weak_held_jumps(const darc_weak_data *data,
                         const darc_total_struct *total, int equations);

/* Return whether variable v of the total is such a signal. */
bool darc_weak_is_held(const darc_weak_data *data,
                       const darc_total_struct *total, int v);
