/* relsearch.h - the search for relations of coefficient vectors: ratios that a
 * change leaves alone, and polynomials by interpolation, low degrees first.
 */
#ifndef DARC_COEFFICIENT_RELSEARCH_H
#define DARC_COEFFICIENT_RELSEARCH_H

#include "coefficient/coeffrel.h"
#include "coefficient/vectors.h"

/* Set the relations of out, in which the layout is set, to those of v; points
 * and dimensions take at most about `work` products of terms each.
 * Fails: as darc_vectors_sample. */
DARC_CHECKED darc_status darc_relsearch_run(darc_coeffrel_t out,
                                            const darc_vectors_t v, double work,
                                            const darc_budget *budget,
                                            darc_err *err);

#endif
