#include "trajectory/linear.h"

#include "base/mem.h"
#include "stats/dense.h"
#include "stats/lanes.h"
#include "trajectory/seek.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <string.h>

/* Copy what there are samples of from column x of recording r. */
static void pick(double *to, const double *x, const darc_record *run, int q)
{
    for (size_t i = 0; i < run->n * (size_t)q; i++)
        if (isfinite(run->y[i]))
            *to++ = x[i];
}

/* Set the slopes of all, rows x columns. */
static bool gather(darc_linear_match *l, double *all, darc_match *m)
{
    int p = m->flow->params, q = m->flow->outputs, column = m->columns;
    for (int r = 0; r < m->runs; r++) {
        const darc_record *run = m->run + r;
        size_t rows = darc_match_all_rows(m, r);
        int u = m->pieces[r].unknowns;
        double *left = darc_malloc((rows + 1) * sizeof *left);
        double *slopes =
            darc_malloc((rows * (size_t)(u + p) + 1) * sizeof *slopes);
        bool good = darc_match_left(m, r, left, slopes);
        if (good)
            pick(l->left + l->first[r], left, run, q);
        for (int c = 0; c < u + p && good; c++) {
            int to = c < u ? column + c : m->place[r * p + c - u];
            if (c >= u && m->fixed[to])
                continue;
            pick(all + (size_t)to * l->rows + l->first[r],
                 slopes + (size_t)c * rows, run, q);
        }
        column += u;
        DARC_FREE(left, slopes);
        if (!good)
            return false;
    }
    return true;
}

/* Set base, inverse and unseen from the eigenvalues of the slopes' products. */
static bool decompose(darc_linear_match *l, double *all)
{
    int n = l->columns;
    size_t rows = l->rows;
    double *gram = darc_calloc((size_t)(n * n + 2 * n + 1), sizeof *gram);
    double *w = gram + n * n, *size = w + n;
    for (int c = 0; c < n; c++) {
        double *x = all + (size_t)c * rows;
        size[c] = sqrt(darc_lanes_dot(x, x, rows));
        size[c] = size[c] > 0 ? size[c] : 1;
        l->information += 2 * log(size[c]);
        for (size_t i = 0; i < rows; i++)
            x[i] /= size[c];
        for (int k = 0; k <= c; k++)
            gram[k * n + c] = gram[c * n + k] =
                darc_lanes_dot(x, all + (size_t)k * rows, rows);
    }
    bool good = darc_dense_eigen(w, gram, n, 'V');
    double least = good && n > 0 ? DARC_LINEAR_RANK * w[n - 1] : 0;
    for (int e = n - 1; e >= 0 && good; e--) {
        const double *v = gram + e * n;
        if (!(w[e] > least) || l->rank >= (int)rows) {
            for (int c = 0; c < n; c++)
                l->unseen[c] += v[c] * v[c];
            continue;
        }
        double *b = l->base + (size_t)l->rank++ * rows;
        l->information += log(w[e]);
        memset(b, 0, rows * sizeof *b);
        for (int c = 0; c < n; c++) {
            darc_lanes_add(b, v[c] / sqrt(w[e]), all + (size_t)c * rows, rows);
            for (int k = 0; k < n; k++)
                l->inverse[c * n + k] +=
                    v[c] * v[k] / (w[e] * size[c] * size[k]);
        }
    }
    darc_free(gram);
    return good;
}

bool darc_linear_match_init(darc_linear_match *l, darc_match *m)
{
    *l = (darc_linear_match){.columns = m->columns};
    l->first = darc_calloc((size_t)m->runs + 1, sizeof *l->first);
    for (int r = 0; r < m->runs; r++) {
        l->columns += m->pieces[r].unknowns;
        l->first[r] = l->rows;
        l->rows += darc_record_samples(m->run + r, m->flow->outputs);
    }
    l->first[m->runs] = l->rows;
    size_t n = (size_t)l->columns;
    l->left = darc_calloc(l->rows + 1, sizeof *l->left);
    l->base = darc_calloc(l->rows * n + 1, sizeof *l->base);
    l->inverse = darc_calloc(n * n + n + 1, sizeof *l->inverse);
    l->unseen = l->inverse + n * n;
    double *all = darc_calloc(l->rows * n + 1, sizeof *all);
    bool good = gather(l, all, m) && decompose(l, all);
    darc_free(all);
    return good;
}

void darc_linear_match_clear(darc_linear_match *l)
{
    DARC_FREE(l->left, l->base, l->inverse, l->first);
    *l = (darc_linear_match){.rows = 0};
}

void darc_linear_match_rest(const darc_linear_match *l, double *x)
{
    for (int turn = 0; turn < 2; turn++)
        for (int e = 0; e < l->rank; e++) {
            const double *b = l->base + (size_t)e * l->rows;
            darc_lanes_add(x, -darc_lanes_dot(b, x, l->rows), b, l->rows);
        }
}

double darc_match_rank(darc_match *m)
{
    darc_linear_match l;
    double rank = darc_linear_match_init(&l, m) ? l.rank : m->columns;
    darc_linear_match_clear(&l);
    return rank;
}
