/* lattice.h - values that lie on a lattice, and values that are held. */
#pragma once

#include "data/table.h"

/* Return the quantisation step of n > 0 samples, 0 if they lie on no lattice
 * of 3 to 1e6 steps, as far as 8192 of them, evenly spread, show it.  Decimal
 * printing of the lattice may round. */
double darc_lattice_step(const double *y, size_t n);

/* What counts as a staircase, constant between jumps.  A signal that was merely
 * rounded goes to the next step, too. */
typedef enum {
    DARC_STAIRS,       /* held for four samples or more on the average, half of
                          the time at most for fewer than three; over jumps of a
                          tenth of the range on the average, half of them beyond
                          the next step; or on three levels at most; or
                          constant */
    DARC_STAIRS_SMALL, /* the same over jumps of any size: it may be rounded */
    DARC_STAIRS_SHORT, /* held for two samples on the average, somewhere for two
                          or more on either side of a jump: no blows */
    DARC_STAIRS_SAID   /* for two, over jumps of any size */
} darc_stairs;

/* Return whether a column of a table, whose quantisation step is given, is such
 * a staircase. */
bool darc_lattice_is_held(const double *y, const darc_table *table, double step,
                          darc_stairs kind);
