#include "stats/dense.h"

#include "base/mem.h"

#include <lapacke.h>
#include <math.h>

/* Run a call of LAPACK twice: for the size of `work`, then with it. */
#define WITH_WORK(call)                                                        \
    do {                                                                       \
        double best = 1, *work = &best;                                        \
        lapack_int size = -1;                                                  \
        call;                                                                  \
        size = (lapack_int)best;                                               \
        work = darc_calloc((size_t)size, sizeof *work);                        \
        call;                                                                  \
        darc_free(work);                                                       \
    } while (0)

static bool is_finite_matrix(const double *a, int rows, int n, bool symmetric)
{
    bool known = true;
    for (int j = 0; j < n; j++)
        for (int i = symmetric ? j : 0; i < rows; i++)
            known &= !isnan(a[(size_t)j * (size_t)rows + (size_t)i]);
    return known;
}

bool darc_dense_eigen(double *w, double *a, int n, char job)
{
    lapack_int code = 0;
    if (n == 0 || !is_finite_matrix(a, n, n, true))
        return n == 0;
    WITH_WORK(code = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, job, 'L', n, a, n, w,
                                        work, size));
    return code == 0;
}

bool darc_dense_eigen_of(double *w, double *a, double *b, int n, char job)
{
    lapack_int code = 0;
    if (n == 0 || !is_finite_matrix(a, n, n, true) ||
        !is_finite_matrix(b, n, n, true))
        return n == 0;
    WITH_WORK(code = LAPACKE_dsygv_work(LAPACK_COL_MAJOR, 1, job, 'L', n, a, n,
                                        b, n, w, work, size));
    return code == 0;
}

bool darc_dense_singular(double *s, double *u, double *v, double *a, int n)
{
    if (n == 0)
        return true;
    lapack_int code = 0, *own = darc_calloc((size_t)(8 * n), sizeof *own);
    bool known = is_finite_matrix(a, n, n, false);
    if (known && u == NULL)
        WITH_WORK(code =
                      LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', n, n, a,
                                          n, s, NULL, n, NULL, n, work, size));
    else if (known)
        WITH_WORK(code = LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', n, n, a, n,
                                             s, u, n, v, n, work, size, own));
    darc_free(own);
    return known && code == 0;
}

bool darc_dense_triangle(double *a, int rows, int n)
{
    if (n == 0)
        return true;
    lapack_int code = 0;
    double *tau = darc_calloc((size_t)n, sizeof *tau);
    bool known = is_finite_matrix(a, rows, n, false);
    if (known)
        WITH_WORK(code = LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, n, a, rows,
                                             tau, work, size));
    darc_free(tau);
    return known && code == 0;
}

bool darc_dense_cholesky(double *a, int n)
{
    return n == 0 || LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, a, n) == 0;
}

bool darc_dense_divide(const double *l, char trans, double *b, int n, int r)
{
    return n == 0 || LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', trans, 'N', n, r, l,
                                    n, b, n) == 0;
}

bool darc_dense_solve(double *a, double *b, int n, int r)
{
    return n == 0 ||
           LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, r, a, n, b, n) == 0;
}

double darc_dense_quadratic(const double *a, const double *c, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            sum += c[i] * a[i * n + k] * c[k];
    return sum;
}
