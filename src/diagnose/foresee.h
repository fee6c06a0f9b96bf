/* foresee.h - which changes between two recordings would be found, by what they
 * tell.
 *
 * A change d of the parameters moves the coefficients of two recordings apart
 * by J d.  The test that they are equal has as many degrees of freedom as J has
 * rank, and the noncentrality d' J' (V_a + V_b)^-1 J d.  For a function f that
 * changes alone that is amount^2 / v, v = 1 / (C^-1)_ff, C the covariance of
 * the differences of all functions.  What a change of parameter q cannot
 * explain of one of p is d^2 (m_pp - m_pq^2 / m_qq) / 2, m = J' V^-1 J, with
 * one degree of freedom less.
 */
#ifndef DARC_DIAGNOSE_FORESEE_H
#define DARC_DIAGNOSE_FORESEE_H

#include "diagnose/values.h"

/* Set least[k] to the least change of function k alone, as a fraction of the
 * value in a, that is found with probability DARC_POWER between the recordings
 * of a and b.  A function that depends on those before it cannot change alone:
 * of it, whatever else changes.  Infinite where one of them does not know it.
 */
void darc_foresee_changes(double *least, const darc_values *a,
                          const darc_values *b, double alpha);

/* Return the least change of parameter p, as a fraction, that between two
 * recordings like that of v is told from any change of q alone; infinite where
 * none is.  p and q are variables of v. */
double darc_foresee_apart(const darc_values *v, int p, int q, double alpha);

#endif
