/* formula.h - parameters as formulas, and proofs, as text. */
#ifndef DARC_IDENTIFY_FORMULA_H
#define DARC_IDENTIFY_FORMULA_H

#include "algebra/dpoly.h"
#include "algebra/nullstellensatz.h"

/* Append what the equation p = 0 gives for its leader: a quotient in lowest
 * terms, "(a - b)/c", or "a zero of p"; return the sign that it has by those of
 * its variables, 0: not known. */
int darc_formula_print(darc_text_t out, const darc_dpoly_t p,
                       const darc_signs *sign, const darc_jet_t jet);

/* Append the polynomial sum c_i s^i. */
void darc_formula_print_modes(darc_text_t out, const darc_dpolys_t c,
                              const darc_jet_t jet);

/* Append the identity q_1*(f_1) + ... = m that r is, without the f_i where it
 * takes too much room. */
void darc_formula_print_proof(darc_text_t out, const darc_refutation *r,
                              const darc_dpolys_t f, const darc_jet_t jet);

#endif
