#include "fit/estimates.h"

#include "base/mem.h"
#include "coefficient/ratio.h"
#include "fit/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/sandwich.h"
#include "stats/stats.h"
#include "weak/origin.h"
#include "weak/steps.h"

#include <math.h>
#include <string.h>

/* Return the share of the largest term above which a misfit would have made Q
 * larger than it is, with probability 1 - alpha; HUGE_VAL: Q does not tell, for
 * the noise may have any colour, or it is rejected. */
static double most_by_test(const darc_fit *f, const darc_yardstick *y,
                           double alpha)
{
    const darc_gls *g = &f->white;
    double lead = y->lead >= 0 ? y->size[y->lead] : 0, q = g->q;
    if (f->r.coloured >= 0 || !(g->p_value >= alpha) ||
        !(g->dof > 0 && g->noise_dof > 0) || !(y->shows > 0) || !(lead > 0))
        return HUGE_VAL;
    if (isfinite(g->noise_dof)) /* the noise may be less than it seems */
        q *= g->noise_dof / darc_stats_chi2_isf(1 - alpha, g->noise_dof);
    double ncp = darc_stats_nchi2_ncp(q, g->dof, 1 - alpha);
    return (sqrt(ncp) + sqrt(f->smoothing)) / sqrt(y->shows) / lead;
}

/* What the high end says of any misfit Q may say better. */
static void bound_by_test(darc_defect *d, double most)
{
    double high = fmax(d->defect, fmin(d->high, most));
    d->high_input *= d->high > 0 ? high / d->high : 1;
    d->high = high;
}

/* Where Q is rejected though the yardstick takes all that is left for noise,
 * the high end is what Q shows. */
static void raise_by_test(darc_defect *d, const darc_fit *f,
                          const darc_yardstick *y, double alpha)
{
    const darc_gls *g = &f->white;
    double lead = y->lead >= 0 ? y->size[y->lead] : 0;
    if (!(g->p_value < alpha) || y->residual > y->as.noisy || !(y->shows > 0) ||
        !(lead > 0))
        return;
    double high =
        fmin(y->coeffs, sqrt(fmax(0, g->q - g->dof) / y->shows) / lead);
    double input = y->input >= 0 ? y->size[y->input] : 0;
    d->high = fmax(d->high, high);
    d->high_input = fmax(d->high_input, high * (input > 0 ? lead / input : 1));
}

static void take_equation(darc_estimates_equation *to, const darc_fit *f, int q,
                          double alpha)
{
    const darc_yardstick *y = f->y + q;
    size_t n = (size_t)y->coeffs;
    double lead = y->lead >= 0 ? y->size[y->lead] : 0;
    *to = (darc_estimates_equation){
        .first = y->first,
        .coeffs = y->coeffs,
        .reference = f->fit.reference[q],
        .offset = y->offset < 0 ? -1 : y->first + y->offset,
        .origin = darc_origin_is_free(f->weak, q),
        .size = lead,
        .defect = darc_yardstick_defect(y, alpha, f->r.coloured < 0),
        .arbitrary = y->input >= 0 ? y->arbitrary : HUGE_VAL,
        .excited = y->excited};
    bound_by_test(&to->defect, most_by_test(f, y, alpha));
    raise_by_test(&to->defect, f, y, alpha);
    /* of the low end it is taken off what smoothing may have made */
    double excess = fmax(f->white.q - f->white.dof, 1);
    to->defect.low *= 1 - sqrt(fmin(1, f->smoothing / excess));
    to->gram = darc_calloc(n * n, sizeof *to->gram);
    to->share = darc_calloc(n, sizeof *to->share);
    memcpy(to->gram, y->gram, n * n * sizeof *to->gram);
    for (size_t j = 0; j < n; j++)
        to->share[j] = lead > 0 ? y->size[j] / lead : 0;
}

/* Changes of inputs that were fitted take up degrees of freedom, and are not
 * known exactly. */
static void spread_located(double *cov, const darc_fit *f)
{
    int n = f->fit.coeffs;
    double dof = f->white.dof;
    for (int i = 0; i < n * n && f->spread != NULL; i++)
        cov[i] = (cov[i] + f->spread[i]) * dof / (dof - f->located);
}

/* Smoothing moves all coefficients together, by anything up to f->shift, whose
 * direction it has nearly: in each other one it makes a part of what it makes
 * in all. */
static void spread_smoothed(double *cov, const darc_fit *f)
{
    int n = f->fit.coeffs;
    double each = f->white.dof > 0 ? f->smoothing / f->white.dof : 0;
    for (int i = 0; i < n * n && f->shift != NULL; i++)
        cov[i] += (cov[i] * each + f->shift[i / n] * f->shift[i % n]) / 3;
}

void darc_estimates_init(darc_estimates *e, darc_fit *f, const darc_question *x,
                         double alpha)
{
    const darc_gls *fit = &f->fit;
    size_t n = (size_t)fit->coeffs;
    *e = (darc_estimates){.equations = f->r.equations,
                          .coeffs = fit->coeffs,
                          .misfit = f->misfit,
                          .coloured = f->r.coloured >= 0,
                          .error_dof = fit->error_dof,
                          .ratio = fmax(f->white.ratio, fit->ratio * f->loud),
                          .coarse = f->torn || f->weak->folded >= DARC_COARSE ||
                                    darc_steps_outrun(f->r.steps),
                          .p_value = f->white.p_value};
    e->eq = darc_calloc((size_t)f->r.equations, sizeof *e->eq);
    e->c = darc_calloc(n, sizeof *e->c);
    e->cov = darc_calloc(n * n, sizeof *e->cov);
    e->free = darc_calloc(n, sizeof *e->free);
    e->bias = darc_calloc(n, sizeof *e->bias);
    memcpy(e->c, fit->c, n * sizeof *e->c);
    memcpy(e->cov, fit->cov, n * n * sizeof *e->cov);
    memcpy(e->free, fit->free, n * sizeof *e->free);
    darc_weak_add_bends(e->cov, e->c, fit->reference, fit->free, f->weak);
    spread_located(e->cov, f);
    spread_smoothed(e->cov, f);
    for (int q = 0; q < f->r.equations; q++) {
        take_equation(e->eq + q, f, q, alpha);
        darc_yardstick_bias(e->bias + e->eq[q].first, f->y + q, fit);
    }
    for (int q = 0; q < f->r.equations; q++)
        if (!f->r.settled[q]) /* where that is 0 another stays in its place */
            (void)!darc_estimates_refer(
                e, q,
                e->eq[q].first + darc_ratio_reference(x->io, x->equation[q]));
}

void darc_estimates_clear(darc_estimates *e)
{
    for (int q = 0; q < e->equations; q++)
        DARC_FREE(e->eq[q].gram, e->eq[q].share);
    DARC_FREE(e->eq, e->c, e->cov, e->bare, e->bare_cov, e->free, e->bias);
    *e = (darc_estimates){0};
}

/* Bounds add up. */
bool darc_estimates_refer(darc_estimates *e, int q, int r)
{
    darc_estimates_equation *eq = e->eq + q;
    int n = e->coeffs, first = eq->first, end = first + eq->coeffs;
    double unit = e->c[r], bare = e->bare != NULL ? e->bare[r] : unit;
    if (unit == 0 || bare == 0 || !isfinite(1 / unit) || !isfinite(1 / bare))
        return false;
    if (r == eq->reference)
        return true;
    darc_change_chart(e->c, e->cov, n, first, end, r);
    if (e->bare != NULL)
        darc_change_chart(e->bare, e->bare_cov, n, first, end, r);
    double off = e->bias[r] / fabs(unit);
    for (int i = first; i < end; i++)
        e->bias[i] = e->bias[i] / fabs(unit) + fabs(e->c[i]) * off;
    e->bias[r] = 0;
    eq->size /= fabs(unit);
    e->free[eq->reference] = true;
    e->free[r] = false;
    eq->reference = r;
    return true;
}

double darc_estimates_effect(const darc_estimates *e, int q, const double *d)
{
    const darc_estimates_equation *eq = e->eq + q;
    double sum = darc_dense_quadratic(eq->gram, d + eq->first, eq->coeffs);
    return eq->size > 0 ? sqrt(fmax(0, sum)) / eq->size : HUGE_VAL;
}

/* out += a b, all n x n. */
static void add_product(double *out, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int l = 0; l < n; l++)
                out[i * n + k] += a[i * n + l] * b[l * n + k];
}

/* Set vectors (n x n, by columns) and w to the eigenvectors and values of
 * R'G R, R R' = V on the coefficients of the equation; root becomes R.  The
 * unit of a coefficient does not count: R = S C, C C of the correlations, S of
 * the standard deviations. */
static bool diagonalise(double *root, double *vectors, double *w,
                        const darc_estimates_equation *eq, const double *v,
                        int stride)
{
    int n = eq->coeffs;
    double *a, *b, *sd, *across;
    bool ok = true;
    DARC_CARVE({&a, n * n}, {&b, n * n}, {&across, n * n}, {&sd, n});
    for (int i = 0; i < n; i++)
        sd[i] = sqrt(fmax(0, v[(eq->first + i) * (stride + 1)]));
    for (int i = 0; i < n * n; i++) {
        double s = sd[i / n] * sd[i % n];
        a[i] = v[(eq->first + i / n) * stride + eq->first + i % n];
        ok = ok && isfinite(a[i]);
        a[i] = s > 0 ? a[i] / s : 0;
    }
    ok = ok && darc_dense_eigen(w, a, n, 'V');
    for (int i = 0; i < n && ok; i++)
        for (int k = 0; k < n; k++) {
            for (int l = 0; l < n; l++)
                root[i * n + k] +=
                    sd[i] * a[l * n + i] * sqrt(fmax(0, w[l])) * a[l * n + k];
            across[k * n + i] = root[i * n + k];
        }
    add_product(b, across, eq->gram, n);
    add_product(vectors, b, root, n);
    ok = ok && darc_dense_eigen(w, vectors, n, 'V');
    darc_free(a);
    return ok;
}

/* Maximise d'Gd + 2 b'x + sum w_i x_i^2 over |x|^2 <= r2, d'Gd = at, with b the
 * projections of R'G d: x_i = b_i / (t - w_i), t >= max w (Lagrange). */
static double farthest(const double *w, const double *b, int n, double r2,
                       double at)
{
    double most = w[n - 1], low = most, norm = 0, value = at;
    for (int i = 0; i < n; i++)
        norm += b[i] * b[i];
    double high = most + sqrt(norm / r2) + 1e-300;
    for (int round = 0; round < 200 && high - low > 1e-12 * high; round++) {
        double t = (low + high) / 2, x2 = 0;
        for (int i = 0; i < n; i++)
            x2 += b[i] * b[i] / ((t - w[i]) * (t - w[i]));
        *(x2 > r2 ? &low : &high) = t;
    }
    double left = r2;
    for (int i = 0; i < n; i++) {
        double x = high > w[i] ? b[i] / (high - w[i]) : 0;
        value += 2 * b[i] * x + w[i] * x * x;
        left -= x * x;
    }
    /* what is left of the radius goes along the steepest direction */
    return value + fmax(0, left) * fmax(0, most);
}

double darc_estimates_most_effect(const darc_estimates *e, int q,
                                  const double *d, const double *v, double r2)
{
    const darc_estimates_equation *eq = e->eq + q;
    int n = eq->coeffs;
    double *root, *vectors, *w, *b, *gd;
    DARC_CARVE({&root, n * n}, {&vectors, n * n}, {&w, n}, {&b, n}, {&gd, n});
    double most = HUGE_VAL, here = darc_estimates_effect(e, q, d) * eq->size;
    if (eq->size > 0 && diagonalise(root, vectors, w, eq, v, e->coeffs)) {
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                gd[i] += eq->gram[i * n + k] * d[eq->first + k];
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    b[i] += vectors[i * n + k] * root[l * n + k] * gd[l];
        most = sqrt(farthest(w, b, n, r2, here * here)) / eq->size;
    }
    darc_free(root);
    return most;
}

double darc_estimates_error_dof(const darc_estimates *a,
                                const darc_estimates *b)
{
    double doubt = 0, count = 0;
    for (int j = 0; j < a->coeffs; j++) {
        int at = j * (a->coeffs + 1);
        double va = a->cov[at], vb = b->cov[at], share = va / (va + vb);
        if (!isfinite(share) || !isfinite(va + vb))
            continue;
        count++;
        doubt += share * share / a->error_dof +
                 (1 - share) * (1 - share) / b->error_dof;
    }
    return doubt > 0 ? count / doubt : HUGE_VAL;
}
