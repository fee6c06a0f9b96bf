#include "weak/pencil.h"

#include "base/mem.h"
#include "stats/dense.h"
#include "stats/lanes.h"

#include <lapacke.h>
#include <math.h>

/* What a column is known to at best, and the share of errors that is taken
 * as independent: either makes T larger, and the values smaller. */
static const double EXACT = 1e-10, INDEPENDENT = 1e-12;

/* Set d to the sizes of the errors; 1 for a column without any. */
static void error_sizes(double *d, const double *w, size_t rows,
                        const double *t, int n)
{
    for (int j = 0; j < n; j++) {
        const double *x = w + (size_t)j * rows;
        double square = darc_lanes_dot(x, x, rows);
        d[j] = sqrt(fmax(0, t[j * n + j]) + EXACT * EXACT * square);
        d[j] = d[j] > 0 ? d[j] : 1;
    }
}

/* Set l to the lower Cholesky factor of T in units of d. */
static bool factorise(double *l, const double *t, const double *d, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            l[j * n + i] =
                i == j ? 1 + INDEPENDENT : t[i * n + j] / (d[i] * d[j]);
    return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, l, n) == 0;
}

/* Set r (n x n, by columns) to R' of W = Q R in units of d. */
static bool triangle(double *r, const double *w, size_t rows, const double *d,
                     int n)
{
    size_t m = rows < (size_t)n ? (size_t)n : rows;
    double *a = darc_calloc(m * (size_t)n, sizeof *a);
    for (int j = 0; j < n; j++)
        for (size_t i = 0; i < rows; i++)
            a[(size_t)j * m + i] = w[(size_t)j * rows + i] / d[j];
    bool ok = darc_dense_triangle(a, (int)m, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++)
            r[i * n + j] = a[(size_t)j * m + (size_t)i];
    darc_free(a);
    return ok;
}

/* With y = L' c the ratio is |R L^-T y|^2 / |y|^2: the singular values of
 * L^-1 R', whose left vectors are the y. */
bool darc_pencil_values(double *value, double *c, const double *w, size_t rows,
                        const double *t, int n)
{
    size_t size = (size_t)n * (size_t)n;
    double *d = darc_calloc((size_t)n, sizeof *d);
    double *l = darc_calloc(size, sizeof *l), *r = darc_calloc(size, sizeof *r);
    double *u = darc_calloc(size, sizeof *u), *v = darc_calloc(size, sizeof *v);
    double *s = darc_calloc((size_t)n, sizeof *s);
    error_sizes(d, w, rows, t, n);
    bool ok = factorise(l, t, d, n) && triangle(r, w, rows, d, n) &&
              LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, n, l, n, r,
                             n) == 0 &&
              darc_dense_singular(s, u, v, r, n);
    double *y = u + (size_t)(n - 1) * (size_t)n;
    ok = ok &&
         LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'T', 'N', n, 1, l, n, y, n) == 0;
    for (int j = 0; j < n && ok; j++) {
        value[j] = s[n - 1 - j] * s[n - 1 - j];
        c[j] = y[j] / d[j];
    }
    darc_free(d);
    darc_free(l);
    darc_free(r);
    darc_free(u);
    darc_free(v);
    darc_free(s);
    return ok;
}
