#include "weak/gls_robust.h"

#include "base/mem.h"
#include "stats/stats.h"

#include <assert.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED_PASSES = 3, MAX_PASSES = 20, HALVINGS = 5, DRAW_FUNCTIONS = 3000 };

/* Of a recording of more than MANY_PIECES pieces, FEW_PIECES evenly spread give
 * the start for the fit to all, and noise is simulated for as many test
 * functions as make its sums known to 1 %, and the bias that they take off to
 * a tenth of a standard deviation. */
enum {
    MANY_PIECES = 48,
    FEW_PIECES = 24,
    FEW_DRAWS = 8, /* pieces with noise of those */
    LONG_FUNCTIONS = 20000
};
static const double DRAW_SHARE = 100;

/* The minimum is found when a step would change Q by less than STEP_DONE, or
 * when Q no longer falls (the second-order part of V is held fixed in a step)
 * and the step is below STEP_SMALL: a tenth of a standard deviation. */
static const double STEP_DONE = 1e-6, STEP_SMALL = 1e-2;

/* Q above twice its degrees of freedom: the relation does not hold, and the
 * minimum of Q, which trades residual for noise, means nothing any more. */
static const double BROKEN = 2;

/* State of a fit between passes. */
typedef struct {
    const darc_weak *weak;
    const darc_budget *budget;
    darc_gls_sums sums;
    int model, reference;
    int draws;             /* of the last pass */
    int every, draw_every; /* pieces in use, and with noise */
    int *index;            /* the free ones */
    int free;
    double *c;
    bool current; /* sums are those at c */
} fitter;

static darc_status pass(fitter *f, int flags, int draws, darc_err *err)
{
    darc_gls_effort effort = {flags, f->every, draws, f->draw_every};
    darc_status status =
        darc_gls_pass(&f->sums, f->weak, f->c, &effort, f->budget, err);
    f->current = status == DARC_OK;
    return status;
}

static double at(const double *a, const fitter *f, int i, int j)
{
    return a[i * f->sums.coeffs + j];
}

/* ---- start: least squares without a reference -----------------------------
 */

/* Set h to W'W over the pieces in use. */
static void moments(const fitter *f, double *h)
{
    darc_weak_work *work = darc_weak_work_new(f->weak);
    for (int p = 0; p < f->weak->pieces; p += f->every) {
        darc_weak_load(work, p);
        darc_gls_gram(h, work->w, (size_t)work->functions, f->weak->coeffs);
    }
    darc_weak_work_free(work);
}

static darc_status out_of_range(const darc_weak *weak, darc_err *err)
{
    return darc_fail(err, DARC_DATA,
                     "%s: the weak form leaves the range of numbers on these "
                     "data; scale the signals (--scale)",
                     weak->table->file);
}

/* Whether squares of the terms, over those of others, can be squared. */
static bool in_range(const double *h, int j, int n)
{
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < n; i++) {
        least = fmin(least, h[i * (j + 1)]);
        most = fmax(most, h[i * (j + 1)]);
    }
    return isfinite(most) && least > sqrt(DBL_MIN) * most;
}

/* Set c to the smallest eigenvector of W'W scaled to a unit diagonal. */
static darc_status start(fitter *f, darc_err *err)
{
    int j = f->weak->coeffs, n = f->model;
    double *h = darc_calloc((size_t)j * (size_t)j, sizeof *h);
    double *a = darc_calloc((size_t)n * (size_t)n, sizeof *a);
    double *w = darc_calloc((size_t)n, sizeof *w);
    darc_status status = DARC_OK;
    moments(f, h);
    if (!in_range(h, j, n))
        DARC_TRY(out_of_range(f->weak, err));
    for (int i = 0; i < n; i++)
        for (int l = 0; l < n; l++)
            a[i * n + l] =
                h[i * j + l] / sqrt(h[i * j + i]) / sqrt(h[l * j + l]);
    LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, w);
    f->reference = 0;
    for (int i = 0; i < n; i++)
        if (fabs(a[i]) > fabs(a[f->reference]))
            f->reference = i;
    double unit = a[f->reference] / sqrt(h[f->reference * (j + 1)]);
    for (int i = 0; i < n; i++)
        f->c[i] = a[i] / sqrt(h[i * (j + 1)]) / unit;
    for (int i = 0; i < n; i++)
        if (i != f->reference)
            f->index[f->free++] = i;
done:
    darc_free(h);
    darc_free(a);
    darc_free(w);
    return status;
}

/* ---- steps ----------------------------------------------------------------
 */

/* One step under fixed weights: minimise c' (W' V^-1 W - T) c.  Returns the
 * size of the step in standard deviations, HUGE_VAL if it cannot be made. */
static double fixed_step(fitter *f)
{
    int j = f->sums.coeffs;
    double *a = darc_calloc((size_t)j * (size_t)j, sizeof *a);
    double *b = darc_calloc((size_t)f->free, sizeof *b);
    for (int i = 0; i < j * j; i++)
        a[i] = f->sums.raw_hess[i] - f->sums.trace[i];
    for (int i = 0; i < f->free; i++)
        b[i] = -at(a, f, f->index[i], f->reference);
    double moved = HUGE_VAL;
    bool solved = darc_gls_solve(a, j, f->index, f->free, b, 1);
    if (!solved) { /* noise as large as the signals: leave T out */
        memcpy(a, f->sums.raw_hess, (size_t)j * (size_t)j * sizeof *a);
        for (int i = 0; i < f->free; i++)
            b[i] = -at(a, f, f->index[i], f->reference);
        solved = darc_gls_solve(a, j, f->index, f->free, b, 1);
    }
    if (solved) {
        moved = 0;
        for (int i = 0; i < f->free; i++)
            for (int l = 0; l < f->free; l++)
                moved += (b[i] - f->c[f->index[i]]) *
                         at(a, f, f->index[i], f->index[l]) *
                         (b[l] - f->c[f->index[l]]);
        for (int i = 0; i < f->free; i++)
            f->c[f->index[i]] = b[i];
        f->current = false;
    }
    darc_free(a);
    darc_free(b);
    return moved;
}

static darc_status fixed_weights(fitter *f, int passes, darc_err *err)
{
    darc_status status = DARC_OK;
    double moved = HUGE_VAL;
    for (int i = 0; i < passes && moved > STEP_DONE; i++) {
        status = pass(f, DARC_GLS_DRAWS, 1, err);
        if (status != DARC_OK)
            return status;
        moved = fixed_step(f);
        if (moved == HUGE_VAL)
            break;
    }
    return DARC_OK;
}

/* Set step to the Gauss-Newton step; return g' H^-1 g, HUGE_VAL if singular. */
static double newton_step(const fitter *f, double *step)
{
    for (int i = 0; i < f->free; i++)
        step[i] = -f->sums.grad[f->index[i]];
    if (!darc_gls_solve(f->sums.hess, f->sums.coeffs, f->index, f->free, step,
                        1))
        return HUGE_VAL;
    double gain = 0;
    for (int i = 0; i < f->free; i++)
        gain -= step[i] * f->sums.grad[f->index[i]];
    return gain;
}

/* Go along step, halved while Q rises. */
static darc_status descend(fitter *f, const double *step, bool *lower,
                           darc_err *err)
{
    darc_status status = DARC_OK;
    double *from = darc_calloc((size_t)f->sums.coeffs, sizeof *from);
    double q = f->sums.q, size = 1;
    memcpy(from, f->c, (size_t)f->sums.coeffs * sizeof *from);
    *lower = false;
    for (int i = 0; i < HALVINGS && !*lower; i++, size /= 2) {
        for (int k = 0; k < f->free; k++)
            f->c[f->index[k]] = from[f->index[k]] + size * step[k];
        DARC_TRY(pass(f, 0, 0, err));
        *lower = f->sums.q <= q * (1 + 1e-12);
    }
    if (!*lower) {
        memcpy(f->c, from, (size_t)f->sums.coeffs * sizeof *from);
        f->current = false;
    }
done:
    darc_free(from);
    return status;
}

static darc_status minimise(fitter *f, bool *converged, darc_err *err)
{
    darc_status status = DARC_OK;
    double *step = darc_calloc((size_t)f->free + 1, sizeof *step);
    bool lower = true;
    *converged = false;
    DARC_TRY(pass(f, 0, 0, err));
    for (int i = 0; i < MAX_PASSES && !*converged && lower; i++) {
        double gain = newton_step(f, step);
        *converged = gain < STEP_DONE;
        if (*converged || gain == HUGE_VAL)
            break;
        DARC_TRY(descend(f, step, &lower, err));
        *converged = !lower && gain < STEP_SMALL;
    }
done:
    darc_free(step);
    return status;
}

/* ---- results --------------------------------------------------------------
 */

/* Largest eigenvalue of I^-1 N over the free coefficients. */
static double noise_ratio(const fitter *f, const darc_gls *fit)
{
    int n = f->free;
    double *a = darc_calloc((size_t)n * (size_t)n + 1, sizeof *a);
    double *b = darc_calloc((size_t)n * (size_t)n + 1, sizeof *b);
    double *w = darc_calloc((size_t)n + 1, sizeof *w);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double d = sqrt(at(fit->info, f, f->index[i], f->index[i]) *
                            at(fit->info, f, f->index[k], f->index[k]));
            a[i * n + k] = at(fit->noise, f, f->index[i], f->index[k]) / d;
            b[i * n + k] = at(fit->info, f, f->index[i], f->index[k]) / d;
        }
    double ratio = 0;
    if (n > 0)
        ratio =
            LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', n, a, n, b, n, w) == 0
                ? w[n - 1]
                : HUGE_VAL;
    darc_free(a);
    darc_free(b);
    darc_free(w);
    return ratio;
}

/* Var Q = 2 dof + sum_q (share_q)^2 2 / dof_q: share_q is the derivative of
 * -Q by the logarithm of noise variance q. */
static void set_p_value(const fitter *f, darc_gls *fit)
{
    double inverse = 0;
    for (int q = 0; q < f->sums.channels; q++) {
        double share = f->sums.share[q] / f->sums.q;
        inverse += share * share / f->weak->dof[q];
    }
    fit->noise_dof = inverse > 0 ? 1 / inverse : HUGE_VAL;
    fit->p_value =
        fit->noise_dof < 1e9
            ? darc_stats_f_sf(fit->q / fit->dof, fit->dof, fit->noise_dof)
            : darc_stats_chi2_sf(fit->q, fit->dof);
}

static void allocate_fit(darc_gls *fit, const fitter *f)
{
    size_t j = (size_t)f->sums.coeffs;
    *fit = (darc_gls){.coeffs = f->sums.coeffs,
                      .model = f->model,
                      .reference = f->reference,
                      .functions = f->weak->functions};
    fit->c = darc_calloc(j, sizeof(double));
    fit->score = darc_calloc(j, sizeof(double));
    fit->size = darc_calloc(j, sizeof(double));
    fit->info = darc_calloc(j * j, sizeof(double));
    fit->noise = darc_calloc(j * j, sizeof(double));
    fit->cov = darc_calloc(j * j, sizeof(double));
    fit->score_cov = darc_calloc(j * j, sizeof(double));
    fit->dof = (double)fit->functions - f->free;
    /* Bartlett's window of B lags over K terms: 1.5 K / B */
    fit->hac_dof = 1.5 * (double)fit->functions /
                   (double)(darc_gls_lags(fit->functions) + 1);
    fit->error_dof = fmin(fit->hac_dof, DARC_GLS_BLOCKS - 1);
}

static darc_status finish(fitter *f, darc_gls *fit, darc_err *err)
{
    const darc_gls_sums *s = &f->sums;
    int j = s->coeffs, flags = DARC_GLS_DRAWS;
    if (fit->robust)
        flags |= DARC_GLS_HAC;
    else if (f->current)
        flags |= DARC_GLS_DRAWS_ALONE;
    darc_status status = pass(f, flags, f->draws, err);
    if (status != DARC_OK)
        return status;
    memcpy(fit->c, f->c, (size_t)j * sizeof(double));
    for (int i = 0; i < j * j; i++) {
        fit->noise[i] = s->noise[i];
        fit->info[i] = fit->robust ? s->raw_hess[i] - s->trace[i]
                                   : s->hess[i] - s->noise[i];
    }
    for (int i = 0; i < j; i++) {
        fit->score[i] = fit->robust ? s->raw_grad[i] : s->grad[i];
        for (int k = 0; k < j && fit->robust; k++)
            fit->score[i] -= at(s->trace, f, i, k) * f->c[k];
        fit->size[i] =
            f->c[i] * f->c[i] *
            fmax(0, at(s->raw_hess, f, i, i) - at(s->trace, f, i, i));
    }
    for (int i = 0; i < j * j; i++)
        fit->score_cov[i] =
            fit->robust ? s->raw_hac[i] : fit->info[i] + fit->noise[i];
    darc_gls_sandwich(fit->cov, fit->info, fit->score_cov, j, f->index,
                      f->free);
    fit->q_here = s->q;
    if (fit->robust)
        darc_gls_widen(fit, s, f->index, f->free);
    fit->ratio = noise_ratio(f, fit);
    return DARC_OK;
}

static void init_fitter(fitter *f, const darc_weak *weak, int model,
                        const darc_budget *budget)
{
    *f = (fitter){.weak = weak,
                  .budget = budget,
                  .model = model,
                  .every = 1,
                  .draw_every = 1};
    darc_gls_sums_init(&f->sums, weak);
    f->index = darc_calloc((size_t)model, sizeof *f->index);
    f->c = darc_calloc((size_t)weak->coeffs, sizeof *f->c);
    f->draws = 1 + DRAW_FUNCTIONS / (int)(weak->functions < DRAW_FUNCTIONS
                                              ? weak->functions
                                              : DRAW_FUNCTIONS);
    if (weak->pieces > MANY_PIECES) {
        f->every = weak->pieces / FEW_PIECES;
        f->draw_every = FEW_PIECES / FEW_DRAWS;
    }
}

static void clear_fitter(fitter *f)
{
    darc_gls_sums_clear(&f->sums);
    darc_free(f->index);
    darc_free(f->c);
}

/* Return the largest share of a Hessian that noise alone makes. */
static double share_of_noise(const fitter *f)
{
    double share = 0;
    for (int i = 0; i < f->model; i++) {
        double all = at(f->sums.raw_hess, f, i, i);
        double noise = at(f->sums.trace, f, i, i);
        share = fmax(share, all > noise ? noise / (all - noise) : 1);
    }
    return share;
}

/* Go over from the pieces that were enough for a start to all. */
static void take_all(fitter *f, double share)
{
    double k = (double)f->weak->functions;
    double wanted = fmax(LONG_FUNCTIONS, DRAW_SHARE * share * k);
    f->draw_every = f->every == 1 || wanted >= k ? 1 : (int)(k / wanted);
    f->every = 1;
}

/* Set c to the minimum of Q; *fixed (owned) to what fixed weights give. */
static darc_status find_minimum(fitter *f, double **fixed, bool *converged,
                                darc_err *err)
{
    darc_status status;
    size_t bytes = (size_t)f->weak->coeffs * sizeof **fixed;
    DARC_TRY(fixed_weights(f, FIXED_PASSES, err));
    *fixed = darc_malloc(bytes);
    memcpy(*fixed, f->c, bytes);
    double share = share_of_noise(f);
    if (f->every > 1)
        DARC_TRY(minimise(f, converged, err));
    take_all(f, share);
    DARC_TRY(minimise(f, converged, err));
done:
    return status;
}

/* Fail where a sum has overflowed; a variance may be infinite. */
static darc_status check_range(const darc_gls *fit, const darc_weak *weak,
                               darc_err *err)
{
    bool fits = isfinite(fit->q) && isfinite(fit->q_here);
    for (int i = 0; i < fit->coeffs; i++)
        fits = fits && isfinite(fit->c[i]) && isfinite(fit->score[i]);
    for (int i = 0; i < fit->coeffs * fit->coeffs; i++)
        fits = fits && isfinite(fit->info[i]) && isfinite(fit->noise[i]) &&
               !isnan(fit->cov[i]);
    return fits ? DARC_OK : out_of_range(weak, err);
}

darc_status darc_gls_fit(darc_gls *fit, const darc_weak *weak, int model,
                         bool robust, const darc_budget *budget, darc_err *err)
{
    assert(model >= 1 && model <= weak->coeffs);
    darc_status status = DARC_OK;
    fitter f;
    init_fitter(&f, weak, model, budget);
    *fit = (darc_gls){0};
    double *fixed = NULL;
    DARC_TRY(start(&f, err));
    allocate_fit(fit, &f);
    DARC_TRY(find_minimum(&f, &fixed, &fit->converged, err));
    if (!f.current) /* the sums are those of a step that was not taken */
        DARC_TRY(pass(&f, 0, 0, err));
    fit->q = f.sums.q;
    set_p_value(&f, fit);
    fit->robust = robust || fit->q > BROKEN * fit->dof;
    if (fit->robust) {
        memcpy(f.c, fixed, (size_t)weak->coeffs * sizeof *fixed);
        DARC_TRY(fixed_weights(&f, MAX_PASSES, err));
    }
    DARC_TRY(finish(&f, fit, err));
    status = check_range(fit, weak, err);
done:
    darc_free(fixed);
    clear_fitter(&f);
    if (status != DARC_OK)
        darc_gls_clear(fit);
    return status;
}

void darc_gls_clear(darc_gls *fit)
{
    darc_free(fit->c);
    darc_free(fit->score);
    darc_free(fit->size);
    darc_free(fit->info);
    darc_free(fit->noise);
    darc_free(fit->cov);
    darc_free(fit->score_cov);
    *fit = (darc_gls){0};
}

/* b_i = c_i / c_r: db_i = (dc_i - b_i dc_r) / c_r. */
bool darc_gls_refer(darc_gls *fit, int reference)
{
    assert(reference < fit->model);
    int j = fit->coeffs;
    double unit = fit->c[reference];
    if (unit == 0 || !isfinite(1 / unit))
        return false;
    double *v = darc_calloc((size_t)j * (size_t)j, sizeof *v);
    for (int i = 0; i < j; i++)
        fit->c[i] /= unit;
    for (int i = 0; i < j; i++)
        for (int k = 0; k < j; k++)
            v[i * j + k] =
                (fit->cov[i * j + k] - fit->c[i] * fit->cov[reference * j + k] -
                 fit->c[k] * fit->cov[i * j + reference] +
                 fit->c[i] * fit->c[k] * fit->cov[reference * j + reference]) /
                (unit * unit);
    for (int i = 0; i < j; i++) { /* infinite less infinite, or rounding */
        double *x = v + i * (j + 1);
        *x = isnan(*x) ? HUGE_VAL : fmax(0, *x);
    }
    memcpy(fit->cov, v, (size_t)j * (size_t)j * sizeof *v);
    fit->reference = reference;
    darc_free(v);
    return true;
}
