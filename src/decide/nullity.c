#include "base/mem.h"
#include "decide/moments.h"
#include "decide/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/lanes.h"
#include "stats/stats.h"
#include "weak/piece.h"

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
    ptrdiff_t size = n * n;
    double *d, *l, *r, *u, *v, *s;
    DARC_CARVE({&d, n}, {&l, size}, {&r, size}, {&u, size}, {&v, size},
               {&s, n});
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
    return ok;
}

void darc_nullity_clear(darc_nullity *f)
{
    darc_free(f->value);
    darc_free(f->c);
}

/* c'Tc over the square of the leading term of direction c. */
static double error_share(const darc_nullity *f)
{
    const darc_moments *w = f->columns;
    double sum = 0, lead = 0;
    double *size = darc_calloc((size_t)w->n, sizeof *size);
    darc_moments_sizes(size, w);
    for (int i = 0; i < w->n; i++) {
        lead = fmax(lead, fabs(f->c[i]) * size[i]);
        for (int j = 0; j < w->n; j++)
            sum += f->c[i] * w->t[i * w->n + j] * f->c[j];
    }
    darc_free(size);
    return lead > 0 ? sum / (double)w->rows / (lead * lead) : HUGE_VAL;
}

/* Return the least r such that some c leaves no more than the share r of its
 * leading term, besides errors: |W c|^2 <= 2 limit c'Tc + 2 r^2 c'Gc, where G
 * holds the squares of the columns. */
static double least_defect(const darc_nullity *f)
{
    const darc_moments *w = f->columns;
    int n = w->n;
    double *a = darc_calloc((size_t)n * (size_t)n, sizeof *a);
    double *g = darc_calloc((size_t)n, sizeof *g), least = 0;
    darc_columns_gram(a, w->w, w->rows, n);
    for (int i = 0; i < n; i++)
        g[i] = a[i * n + i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = a[i * n + j] - 2 * f->limit * w->t[i * n + j];
            a[i * n + j] = x / (2 * sqrt(g[i] * g[j]));
        }
    double *value = darc_calloc((size_t)n, sizeof *value);
    if (darc_dense_eigen(value, a, n, 'N'))
        least = sqrt(fmax(0, value[0]));
    darc_free(value);
    darc_free(g);
    darc_free(a);
    return least;
}

darc_status darc_nullity_find(darc_nullity *f, const darc_moments *columns,
                              double alpha, darc_err *err)
{
    const darc_moments *w = columns;
    *f = (darc_nullity){.columns = columns};
    f->value = darc_calloc((size_t)w->n, sizeof *f->value);
    f->c = darc_calloc((size_t)w->n, sizeof *f->c);
    if (!darc_pencil_values(f->value, f->c, w->w, w->rows, w->t, w->n))
        return darc_fail(err, DARC_INTERNAL, "no singular values of %d columns",
                         w->n);
    double dof = darc_moments_dof(w, f->c), of_mean = dof * w->draws;
    f->dof = dof;
    f->limit = darc_stats_f_isf(alpha, dof, of_mean);
    f->p_value = darc_stats_f_sf(f->value[0], dof, of_mean);
    while (f->free < w->n && !(f->value[f->free] > f->limit))
        f->free++;
    double share = error_share(f);
    double found =
        f->limit + darc_stats_f_isf(1 - DARC_POWER, dof, of_mean) - 1;
    f->defect = sqrt(fmax(0, f->value[0] - 1) * share);
    f->detectable = sqrt(found * share);
    f->low = f->free == 0 ? least_defect(f) : 0;
    return DARC_OK;
}
