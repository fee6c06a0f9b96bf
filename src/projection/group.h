/* group.h - the coefficients of an io-equation, by monomials of the signals
 * and by linear dependences. */
#ifndef DARC_PROJECTION_GROUP_H
#define DARC_PROJECTION_GROUP_H

#include "projection/ioeq.h"

typedef struct {
    darc_dpolys_t coeff;    /* in the parameters */
    darc_dpolys_t monomial; /* one term, coefficient 1; no two the same */
} darc_monomials;

/* Set g to p = sum_k coeff[k]*monomial[k]; the parameters are the lowest
 * variables of jet. */
void darc_monomials_init(darc_monomials *g, const darc_dpoly_t p,
                         const darc_jet_t jet);
void darc_monomials_clear(darc_monomials *g, const darc_jet_t jet);

/* Split eq->poly into coeff and part (both empty before): the coeff are a
 * basis of the lattice that the coefficients of E span, short ones first.
 * Past some hundred monomials that is not attempted: every monomial is then a
 * part of its own, and the coeff may be dependent. */
void darc_ioeq_group(darc_ioeq *eq, const darc_jet_t jet);

#endif
