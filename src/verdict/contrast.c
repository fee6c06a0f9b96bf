#include "verdict/contrast.h"

#include "base/mem.h"
#include "darc/stats.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 200 };

/* Directions of S below this share of the largest, after scaling to a unit
 * diagonal, carry no information of their own. */
static const double RANK = 1e-9;

static void allocate(darc_contrast *c, int count, int drifts)
{
    size_t n = (size_t)count, m = (size_t)drifts;
    *c = (darc_contrast){.count = count, .drifts = drifts};
    c->h = darc_calloc(n, sizeof(double));
    c->s = darc_calloc(n * n, sizeof(double));
    c->d = darc_calloc(n * m, sizeof(double));
    c->measure = darc_calloc(n, sizeof(double));
}

void darc_contrast_clear(darc_contrast *c)
{
    darc_free(c->h);
    darc_free(c->s);
    darc_free(c->d);
    darc_free(c->measure);
    *c = (darc_contrast){0};
}

/* s += g' cov g for the gradient g (coeffs per row of h). */
static void add_covariance(darc_contrast *c, const double *g,
                           const darc_gls *fit)
{
    int n = fit->coeffs;
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->count; k++) {
            double sum = 0;
            for (int a = 0; a < fit->model; a++)
                for (int b = 0; b < fit->model; b++)
                    sum += g[i * n + a] * fit->cov[a * n + b] * g[k * n + b];
            c->s[i * c->count + k] += sum;
        }
}

/* ---- equal ------------------------------------------------------------------
 */

void darc_contrast_equal(darc_contrast *c, const darc_gls *a, const darc_gls *b)
{
    int n = a->coeffs, i = 0;
    assert(a->reference == b->reference && a->model == b->model);
    allocate(c, a->model - 1, a->model - 1);
    c->box_share = 1;
    double *ga = darc_calloc((size_t)(n * a->model), sizeof *ga);
    double *gb = darc_calloc((size_t)(n * a->model), sizeof *gb);
    for (int j = 0; j < a->model; j++) {
        if (j == a->reference)
            continue;
        double x = a->c[j], y = b->c[j];
        bool clear = x * y > 0 && fabs(x) > 3 * sqrt(a->cov[j * n + j]) &&
                     fabs(y) > 3 * sqrt(b->cov[j * n + j]);
        double size = (fabs(x) + fabs(y)) / 2;
        c->h[i] = clear ? log(y / x) : (y - x) / size;
        ga[i * n + j] = clear ? -1 / x : -1 / size;
        gb[i * n + j] = clear ? 1 / y : 1 / size;
        c->d[i * c->drifts + i] = 1;
        c->measure[i] = 1;
        i++;
    }
    add_covariance(c, ga, a);
    add_covariance(c, gb, b);
    darc_free(ga);
    darc_free(gb);
}

/* ---- relations
 * ---------------------------------------------------------------- */

/* Return the polynomial at x; with v >= 0 its derivative by variable v. */
static double evaluate(const fmpz_mpoly_struct *p, slong v, const double *x,
                       slong vars, const fmpz_mpoly_ctx_t ctx)
{
    ulong *e = darc_calloc((size_t)vars, sizeof *e);
    double sum = 0;
    for (slong i = 0; i < fmpz_mpoly_length(p, ctx); i++) {
        fmpz_mpoly_get_term_exp_ui(e, p, i, ctx);
        double term = fmpz_get_d(p->coeffs + i);
        if (v >= 0) {
            term *= (double)e[v];
            e[v] -= e[v] > 0;
        }
        for (slong k = 0; k < vars && term != 0; k++)
            term *= pow(x[k], (double)e[k]);
        sum += term;
    }
    darc_free(e);
    return sum;
}

static void add_relation(darc_contrast *c, int i, const darc_coeffrel_t r,
                         slong k, const double *x, double *ga, double *gb,
                         int stride)
{
    const fmpz_mpoly_struct *h = r->h + k;
    c->h[i] = evaluate(h, -1, x, r->vars, r->ctx);
    for (int w = 0; w < r->vectors; w++)
        for (slong v = r->first[w]; v < r->first[w + 1]; v++) {
            double slope = evaluate(h, v, x, r->vars, r->ctx);
            double *g = r->recording[w] == 0 ? ga : gb;
            int j = (int)(v - r->first[w]);
            g[i * stride + j] = slope;
            if (r->recording[w] != 1)
                continue;
            c->d[i * c->drifts + j] = slope * x[v];
            c->measure[i] = fmax(c->measure[i], fabs(slope * x[v]));
        }
}

void darc_contrast_relations(darc_contrast *c, const darc_coeffrel_t r,
                             const darc_gls *a, const darc_gls *b)
{
    int count = 0, n = a->coeffs, i = 0;
    for (slong k = 0; k < r->count; k++)
        count += r->mixed[k];
    allocate(c, count, a->model);
    /* Two coefficients that drift by t/2 change their ratio by t. */
    c->box_share = 0.5;
    double *x = darc_calloc((size_t)r->vars, sizeof *x);
    double *ga = darc_calloc((size_t)(n * count), sizeof *ga);
    double *gb = darc_calloc((size_t)(n * count), sizeof *gb);
    for (int w = 0; w < r->vectors; w++)
        for (slong v = r->first[w]; v < r->first[w + 1]; v++)
            x[v] = (r->recording[w] == 0 ? a : b)->c[v - r->first[w]];
    for (slong k = 0; k < r->count; k++)
        if (r->mixed[k])
            add_relation(c, i++, r, k, x, ga, gb, n);
    add_covariance(c, ga, a);
    add_covariance(c, gb, b);
    darc_free(x);
    darc_free(ga);
    darc_free(gb);
}

/* ---- the test
 * ------------------------------------------------------------------ */

/* Set p (rows x count) so that p' p = S^-1 on the range of S, and return the
 * rank; -1 where S is not finite. */
static int whitener(const darc_contrast *c, double *p)
{
    int n = c->count, rank = 0;
    double *a = darc_calloc((size_t)(n * n), sizeof *a);
    double *w = darc_calloc((size_t)n, sizeof *w);
    double *unit = darc_calloc((size_t)n, sizeof *unit);
    bool finite = true;
    for (int i = 0; i < n; i++) {
        unit[i] = sqrt(c->s[i * n + i]);
        finite = finite && isfinite(unit[i]) && unit[i] > 0;
    }
    for (int i = 0; i < n * n && finite; i++)
        a[i] = c->s[i] / (unit[i / n] * unit[i % n]);
    if (!finite || LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, w) != 0)
        rank = -1;
    for (int k = 0; k < n && rank >= 0; k++) {
        if (w[k] <= RANK * w[n - 1])
            continue;
        for (int i = 0; i < n; i++)
            p[rank * n + i] = a[k * n + i] / (unit[i] * sqrt(w[k]));
        rank++;
    }
    darc_free(a);
    darc_free(w);
    darc_free(unit);
    return rank;
}

/* Minimise |y + q r|^2 over the box by coordinates: convex, so that it
 * settles at the minimum. */
static double least_squares_in_box(double *y, const double *q, int rows,
                                   int columns, double box)
{
    double *r = darc_calloc((size_t)columns + 1, sizeof *r);
    for (int sweep = 0; sweep < SWEEPS && box > 0; sweep++)
        for (int j = 0; j < columns; j++) {
            double slope = 0, curve = 0;
            for (int i = 0; i < rows; i++) {
                slope += q[i * columns + j] * y[i];
                curve += q[i * columns + j] * q[i * columns + j];
            }
            double to = curve > 0 ? r[j] - slope / curve : r[j];
            to = to > box ? box : to < -box ? -box : to;
            for (int i = 0; i < rows; i++)
                y[i] += q[i * columns + j] * (to - r[j]);
            r[j] = to;
        }
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += y[i] * y[i];
    darc_free(r);
    return sum;
}

double darc_contrast_statistic(const darc_contrast *c, double box, double *dof)
{
    int n = c->count, m = c->drifts;
    double *p = darc_calloc((size_t)(n * n) + 1, sizeof *p);
    double *q = darc_calloc((size_t)(n * m) + 1, sizeof *q);
    double *y = darc_calloc((size_t)n + 1, sizeof *y);
    int rank = whitener(c, p);
    for (int i = 0; i < rank; i++)
        for (int k = 0; k < n; k++) {
            y[i] += p[i * n + k] * c->h[k];
            for (int j = 0; j < m; j++)
                q[i * m + j] += p[i * n + k] * c->d[k * m + j];
        }
    double value = rank < 0 ? NAN : least_squares_in_box(y, q, rank, m, box);
    *dof = rank;
    darc_free(p);
    darc_free(q);
    darc_free(y);
    return value;
}

/* The largest tolerance at which the test still rejects. */
static double largest_rejected(const darc_contrast *c, double alpha,
                               double most)
{
    double dof, low = 0, high = most;
    for (int i = 0; i < 40; i++) {
        double t = (low + high) / 2;
        double x = darc_contrast_statistic(c, c->box_share * t, &dof);
        if (darc_stats_chi2_sf(x, dof) < alpha)
            low = t;
        else
            high = t;
    }
    return low;
}

void darc_contrast_decide(darc_decision *d, const darc_contrast *c, double t)
{
    int n = c->count;
    double z = darc_stats_normal_quantile(1 - d->alpha / (2 * fmax(1, n)));
    double finest = HUGE_VAL;
    d->tolerance = t;
    d->statistic = darc_contrast_statistic(c, c->box_share * t, &d->dof);
    d->p_value = isnan(d->statistic) || d->dof <= 0
                     ? NAN
                     : darc_stats_chi2_sf(d->statistic, d->dof);
    d->defect = d->defect_high = 0;
    for (int i = 0; i < n; i++) {
        double change = fabs(c->h[i]) / c->measure[i];
        double sd = sqrt(c->s[i * n + i]) / c->measure[i];
        d->defect = fmax(d->defect, change);
        d->defect_high = fmax(d->defect_high, change + z * sd);
        finest = fmin(finest, sd);
    }
    d->verdict = DARC_UNDECIDED;
    if (isnan(d->p_value))
        return;
    d->detectable =
        finest * sqrt(darc_stats_detectable_ncp(d->dof, d->alpha, 0.9));
    d->defect_low = fmin(d->defect, largest_rejected(c, d->alpha, d->defect));
    if (d->p_value < d->alpha)
        d->verdict = DARC_INCONSISTENT;
    else if (t > 0 ? d->defect_high <= t : d->detectable <= DARC_WEAK_MEANING)
        d->verdict = DARC_CONSISTENT;
}
