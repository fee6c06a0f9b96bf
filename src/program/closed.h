/* closed.h - the matrix form of a relation, sample by sample.
 *
 * c_j is (-1)^j times the minor without column j.  With `last` the residual
 * sum_j last_j c_j is the determinant with `last` on top of the matrix;
 * with h it is h(c), whose differential sum_j h_j(c) dc_j is that of the
 * determinant with the row of partial derivatives h_j on top, held fixed.
 */
#ifndef DARC_PROGRAM_CLOSED_H
#define DARC_PROGRAM_CLOSED_H

#include "program/polys.h"
#include "relation/relation.h"

typedef struct {
    int n;             /* columns */
    int entries;       /* n * n, or n * (n - 1) when closed by h */
    darc_polys entry;  /* rows of the matrix, then `last` */
    darc_program *h;   /* h and |h|; NULL when closed by `last`; owned */
    darc_program *h_c; /* partial derivatives of h; owned */
    bool *reads;       /* whether entries contain slot s; owned */
} darc_closed;

/* Set c to evaluate the matrix form, columns > 0; slots as in polys.h. */
void darc_closed_init(darc_closed *c, const darc_relation *relation,
                      const int *slot, int slots);
void darc_closed_clear(darc_closed *c);

/* Set value[t] to the residual at sample t < n. */
void darc_closed_values(const darc_closed *c, double *const *in, double *value,
                        size_t n);

/* Set size[t] to the sum of the absolute values of the products (for more
 * than 12 columns to the product of the row sums, which is larger), bound[t]
 * as in polys.h: inputs, entries, and the backward error of the LU
 * factors [Hig02, 9.3]. */
void darc_closed_bounds(const darc_closed *c, double *const *in,
                        const double *error, double *size, double *bound,
                        size_t n);

/* Set slope[s] to the derivative by in[s] where c->reads[s]. */
void darc_closed_slopes(const darc_closed *c, double *const *in,
                        double *const *slope, size_t n);

#endif
