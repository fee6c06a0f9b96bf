/* pack.h - polynomials with all exponents packed into few machine words.
 *
 * Kronecker's substitution: with degree bounds for a result known, the
 * exponents become digits of one number, and the ring has one variable (or
 * two, when 62 bits do not suffice).  Products and exact quotients are the
 * same; monomials are compared in one operation.
 */
#ifndef DARC_MODULAR_PACK_H
#define DARC_MODULAR_PACK_H

#include "modular/determinant.h"

typedef struct {
    slong vars;   /* of the ring that is packed */
    slong *word;  /* word[v]: packed variable that holds variable v; owned */
    ulong *unit;  /* unit[v]: value of one power of v there; owned */
    ulong *radix; /* radix[v]: degree bound + 1; owned */
    darc_ring_t ring;
    bool blocks; /* two words, of signals and of parameters */
} darc_packing;

/* Set p to hold polynomials of degree at most bound[v] in variable v. */
void darc_packing_init(darc_packing *p, const slong *bound,
                       const darc_ring_t ring);
void darc_packing_clear(darc_packing *p);

void darc_pack(darc_mpoly *to, const darc_mpoly *from, const darc_packing *p,
               const darc_ring_t ring);
void darc_unpack(darc_mpoly *to, const darc_mpoly *from, const darc_packing *p,
                 const darc_ring_t ring);

/* Set bound[v] to a bound on the degree of det M in v. */
void darc_matrix_degrees(slong *bound, const darc_matrix *M,
                         const darc_ring_t ring);

/* Set r to the determinant of M up to sign, divided by the factors that ring
 * remembers as often as they go; computed in packed form. */
DARC_CHECKED darc_status darc_packed_det(darc_mpoly *r, const darc_matrix *M,
                                         darc_ring_t ring, darc_err *err);

#endif
