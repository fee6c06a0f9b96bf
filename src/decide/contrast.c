#include "decide/contrast.h"

#include "base/mem.h"
#include "decide/curvature.h"
#include "stats/real.h"
#include "stats/stats.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 200 };

/* Directions of S below this share of the largest, after scaling to a unit
 * diagonal, carry no information of their own. */
static const double RANK = 1e-9;

void darc_contrast_init(darc_contrast *c, int count, int drifts)
{
    size_t n = (size_t)count, m = (size_t)drifts;
    *c = (darc_contrast){.count = count, .drifts = drifts};
    c->h = darc_calloc(n, sizeof(double));
    c->s = darc_calloc(n * n, sizeof(double));
    c->d = darc_calloc(n * m, sizeof(double));
    c->measure = darc_calloc(n, sizeof(double));
    c->weight = darc_calloc(n, sizeof(double));
    c->term = darc_calloc(n, sizeof(int));
    c->share = darc_calloc(m, sizeof(double));
    for (int i = 0; i < count; i++)
        c->weight[i] = 1;
}

void darc_contrast_clear(darc_contrast *c)
{
    darc_free(c->h);
    darc_free(c->s);
    darc_free(c->d);
    darc_free(c->measure);
    darc_free(c->weight);
    darc_free(c->term);
    darc_free(c->share);
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

/* Add the covariances that both estimates make.  Single: the misfit that one
 * recording shows may as well be in the other, where chance hid it, so that
 * the larger variance counts for both. */
static void add_covariances(darc_contrast *c, const double *ga,
                            const darc_weakfit *a, const double *gb,
                            const darc_weakfit *b)
{
    int n = c->count;
    double *of_a = darc_calloc((size_t)n, sizeof *of_a);
    add_covariance(c, ga, &a->fit);
    for (int i = 0; i < n; i++)
        of_a[i] = c->s[i * n + i];
    add_covariance(c, gb, &b->fit);
    for (int i = 0; i < n && c->single && a->misfit && b->misfit; i++) {
        double of_b = c->s[i * n + i] - of_a[i];
        c->s[i * n + i] = 2 * fmax(of_a[i], of_b);
    }
    darc_free(of_a);
}

/* ---- equal ------------------------------------------------------------------
 */

static void set_error(darc_contrast *c, const darc_gls *a, const darc_gls *b)
{
    c->error_dof = a->robust ? a->error_dof : HUGE_VAL;
    c->single = a->robust;
    if (b == NULL || !b->robust)
        return;
    c->error_dof = fmin(c->error_dof, b->error_dof);
    c->single = true;
}

double darc_contrast_leading_size(const darc_weakfit *f, int j)
{
    double share = sqrt(f->fit.size[j] / f->lambda);
    return share > 0 ? fabs(f->fit.c[j]) / share : 0;
}

static double least_share(const darc_weakfit *a, const darc_weakfit *b, int j)
{
    return b != NULL ? fmin(a->share[j], b->share[j]) : a->share[j];
}

/* Fill row i of the contrast: coefficient j of both fits. */
static void compare(darc_contrast *c, int i, int j, const darc_weakfit *fa,
                    const darc_weakfit *fb, bool vanishing, double *ga,
                    double *gb)
{
    const darc_gls *a = &fa->fit, *b = &fb->fit;
    int n = a->coeffs;
    double x = a->c[j], y = b->c[j];
    bool clear = !vanishing && x * y > 0 &&
                 fabs(x) > 3 * sqrt(a->cov[j * n + j]) &&
                 fabs(y) > 3 * sqrt(b->cov[j * n + j]);
    double size = (fabs(x) + fabs(y)) / 2;
    if (vanishing)
        size = fmax(size, (darc_contrast_leading_size(fa, j) +
                           darc_contrast_leading_size(fb, j)) /
                              2);
    c->h[i] = clear ? log(y / x) : (y - x) / size;
    ga[i * n + j] = clear ? -1 / x : -1 / size;
    gb[i * n + j] = clear ? 1 / y : 1 / size;
    c->d[i * c->drifts + i] = 1;
    c->measure[i] = 1;
    c->term[i] = j;
    c->share[i] = least_share(fa, fb, j);
    if (!vanishing)
        c->weight[i] = fmax(fa->share[j], fb->share[j]);
}

void darc_contrast_equal(darc_contrast *c, const darc_weakfit *fa,
                         const darc_weakfit *fb, const bool *vanishing)
{
    const darc_gls *a = &fa->fit, *b = &fb->fit;
    int n = a->coeffs, i = 0;
    assert(a->reference == b->reference && a->model == b->model);
    darc_contrast_init(c, a->model - 1, a->model - 1);
    set_error(c, a, b);
    double *ga = darc_calloc((size_t)(n * a->model), sizeof *ga);
    double *gb = darc_calloc((size_t)(n * a->model), sizeof *gb);
    for (int j = 0; j < a->model; j++)
        if (j != a->reference)
            compare(c, i++, j, fa, fb, vanishing[j], ga, gb);
    add_covariances(c, ga, fa, gb, fb);
    darc_free(ga);
    darc_free(gb);
}

/* ---- relations
 * ---------------------------------------------------------------- */

double darc_contrast_value(const darc_coeffrel_t r, slong k, slong v,
                           const double *x)
{
    const fmpz_mpoly_struct *p = r->h + k;
    slong vars = r->vars;
    ulong *e = darc_calloc((size_t)vars, sizeof *e);
    double sum = 0;
    for (slong i = 0; i < fmpz_mpoly_length(p, r->ctx); i++) {
        fmpz_mpoly_get_term_exp_ui(e, p, i, r->ctx);
        double term = darc_real_integer(p->coeffs + i);
        if (v >= 0) {
            term *= (double)e[v];
            e[v] -= e[v] > 0;
        }
        for (slong u = 0; u < vars && term != 0; u++)
            term *= pow(x[u], (double)e[u]);
        sum += term;
    }
    darc_free(e);
    return sum;
}

/* Everything that row i of a contrast is made from. */
typedef struct {
    const darc_coeffrel_struct *r;
    const double *x;    /* values of all coefficients */
    const double *size; /* of a coefficient that may drift: its value, or that
                           of the leading term where it may vanish */
    int drifting;       /* the recording whose coefficients may drift */
    double *ga, *gb;
    int stride;
} gradients;

static void add_relation(darc_contrast *c, int i, slong k, const gradients *g)
{
    const darc_coeffrel_struct *r = g->r;
    c->h[i] = darc_contrast_value(r, k, -1, g->x);
    for (int w = 0; w < r->vectors; w++)
        for (slong v = r->first[w]; v < r->first[w + 1]; v++) {
            double slope = darc_contrast_value(r, k, v, g->x);
            int j = (int)(v - r->first[w]);
            (r->recording[w] == 0 ? g->ga : g->gb)[i * g->stride + j] = slope;
            if (r->recording[w] != g->drifting)
                continue;
            c->d[i * c->drifts + j] = slope * g->size[j];
            c->measure[i] = fmax(c->measure[i], fabs(slope * g->size[j]));
        }
}

/* A relation that is off may be so by any of its coefficients alone: count the
 * least effect on the equation.  A coefficient that may vanish changes in
 * shares of the leading term already. */
static void set_weights(darc_contrast *c, const darc_weakfit *fa,
                        const darc_weakfit *fb, const bool *vanishing)
{
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < c->drifts; j++) {
            double move = fabs(c->d[i * c->drifts + j]);
            double share = vanishing[j] ? 1 : fmax(fa->share[j], fb->share[j]);
            double weight = move > 0 ? share * c->measure[i] / move : 1;
            if (j == fa->fit.reference || weight >= c->weight[i])
                continue;
            c->weight[i] = weight;
            c->term[i] = j;
        }
}

void darc_contrast_relations(darc_contrast *c, const darc_coeffrel_t r,
                             const darc_weakfit *fa, const darc_weakfit *fb,
                             const bool *vanishing)
{
    const darc_weakfit *last = fb != NULL ? fb : fa;
    const darc_gls *a = &fa->fit, *b = fb != NULL ? &fb->fit : NULL;
    int count = 0, n = a->coeffs, i = 0;
    for (slong k = 0; k < r->count; k++)
        count += fb == NULL || r->mixed[k];
    darc_contrast_init(c, count, a->model);
    c->curved = true;
    c->partial = !r->decisive;
    set_error(c, a, b);
    double *x = darc_calloc((size_t)r->vars, sizeof *x);
    double *size = darc_calloc((size_t)n, sizeof *size);
    slong *relation = darc_calloc((size_t)count, sizeof *relation);
    const darc_weakfit **fit = darc_calloc((size_t)r->vectors, sizeof *fit);
    gradients g = {r, x, size, fb != NULL, NULL, NULL, n};
    g.ga = darc_calloc((size_t)(n * count), sizeof *g.ga);
    g.gb = darc_calloc((size_t)(n * count), sizeof *g.gb);
    for (int w = 0; w < r->vectors; w++)
        for (slong v = r->first[w]; v < r->first[w + 1]; v++)
            x[v] =
                (r->recording[w] == 0 || b == NULL ? a : b)->c[v - r->first[w]];
    for (int j = 0; j < a->model; j++)
        c->share[j] = least_share(fa, fb, j);
    for (int j = 0; j < a->model; j++)
        size[j] = fmax(fabs(last->fit.c[j]),
                       vanishing[j] ? darc_contrast_leading_size(last, j) : 0);
    for (slong k = 0; k < r->count; k++)
        if (fb == NULL || r->mixed[k]) {
            relation[i] = k;
            add_relation(c, i++, k, &g);
        }
    if (fb == NULL)
        add_covariance(c, g.ga, a);
    else {
        add_covariances(c, g.ga, fa, g.gb, fb);
        set_weights(c, fa, fb, vanishing);
    }
    for (int w = 0; w < r->vectors; w++)
        fit[w] = r->recording[w] == 0 || fb == NULL ? fa : fb;
    darc_curvature_add(c, r, relation, x, fit, 1);
    darc_free(fit);
    darc_free(relation);
    darc_free(x);
    darc_free(size);
    darc_free(g.ga);
    darc_free(g.gb);
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

static double largest_single(const darc_contrast *c, double box)
{
    double most = 0;
    for (int i = 0; i < c->count; i++) {
        double h = fabs(c->h[i]), sd = sqrt(c->s[i * c->count + i]);
        for (int j = 0; j < c->drifts; j++)
            h -= box * fabs(c->d[i * c->drifts + j]);
        if (!isfinite(sd) || !(sd > 0))
            return NAN;
        most = fmax(most, h / sd);
    }
    return most * most;
}

double darc_contrast_statistic(const darc_contrast *c, double box, double *dof)
{
    if (c->single) {
        *dof = 1;
        return largest_single(c, box);
    }
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

double darc_contrast_p(const darc_contrast *c, double statistic, double dof)
{
    if (isnan(statistic) || dof <= 0)
        return NAN;
    double p = c->error_dof < 1e6
                   ? darc_stats_f_sf(statistic / dof, dof, c->error_dof)
                   : darc_stats_chi2_sf(statistic, dof);
    return c->single ? fmin(1, p * c->count) : p;
}

/* The largest tolerance at which the test still rejects. */
static double largest_rejected(const darc_contrast *c, double alpha,
                               double most)
{
    double dof, low = 0, high = most;
    for (int i = 0; i < 40; i++) {
        double t = (low + high) / 2;
        double x = darc_contrast_statistic(c, t, &dof);
        if (darc_contrast_p(c, x, dof) < alpha)
            low = t;
        else
            high = t;
    }
    return low;
}

/* Set the largest change and the upper end of all; weighted: those that are
 * not shown to differ from 0 by what they may do to the equation. */
static void set_changes(darc_decision *d, const darc_contrast *c, bool weighted)
{
    int n = c->count;
    double tail = 1 - d->alpha;
    double z = c->error_dof < 1e6 ? darc_stats_t_quantile(tail, c->error_dof)
                                  : darc_stats_normal_quantile(tail);
    d->defect = d->defect_high = 0;
    for (int i = 0; i < n; i++) {
        double change = fabs(c->h[i]), sd = sqrt(c->s[i * n + i]);
        double unit = 1 / c->measure[i];
        if (weighted && change <= z * sd)
            unit *= c->weight[i];
        d->defect = fmax(d->defect, unit * change);
        d->defect_high = fmax(d->defect_high, unit * (change + z * sd));
    }
}

void darc_contrast_drift_by_effect(darc_contrast *c)
{
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < c->drifts; j++)
            if (c->d[i * c->drifts + j] != 0)
                c->d[i * c->drifts + j] /= c->share[j];
}

double darc_contrast_upper(const darc_contrast *c, int i, double alpha)
{
    double tail = 1 - alpha, sd = sqrt(c->s[i * c->count + i]);
    double z = c->error_dof < 1e6 ? darc_stats_t_quantile(tail, c->error_dof)
                                  : darc_stats_normal_quantile(tail);
    return (fabs(c->h[i]) + z * sd) / c->measure[i];
}

static double finest_sd(const darc_contrast *c)
{
    double finest = HUGE_VAL;
    for (int i = 0; i < c->count; i++)
        finest = fmin(finest, sqrt(c->s[i * c->count + i]) / c->measure[i]);
    return finest;
}

void darc_contrast_decide(darc_decision *d, const darc_contrast *c,
                          double accept, double reject)
{
    double dof;
    d->tolerance = accept;
    d->statistic = darc_contrast_statistic(c, reject, &d->dof);
    d->p_value = darc_contrast_p(c, d->statistic, d->dof);
    d->verdict = DARC_UNDECIDED;
    set_changes(d, c, !(d->p_value < d->alpha));
    if (isnan(d->p_value))
        return;
    d->detectable =
        finest_sd(c) * sqrt(darc_stats_detectable_ncp(d->dof, d->alpha, 0.9));
    d->defect_low = fmin(d->defect, largest_rejected(c, d->alpha, d->defect));
    double here = darc_contrast_statistic(c, 0, &dof);
    if (d->p_value < d->alpha)
        d->verdict = DARC_INCONSISTENT;
    else if (accept > 0 ? d->defect_high <= accept
                        : d->detectable <= DARC_WEAK_MEANING &&
                              darc_contrast_p(c, here, dof) >= d->alpha)
        d->verdict = DARC_CONSISTENT;
}
