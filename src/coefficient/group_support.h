/* group_support.h - monomials whose coefficients depend on each other, found by
 * values at random points modulo a prime: the reduced basis R of their space
 * says c_j = sum_i R_ij c_p(i) with the pivots p(i). */
#ifndef DARC_COEFFICIENT_GROUP_SUPPORT_H
#define DARC_COEFFICIENT_GROUP_SUPPORT_H

#include "base/budget.h"
#include "projection/ioeq.h"

/* Join the monomials of equations that are not expanded: their coefficients
 * may be linearly dependent over Q, which their values modulo a prime show;
 * then the parts become sums of monomials with independent coefficients.
 * Monomials stay single where that takes more than `work` products of terms,
 * or the values are not to be had.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_ioeqs_group_support(darc_ioeqs_t io,
                                                  const darc_model *model,
                                                  double work,
                                                  const darc_budget *budget,
                                                  darc_err *err);

#endif
