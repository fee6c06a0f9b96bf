/* lift.h - from a polynomial modulo primes to one over the integers. */
#ifndef DARC_PROJECT_LIFT_H
#define DARC_PROJECT_LIFT_H

#include "project/flow.h"

/* Residues of the coefficients of a monic polynomial over Q. */
typedef struct {
    slong terms;
    fmpz *residue; /* owned */
    fmpz_t modulus;
} darc_lift_struct;

typedef darc_lift_struct darc_lift_t[1];

void darc_lift_init(darc_lift_t lift);
void darc_lift_clear(darc_lift_t lift);

/* Take in the image f modulo ring's prime; return false when its number of
 * terms differs from the earlier images'. */
bool darc_lift_add(darc_lift_t lift, const darc_mpoly *f,
                   const darc_ring_t ring);

/* Set coeff (terms integers) to the primitive integer vector with these
 * residues up to a factor, by rational reconstruction; false: more primes
 * are needed. */
bool darc_lift_integers(fmpz *coeff, const darc_lift_t lift);

/* Set q, in the frame jet, to the polynomial with the monomials of f and the
 * coefficients coeff, primitive; the derivatives of f lie in the frame. */
void darc_lift_poly(darc_dpoly_t q, const darc_jet_t jet, const fmpz *coeff,
                    const darc_mpoly *f, const darc_flow_t flow);

#endif
