/* resultant.h - the elimination of a variable from two polynomials, and
 * determinants of small matrices of polynomials modulo a prime, by Kronecker's
 * substitution (src/MATHEMATICS.md, 4). */
#pragma once

#include "modular/ring.h"

/* Set r to the polynomial that generates the elimination ideal of f and g
 * with respect to v: the factor of their resultant that vanishes at the
 * point, as f and g do; g contains v.  r may alias f.
 * Fails: as darc_ring_factor; DARC_LIMIT where both have a degree above 1 in v
 * and one a degree above DARC_MAX_MINORS. */
DARC_STATUS darc_resultant(darc_mpoly *r, const darc_mpoly *f,
                           const darc_mpoly *g, slong v, darc_ring_t ring,
                           darc_err *err);

/* Set f to the factor of its pseudo-remainder by g, of lower degree than g in
 * v, that vanishes at the point, as f and g do; g contains v.
 * Fails: as darc_ring_factor. */
DARC_STATUS darc_remainder(darc_mpoly *f, const darc_mpoly *g, slong v,
                           darc_ring_t ring, darc_err *err);

/* Set f[0] to an irreducible polynomial without the first `hidden` variables of
 * the ring, in the ideal of all n polynomials and zero at the point, where they
 * vanish: of those that are left when these variables are gone the one of the
 * lowest degree in variable `leader`.  The others are used up.
 * Fails: as darc_resultant; DARC_INTERNAL where polynomials depend on one
 * another; DARC_DOMAIN where none that is left holds the leader. */
DARC_STATUS darc_ring_eliminate(darc_mpoly *f, slong n, slong hidden,
                                slong leader, darc_ring_t ring, darc_err *err);

typedef struct {
    slong n;
    darc_mpoly *entry; /* n * n by rows; owned */
} darc_matrix;

/* Set M to the n x n zero matrix. */
void darc_matrix_init(darc_matrix *M, slong n, const darc_ring_t ring);
void darc_matrix_clear(darc_matrix *M, const darc_ring_t ring);

/* Set r to the determinant of M up to sign.
 * Fails: DARC_LIMIT when M has more than DARC_MAX_MINORS columns or the
 * budget is spent.  Cost O(2^n) products. */
DARC_STATUS darc_matrix_det(darc_mpoly *r, const darc_matrix *M,
                            darc_ring_t ring, darc_err *err);
