/* slice.h - the rational points of a slice through a fibre.
 *
 * The fibre of functions of the parameters through a point is cut down to
 * finitely many points by random values for as many parameters as it has
 * dimensions (the witness points of numerical algebraic geometry).  Those with
 * coordinates modulo the prime are listed.
 */
#ifndef DARC_IDENTIFY_SLICE_H
#define DARC_IDENTIFY_SLICE_H

#include "identify/fibre.h"
#include "identify/thresholds.h"

typedef struct {
    slong vars;
    slong count;
    size_t alloc;
    ulong *x; /* point i at i * vars; owned */
    bool all; /* whether these are all points over every extension */
} darc_slice_struct;

typedef darc_slice_struct darc_slice_t[1];

/* Set s to the points of w, whose ideal is found and has finitely many.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_slice_init(darc_slice_t s, const darc_fibre *w,
                                         darc_err *err);
void darc_slice_clear(darc_slice_t s);

#endif
