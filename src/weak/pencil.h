/* pencil.h - in which directions columns with errors stand out of the errors.
 *
 * The columns W (rows x n) have errors with the second moments
 * T = E[dW' dW].  For a direction c that is a relation of the true columns
 * |W c|^2 / c'Tc has the mean 1; its least value over all c, a generalised
 * singular value, is no more than that whatever c is.
 */
#ifndef DARC_WEAK_PENCIL_H
#define DARC_WEAK_PENCIL_H

#include <stdbool.h>
#include <stddef.h>

/* Set value[0 .. n-1] to the stationary values of |W c|^2 / c'Tc, ascending,
 * and c to a direction of the least one.  w is stored by columns, t is
 * symmetric and not negative.  Columns are taken to be known to 1e-10 of
 * themselves at best, and errors to be independent to 1e-6 of themselves.
 * False where LAPACK fails.  Cost O(rows n^2). */
bool darc_pencil_values(double *value, double *c, const double *w, size_t rows,
                        const double *t, int n);

#endif
