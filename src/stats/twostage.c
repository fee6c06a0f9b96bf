#include "stats/twostage.h"

#include "base/mem.h"
#include "stats/autoregress.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/lanes.h"
#include "stats/stats.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* The candidate's column is the last; it may stand outside the fit. */
typedef struct {
    size_t n;
    int waves;                        /* transforms that make a variance */
    int slow;                         /* cosines that no instrument holds */
    int terms;                        /* of the fit */
    int columns;                      /* the candidate's besides */
    double *y, *x, *z, *bare, *e, *b; /* bare: z where folds meet, too */
    double *q;                        /* those cosines, orthonormal */
    double *lu, *g; /* of Z'X; the row of its inverse times Z' that counts */
    lapack_int *pivot;
} columns;

static void scale_column(double *x, size_t n)
{
    double norm = sqrt(darc_lanes_dot(x, x, n));
    for (size_t k = 0; k < n && norm > 0; k++)
        x[k] /= norm;
}

/* Set rows of columns x to 0 where folds meet, for rebuilt signals jump there,
 * and where a filter has to begin. */
static void tear(double *x, int count, size_t n, const bool *torn, int after)
{
    for (int j = 0; j < count; j++, x += n) {
        memset(x, 0, (size_t)after * sizeof *x);
        for (size_t k = 0; k < n; k++)
            for (int i = 0; torn[k] && i <= after && k + (size_t)i < n; i++)
                x[k + (size_t)i] = 0;
    }
}

/* d_k = g_k cos(pi j (k + 1/2) / n). */
static void modulate(double *d, const double *g, size_t n, int j)
{
    double w = 3.14159265358979323846 * j / (double)n;
    double turn = 2 * cos(w), now = cos(w / 2), before = now;
    for (size_t k = 0; k < n; k++) {
        double next = turn * now - before;
        d[k] = g[k] * now;
        before = now;
        now = next;
    }
}

/* Take slow cosines, the first `count` of q, out of x; what is nothing else
 * becomes 0. */
static void quicken(double *x, const columns *c, int count)
{
    size_t n = c->n;
    double whole = darc_lanes_dot(x, x, n);
    for (int j = 0; j < count; j++) {
        const double *q = c->q + n * (size_t)j;
        darc_lanes_add(x, -darc_lanes_dot(q, x, n), q, n);
    }
    if (!(darc_lanes_dot(x, x, n) > DARC_TWOSTAGE_OWN * whole))
        memset(x, 0, n * sizeof *x);
}

/* Tear the instruments, and leave no slow cosines in them. */
static void prepare_instruments(columns *c, const bool *torn, int after)
{
    size_t n = c->n;
    for (size_t k = 0; k < n * (size_t)c->slow; k++)
        c->q[k] = 1;
    tear(c->q, c->slow, n, torn, after);
    tear(c->z, c->columns, n, torn, after);
    for (int i = 0; i < c->slow; i++) {
        double *q = c->q + n * (size_t)i;
        modulate(q, q, n, i);
        quicken(q, c, i);
        scale_column(q, n);
    }
    for (int i = 0; i < c->columns; i++)
        quicken(c->z + n * (size_t)i, c, c->slow);
}

static void open_columns(columns *c, const darc_twostage_task *t)
{
    size_t n = c->n = t->n, m = (size_t)t->terms;
    c->waves = (int)fmin(DARC_TWOSTAGE_WAVES_MOST,
                         DARC_TWOSTAGE_WAVES * pow((double)n, 2.0 / 3));
    c->slow = 1 + c->waves / 2;
    c->terms = c->columns = t->terms;
    ptrdiff_t k = (ptrdiff_t)n, km = k * t->terms;
    DARC_CARVE({&c->y, k}, {&c->e, k}, {&c->g, k}, {&c->x, km}, {&c->z, km},
               {&c->bare, km}, {&c->b, t->terms}, {&c->lu, t->terms * t->terms},
               {&c->q, k * c->slow});
    c->pivot = darc_calloc(m, sizeof *c->pivot);
    memcpy(c->y, t->y, n * sizeof *c->y);
    memcpy(c->x, t->x, n * m * sizeof *c->x);
    memcpy(c->bare, t->z, n * m * sizeof *c->bare);
    for (size_t i = 0; i < m; i++)
        scale_column(c->bare + n * i, n);
    memcpy(c->z, c->bare, n * m * sizeof *c->z);
    prepare_instruments(c, t->torn, 0);
}

static void close_columns(columns *c)
{
    DARC_FREE(c->y, c->pivot);
    *c = (columns){0};
}

/* a = (Z'X)^-1 a, or its transpose. */
static bool divide_by(columns *c, char trans, double *a)
{
    return LAPACKE_dgetrs(LAPACK_COL_MAJOR, trans, c->terms, 1, c->lu, c->terms,
                          c->pivot, a, c->terms) == 0;
}

/* Set b = -(Z'X)^-1 Z'y, e = y + X b, and g to the row of (Z'X)^-1 Z' that is
 * the candidate's.  Return false where Z'X is singular. */
static bool solve_instruments(columns *c)
{
    lapack_int m = c->terms;
    size_t n = c->n;
    double *row = darc_calloc((size_t)m, sizeof *row);
    for (int i = 0; i < m; i++) {
        const double *z = c->z + n * (size_t)i;
        for (int k = 0; k < m; k++)
            c->lu[k * m + i] = darc_lanes_dot(z, c->x + n * (size_t)k, n);
        c->b[i] = -darc_lanes_dot(z, c->y, n);
    }
    row[m - 1] = 1;
    bool ok = LAPACKE_dgetrf(LAPACK_COL_MAJOR, m, m, c->lu, m, c->pivot) == 0 &&
              divide_by(c, 'N', c->b) && divide_by(c, 'T', row);
    memcpy(c->e, c->y, n * sizeof *c->e);
    memset(c->g, 0, n * sizeof *c->g);
    for (int i = 0; i < m && ok; i++) {
        darc_lanes_add(c->e, c->b[i], c->x + n * (size_t)i, n);
        darc_lanes_add(c->g, row[i], c->z + n * (size_t)i, n);
    }
    darc_free(row);
    return ok;
}

/* x_k - sum a_i x_(k-i), from the last down. */
static void whiten(double *x, size_t n, const darc_autoregress *m)
{
    for (size_t k = n; k-- > 0;)
        for (int i = 1; i <= m->order && (size_t)i <= k; i++)
            x[k] -= m->a[i - 1] * x[k - (size_t)i];
}

/* Return the order of the filter.  Where noise next to vanishes a filter would
 * raise nothing but errors of rounding: a floor of white noise is added to what
 * is left. */
static int whiten_all(columns *c)
{
    darc_autoregress m;
    int most = (int)fmin(DARC_TWOSTAGE_ORDER, (double)c->n / 8);
    darc_autoregress_floored(&m, c->e, c->n, most, DARC_TWOSTAGE_FLOOR);
    whiten(c->y, c->n, &m);
    for (int i = 0; i < c->columns; i++) {
        whiten(c->x + c->n * (size_t)i, c->n, &m);
        whiten(c->z + c->n * (size_t)i, c->n, &m);
    }
    return m.order;
}

/* Replace d by what of it the fit leaves in e = (1 - X (Z'X)^-1 Z') e_0. */
static void leave_residual(columns *c, double *d)
{
    double *a = darc_calloc((size_t)c->terms, sizeof *a);
    for (int i = 0; i < c->terms; i++)
        a[i] = darc_lanes_dot(c->x + c->n * (size_t)i, d, c->n);
    divide_by(c, 'T', a);
    for (int i = 0; i < c->terms; i++)
        darc_lanes_add(d, -a[i], c->z + c->n * (size_t)i, c->n);
    darc_free(a);
}

/* Return the variance of g'e_0: the mean of the first cosine transforms of g_k
 * e_k, squared, over what it would be of white e_0, times what it should be.
 * *dof are its degrees of freedom then [BM02]. */
static double longrun(columns *c, double *dof)
{
    size_t n = c->n;
    double *d = darc_calloc(n * (size_t)c->waves, sizeof *d);
    double seen = 0, own = 0, square = 0;
    for (int j = 0; j < c->waves; j++) {
        double *at = d + n * (size_t)j, a;
        modulate(at, c->g, n, j + 1);
        a = darc_lanes_dot(at, c->e, n);
        seen += a * a;
        leave_residual(c, at);
        for (int i = 0; i <= j; i++) {
            a = darc_lanes_dot(at, d + n * (size_t)i, n);
            own += i == j ? a : 0;
            square += (i == j ? 1 : 2) * a * a;
        }
    }
    darc_free(d);
    *dof = own * own / square;
    return seen / own * darc_lanes_dot(c->g, c->g, n);
}

/* Set r to the transpose of L^-1 r, where p = L L'. */
static bool whiten_rows(double *p, double *r, int m)
{
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', m, p, m) != 0 ||
        LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', m, m, p, m, r, m) != 0)
        return false;
    darc_dense_transpose(r, m);
    return true;
}

/* Return the least of the F statistics of the first stage: how well Z shows
 * the weakest direction of X without slow cosines. */
static double strength(const columns *c)
{
    size_t n = c->n;
    int m = c->terms;
    double *p, *q, *r, *s, *slow;
    DARC_CARVE({&p, m * m}, {&q, m * m}, {&r, m * m}, {&s, m},
               {&slow, c->slow * m});
    for (int i = 0; i < c->slow * m; i++)
        slow[i] = darc_lanes_dot(c->q + n * (size_t)(i % c->slow),
                                 c->x + n * (size_t)(i / c->slow), n);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++) {
            const double *xi = c->x + n * (size_t)i, *zi = c->z + n * (size_t)i;
            const double *xk = c->x + n * (size_t)k, *zk = c->z + n * (size_t)k;
            p[k * m + i] = darc_lanes_dot(xi, xk, n) -
                           darc_lanes_dot(slow + i * c->slow,
                                          slow + k * c->slow, (size_t)c->slow);
            q[k * m + i] = darc_lanes_dot(zi, zk, n);
            r[k * m + i] = darc_lanes_dot(xi, zk, n);
        }
    /* Canonical correlations: the singular values of Lx^-1 X'Z Lz^-T. */
    bool ok = whiten_rows(p, r, m) && whiten_rows(q, r, m) &&
              darc_dense_singular(s, NULL, NULL, r, m);
    double least = ok ? fmin(1 - 1e-9, s[m - 1] * s[m - 1]) : 0;
    darc_free(p);
    return (double)n * least / (1 - least);
}

/* Fit, whiten by what is left, and fit again; return the strength. */
static double fit_twice(columns *c, const bool *torn)
{
    if (!solve_instruments(c))
        return 0;
    memcpy(c->z, c->bare, c->n * (size_t)c->columns * sizeof *c->z);
    int order = whiten_all(c);
    tear(c->x, c->columns, c->n, torn, order);
    prepare_instruments(c, torn, order);
    double least = strength(c);
    return solve_instruments(c) ? least : 0;
}

/* Without the candidate, what its instrument has in common with what is left
 * (score). */
static bool fit_without(columns *c, const bool *torn, double *value)
{
    size_t last = c->n * (size_t)(c->terms - 1);
    c->terms--;
    if (c->terms > 0 && fit_twice(c, torn) < DARC_TWOSTAGE_STRENGTH)
        return false;
    memcpy(c->g, c->z + last, c->n * sizeof *c->g);
    leave_residual(c, c->g);
    double per_unit = darc_lanes_dot(c->g, c->x + last, c->n);
    for (size_t k = 0; k < c->n; k++)
        c->g[k] /= -per_unit;
    *value = darc_lanes_dot(c->g, c->e, c->n);
    return per_unit != 0;
}

bool darc_twostage_test(darc_twostage *out, const darc_twostage_task *t)
{
    columns c = {0};
    double dof = 1, sd = 0, value = 0;
    open_columns(&c, t);
    /* With it, its coefficient, and its variance under what is left besides
     * (Wald), where the inputs show enough of it. */
    bool ok = fit_twice(&c, t->torn) >= DARC_TWOSTAGE_STRENGTH;
    value = c.b[c.terms - 1];
    if (!ok) {
        close_columns(&c);
        open_columns(&c, t);
        ok = fit_without(&c, t->torn, &value);
    }
    if (ok)
        sd = sqrt(longrun(&c, &dof));
    ok = ok && sd > 0 && isfinite(sd);
    *out = (darc_twostage){.value = value, .sd = sd};
    if (ok) {
        out->t = value / sd;
        out->p_value = 2 * darc_stats_t_sf(fabs(out->t), dof);
    }
    close_columns(&c);
    return ok;
}
