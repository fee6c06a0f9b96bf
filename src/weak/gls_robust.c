#include "weak/gls_robust.h"

#include "base/mem.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

static void transpose(double *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) {
            double swap = a[i * n + k];
            a[i * n + k] = a[k * n + i];
            a[k * n + i] = swap;
        }
}

void darc_gls_sandwich(double *out, const double *info, const double *s,
                       int coeffs, const int *index, int n)
{
    int j = coeffs;
    double *b = darc_calloc((size_t)n * (size_t)n + 1, sizeof *b);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            b[i * n + k] = s[index[i] * j + index[k]];
    bool solved = darc_gls_solve(info, j, index, n, b, n);
    transpose(b, n);
    if (!solved || !darc_gls_solve(info, j, index, n, b, n))
        for (int i = 0; i < n * n; i++)
            b[i] = i % (n + 1) == 0 ? HUGE_VAL : 0;
    memset(out, 0, (size_t)j * (size_t)j * sizeof *out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            out[index[i] * j + index[k]] = (b[i * n + k] + b[k * n + i]) / 2;
    darc_free(b);
}

/* Set out (coeffs x coeffs) to the covariance of the score by its spread over
 * blocks: G/(G - 1) sum_g s_g s_g', s_g = W_g' V^-1 e - (share of T) c. */
static void block_covariance(double *out, const darc_gls *fit,
                             const darc_gls_sums *s)
{
    enum { G = DARC_GLS_BLOCKS };
    int j = s->coeffs;
    double *score = darc_calloc((size_t)j, sizeof *score);
    for (int g = 0; g < G; g++) {
        double share = s->block_functions[g] / (double)fit->functions;
        for (int i = 0; i < j; i++) {
            score[i] = s->block[g * j + i];
            for (int k = 0; k < j; k++)
                score[i] -= share * s->trace[i * j + k] * fit->c[k];
        }
        for (int i = 0; i < j * j; i++)
            out[i] += G / (G - 1.0) * score[i / j] * score[i % j];
    }
    darc_free(score);
}

/* Make a (n x n, positive definite) the least matrix of its eigenvectors with
 * b that is at least a and b: a = R R', b = R D R', R max(1, D) R'. */
static void cover(double *a, const double *b, int n)
{
    double *unit = darc_calloc((size_t)n, sizeof *unit);
    double *p = darc_calloc((size_t)n * (size_t)n, sizeof *p);
    double *q = darc_calloc((size_t)n * (size_t)n, sizeof *q);
    double *v = darc_calloc((size_t)n * (size_t)n, sizeof *v);
    double *w = darc_calloc((size_t)n, sizeof *w);
    for (int i = 0; i < n; i++)
        unit[i] = sqrt(a[i * (n + 1)]);
    for (int i = 0; i < n * n; i++) {
        double scale = unit[i / n] * unit[i % n];
        p[i] = scale > 0 ? a[i] / scale : 0;
        v[i] = scale > 0 ? b[i] / scale : 0;
        q[i] = p[i];
    }
    /* v becomes V with V'pV = 1, V'bV = w: R = pV */
    bool solved =
        LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', n, v, n, q, n, w) == 0;
    for (int k = 0; k < n && solved; k++) {
        if (w[k] <= 1)
            continue;
        for (int i = 0; i < n; i++) {
            q[i] = 0;
            for (int l = 0; l < n; l++)
                q[i] += p[i * n + l] * v[k * n + l];
        }
        for (int i = 0; i < n; i++)
            for (int l = 0; l < n; l++)
                a[i * n + l] += (w[k] - 1) * q[i] * q[l] * unit[i] * unit[l];
    }
    darc_free(unit);
    darc_free(p);
    darc_free(q);
    darc_free(v);
    darc_free(w);
}

/* Widen cov to cover the sandwich of I and `scale` times the score covariance
 * `score`. */
static void widen_by(darc_gls *fit, const double *score, double scale,
                     const int *index, int n)
{
    int j = fit->coeffs;
    double *other = darc_calloc((size_t)j * (size_t)j, sizeof *other);
    double *a = darc_calloc((size_t)n * (size_t)n + 1, sizeof *a);
    double *b = darc_calloc((size_t)n * (size_t)n + 1, sizeof *b);
    darc_gls_sandwich(other, fit->info, score, j, index, n);
    for (int i = 0; i < n * n; i++) {
        int at = index[i / n] * j + index[i % n];
        a[i] = fit->cov[at];
        b[i] = scale * other[at];
    }
    cover(a, b, n);
    for (int i = 0; i < n * n; i++)
        fit->cov[index[i / n] * j + index[i % n]] = a[i];
    darc_free(other);
    darc_free(a);
    darc_free(b);
}

void darc_gls_widen(darc_gls *fit, const darc_gls_sums *s, const int *index,
                    int n)
{
    int j = fit->coeffs;
    if (n == 0)
        return;
    double *score = darc_calloc((size_t)j * (size_t)j, sizeof *score);
    widen_by(fit, s->raw_hess, fmax(1, fit->q_here / fit->dof), index, n);
    block_covariance(score, fit, s);
    widen_by(fit, score, 1, index, n);
    darc_free(score);
}
