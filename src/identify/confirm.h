/* confirm.h - membership in a field of functions, proved over the rationals.
 *
 * x is in Q(f) if A(f)*x = B(f) for polynomials A, B with A(f) != 0.  These
 * are found by linear algebra modulo a prime; the identity is then checked as
 * one of polynomials over the integers.
 */
#ifndef DARC_IDENTIFY_CONFIRM_H
#define DARC_IDENTIFY_CONFIRM_H

#include "identify/ratios.h"
#include "identify/thresholds.h"

/* Return whether variable v of the ring is a quotient B(f)/A(f) of low degree:
 * true is a proof, false says nothing. */
bool darc_confirm(const darc_ratios_t f, slong v);

#endif
