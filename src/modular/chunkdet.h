/* chunkdet.h - determinants of matrices of polynomials in chunks. */
#ifndef DARC_MODULAR_CHUNKDET_H
#define DARC_MODULAR_CHUNKDET_H

#include "modular/chunks.h"
#include "modular/ring.h"

/* Set r to the determinant, up to sign, of the n x n matrix entry (by rows),
 * by memoised minors, n <= DARC_MAX_MINORS; ring counts the work and has the
 * budget.
 * Fails: DARC_LIMIT. */
DARC_CHECKED darc_status darc_chunks_det(darc_chunks *r,
                                         const darc_chunks *entry, slong n,
                                         darc_ring_t ring, darc_err *err);

#endif
