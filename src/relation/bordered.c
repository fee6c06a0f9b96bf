#include "relation/functions.h"

#include "base/mem.h"
#include "stats/columns.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

void darc_bordered_init(darc_bordered *b, int n)
{
    assert(n > 0);
    *b = (darc_bordered){.n = n};
    DARC_CARVE({&b->lu, n * n}, {&b->growth, n * n}, {&b->inverse, n},
               {&b->column, n},
               {&b->permanent, n <= DARC_PERMANENT_MAX ? 1 << n : 0});
    b->row = darc_calloc((size_t)(2 * n), sizeof *b->row);
    b->col = b->row + n;
}

/* Bring the largest entry of the rest of the matrix to (k, k). */
static void pivot(darc_bordered *b, int k)
{
    int n = b->n, r = k, c = k;
    for (int i = k; i < n; i++)
        for (int j = k; j < n; j++)
            if (fabs(b->lu[i * n + j]) > fabs(b->lu[r * n + c])) {
                r = i;
                c = j;
            }
    if (r != k) {
        for (int j = 0; j < n; j++)
            DARC_SWAP(double, b->lu[r * n + j], b->lu[k * n + j]);
        DARC_SWAP(int, b->row[r], b->row[k]);
        b->sign = -b->sign;
    }
    if (c != k) {
        for (int i = 0; i < n; i++)
            DARC_SWAP(double, b->lu[i * n + c], b->lu[i * n + k]);
        DARC_SWAP(int, b->col[c], b->col[k]);
        b->sign = -b->sign;
    }
}

double darc_bordered_factor(darc_bordered *b, const double *m)
{
    int n = b->n;
    for (int i = 0; i < n * n; i++)
        b->lu[i] = m[i];
    for (int i = 0; i < n; i++)
        b->row[i] = b->col[i] = i;
    b->sign = 1;
    double det = 1;
    for (int k = 0; k < n; k++) {
        pivot(b, k);
        double p = b->lu[k * n + k];
        det *= p;
        for (int i = k + 1; i < n && p != 0; i++) {
            double f = b->lu[i * n + k] /= p;
            for (int j = k + 1; j < n; j++)
                b->lu[i * n + j] -= f * b->lu[k * n + j];
        }
    }
    return b->sign * det;
}

/* Solve L U x = e_k in place. */
static void solve_unit(const darc_bordered *b, const double *diag, int k,
                       double *x)
{
    int n = b->n;
    for (int i = 0; i < n; i++) {
        x[i] = i == k;
        for (int j = 0; j < i; j++)
            x[i] -= b->lu[i * n + j] * x[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= b->lu[i * n + j] * x[j];
        x[i] /= diag[i];
    }
}

/* adj M = det(M) M^-1.  A pivot of 0 stands for one that is 2^-200 of the
 * first: the adjugate is a polynomial, so it changes by as little. */
void darc_bordered_adjugate(darc_bordered *b, double *adj)
{
    int n = b->n;
    double det = b->sign, *diag = b->column, least = fabs(b->lu[0]) * 0x1p-200;
    for (int i = 0; i < n; i++) {
        double p = b->lu[i * n + i];
        diag[i] = fabs(p) > least ? p : p < 0 ? -least : least;
        det *= diag[i];
    }
    if (least == 0) {
        for (int i = 0; i < n * n; i++)
            adj[i] = n == 1;
        return;
    }
    double *x = b->inverse;
    for (int k = 0; k < n; k++) {
        solve_unit(b, diag, k, x);
        for (int i = 0; i < n; i++)
            adj[b->col[i] * n + b->row[k]] = det * x[i];
    }
}

void darc_bordered_growth(darc_bordered *b)
{
    int n = b->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i <= j ? fabs(b->lu[i * n + j]) : 0;
            for (int k = 0; k < i && k <= j; k++)
                sum += fabs(b->lu[i * n + k] * b->lu[k * n + j]);
            b->growth[b->row[i] * n + b->col[j]] = sum;
        }
}

static double row_sum_product(const double *m, int n, int first, int skip)
{
    double product = 1;
    for (int i = first; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += j == skip ? 0 : fabs(m[i * n + j]);
        product *= sum;
    }
    return product;
}

/* permanent[S], S a set of columns: of the first |S| rows taken. */
double darc_bordered_permanent(darc_bordered *b, const double *m, int first,
                               int skip)
{
    int n = b->n;
    if (n > DARC_PERMANENT_MAX)
        return row_sum_product(m, n, first, skip);
    unsigned all = (1u << n) - 1, want = skip < 0 ? all : all & ~(1u << skip);
    double *p = b->permanent;
    p[0] = 1;
    for (unsigned s = 1; s <= all; s++) {
        if ((s & ~want) != 0)
            continue;
        int row = first - 1;
        for (unsigned bits = s; bits != 0; bits &= bits - 1)
            row++;
        double sum = 0;
        for (int j = 0; j < n; j++)
            if (s >> j & 1)
                sum += fabs(m[row * n + j]) * p[s & ~(1u << j)];
        p[s] = sum;
    }
    return p[want];
}
