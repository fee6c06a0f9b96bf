/* constraint.h - estimates held against relations that they should obey.
 *
 * x^ are estimates with covariance V.  Under h(x) = 0 the estimate
 *   x* = x^ - s - V G' (G V G')^-1 (h(x*) + G (x^ - s - x*)),  G = dh/dx at x*,
 * repeated until it settles, is the most likely one, and
 *   (x^ - s - x*)' V^-1 (x^ - s - x*)
 * is chi-square with rank G degrees of freedom (Fisher's F where V is estimated
 * from the residual).  Since G is taken at x*, relations may bend within the
 * errors.  s is what does not count: |s_i| <= slack_i, chosen to the favour of
 * the relations; where slack_i is infinite, x_i is free and costs as many
 * degrees of freedom.
 */
#pragma once

#include <stdbool.h>

typedef struct {
    int n, count;     /* variables, relations */
    double *x, *v;    /* estimates, n x n covariance; owned */
    double *slack;    /* n; owned */
    double error_dof; /* of v; HUGE_VAL: known */
    /* Set h (count) and, unless NULL, jac (count x n) at x. */
    void (*relations)(const void *user, const double *x, double *h,
                      double *jac);
    const void *user;

    /* The result. */
    double *at; /* x*; owned */
    double statistic, dof, p_value;
    bool settled;
} darc_constraint;

/* Set c to n variables, all 0, and so many relations. */
void darc_constraint_init(darc_constraint *c, int n, int count);
void darc_constraint_clear(darc_constraint *c);

/* Find x* and the p-value; NAN where V is not finite.  Where the iteration does
 * not settle, the statistic is the least one met: x^ may be nearer to what
 * obeys the relations, but hardly farther than from all of their tangents.
 * Cost: O(count^3 + count^2 n) an iteration. */
void darc_constraint_solve(darc_constraint *c);

/* Set v to the covariance of x*: V - V G' (G V G')^-1 G V, G at x*. */
void darc_constraint_project(darc_constraint *c);
