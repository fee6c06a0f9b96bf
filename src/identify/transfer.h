/* transfer.h - linear models of one output as quotients of polynomials in s. */
#ifndef DARC_IDENTIFY_TRANSFER_H
#define DARC_IDENTIFY_TRANSFER_H

#include "identify/matching.h"

/* Return whether there is one equation, linear in the signals. */
bool darc_transfer_is_linear(const darc_ioeqs_t io);

/* Append to c the coefficients of signal u, its derivative and so on in that
 * equation, polynomials in the parameters of jet, in which those of io are
 * name[]. */
DARC_CHECKED darc_status darc_transfer_coefficients(darc_dpolys_t c,
                                                    const darc_ioeqs_t io,
                                                    int u, const darc_jet_t jet,
                                                    const int *name,
                                                    darc_err *err);

/* Set q (initialised, empty) to the quotient of sum a_i s^i by sum b_i s^i,
 * times a power of the last b_i; a is overwritten. */
void darc_transfer_divide(darc_dpolys_t q, darc_dpolys_t a,
                          const darc_dpolys_t b, const darc_jet_t jet);

#endif
