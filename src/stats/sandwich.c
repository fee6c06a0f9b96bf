#include "stats/sandwich.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/dense.h"

#include <math.h>
#include <string.h>

bool darc_solve_part(const double *a, int m, const int *index, int n, double *b,
                     int r)
{
    if (n == 0)
        return true;
    double *s, *d;
    bool ok = true;
    DARC_CARVE({&s, n * n}, {&d, n});
    for (int i = 0; i < n; i++) {
        double v = a[index[i] * m + index[i]];
        ok = ok && v > 0;
        d[i] = ok ? 1 / sqrt(v) : 0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s[i * n + j] = a[index[i] * m + index[j]] * d[i] * d[j];
    for (int i = 0; i < n * r; i++)
        b[i] *= d[i % n];
    ok = ok && darc_dense_solve(s, b, n, r);
    for (int i = 0; i < n * r; i++)
        b[i] *= d[i % n];
    darc_free(s);
    return ok;
}

static void transpose(double *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) {
            DARC_SWAP(double, a[i * n + k], a[k * n + i]);
        }
}

void darc_sandwich(double *out, const double *info, const double *s, int m,
                   const int *index, int n)
{
    double *b = darc_calloc((size_t)n * (size_t)n + 1, sizeof *b);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            b[i * n + k] = s[index[i] * m + index[k]];
    bool solved = darc_solve_part(info, m, index, n, b, n);
    transpose(b, n);
    if (!solved || !darc_solve_part(info, m, index, n, b, n))
        for (int i = 0; i < n * n; i++)
            b[i] = i % (n + 1) == 0 ? HUGE_VAL : 0;
    memset(out, 0, (size_t)m * (size_t)m * sizeof *out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            out[index[i] * m + index[k]] = (b[i * n + k] + b[k * n + i]) / 2;
    darc_free(b);
}

/* a = R R', b = R D R': R max(1, D) R'; v with v'pv = 1, v'bv = w is P^-1 R. */
void darc_cover(double *a, const double *b, int m, const int *index, int n)
{
    double *unit, *p, *q, *v, *w;
    DARC_CARVE({&unit, n}, {&p, n * n}, {&q, n * n}, {&v, n * n}, {&w, n});
    for (int i = 0; i < n; i++)
        unit[i] = sqrt(a[index[i] * (m + 1)]);
    for (int i = 0; i < n * n; i++) {
        double scale = unit[i / n] * unit[i % n];
        int at = index[i / n] * m + index[i % n];
        p[i] = q[i] = scale > 0 ? a[at] / scale : 0;
        v[i] = scale > 0 ? b[at] / scale : 0;
    }
    bool solved = n > 0 && darc_dense_eigen_of(w, v, q, n, 'V');
    for (int k = 0; k < n && solved; k++) {
        if (!(w[k] > 1))
            continue;
        for (int i = 0; i < n; i++) {
            q[i] = 0;
            for (int l = 0; l < n; l++)
                q[i] += p[i * n + l] * v[k * n + l];
        }
        for (int i = 0; i < n; i++)
            for (int l = 0; l < n; l++)
                a[index[i] * m + index[l]] +=
                    (w[k] - 1) * q[i] * q[l] * unit[i] * unit[l];
    }
    darc_free(unit);
}

int darc_whiten(double *p, const double *s, int n)
{
    int rank = 0;
    if (n == 0)
        return 0;
    double *a, *w, *unit;
    DARC_CARVE({&a, n * n}, {&w, n}, {&unit, n});
    for (int i = 0; i < n && rank == 0; i++) {
        unit[i] = sqrt(s[i * (n + 1)]);
        rank = isfinite(unit[i]) ? 0 : -1;
    }
    for (int i = 0; i < n * n; i++) {
        double scale = unit[i / n] * unit[i % n];
        a[i] = scale > 0 ? s[i] / scale : 0;
    }
    if (rank == 0 && !darc_dense_eigen(w, a, n, 'V'))
        rank = -1;
    for (int k = 0; k < n && rank >= 0; k++) {
        if (!(w[k] > DARC_RANK * w[n - 1]))
            continue;
        for (int i = 0; i < n; i++)
            p[rank * n + i] =
                unit[i] > 0 ? a[k * n + i] / (unit[i] * sqrt(w[k])) : 0;
        rank++;
    }
    darc_free(a);
    return rank;
}

void darc_change_chart(double *c, double *cov, int n, int first, int end, int r)
{
    double unit = c[r], *g, *half;
    DARC_CARVE({&g, n * n}, {&half, n * n});
    for (int i = 0; i < n; i++) {
        bool own = i >= first && i < end;
        c[i] /= own ? unit : 1;
        g[i * (n + 1)] = own ? 1 / unit : 1;
        g[i * n + r] -= own ? c[i] / unit : 0;
    }
    for (int i = 0; i < n; i++) /* cov = g cov g' */
        for (int l = 0; l < n; l++)
            for (int k = 0; k < n && g[i * n + l] != 0; k++)
                half[i * n + k] += g[i * n + l] * cov[l * n + k];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int l = 0; l < n; l++)
                sum += g[k * n + l] != 0 ? half[i * n + l] * g[k * n + l] : 0;
            if (i == k) /* infinite less infinite, or rounding */
                sum = isnan(sum) ? HUGE_VAL : fmax(0, sum);
            cov[i * n + k] = sum;
        }
    darc_free(g);
}

bool darc_project_off(const double *of, int m, const bool *off, int j,
                      double *a, double *left)
{
    int n = 0;
    int *index = darc_calloc((size_t)m + 1, sizeof *index);
    double *b = darc_calloc((size_t)m + 1, sizeof *b);
    for (int i = 0; i < m; i++)
        if (off[i]) {
            b[n] = of[i * m + j];
            index[n++] = i;
        }
    bool ok = darc_solve_part(of, m, index, n, b, 1);
    *left = of[j * (m + 1)];
    memset(a, 0, (size_t)m * sizeof *a);
    a[j] = 1;
    for (int i = 0; i < n && ok; i++) {
        a[index[i]] = -b[i];
        *left -= b[i] * of[index[i] * m + j];
    }
    DARC_FREE(index, b);
    return ok;
}
