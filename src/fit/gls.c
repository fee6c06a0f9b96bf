#include "fit/gls.h"

#include "base/mem.h"
#include "fit/fitter.h"
#include "fit/sandwich.h"
#include "fit/thresholds.h"
#include "stats/dense.h"
#include "stats/stats.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Passes with the weights of the coefficients before, passes in all, and
 * halvings of a step. */
enum { FIXED_PASSES = 3, MAX_PASSES = 20, HALVINGS = 5 };

static darc_status pass(darc_fitter *f, int draws, bool hac, darc_err *err)
{
    darc_effort effort = {f->every, draws, f->draw_every, hac};
    darc_point at = {f->weak, f->c, f->task->metric, f->task->rho, NULL};
    darc_status status =
        darc_sums_pass(&f->sums, &at, &effort, f->task->budget, err);
    f->current = status == DARC_OK;
    return status;
}

static double at(const double *a, const darc_fitter *f, int i, int j)
{
    return a[i * f->sums.coeffs + j];
}

/* ---- steps ----------------------------------------------------------------
 */

/* Set b to what fixed coefficients make of the right-hand sides: -a c. */
static void take_fixed(const darc_fitter *f, double *b, const double *a)
{
    int n = f->sums.coeffs;
    double *fixed = darc_malloc((size_t)n * sizeof *fixed);
    memcpy(fixed, f->c, (size_t)n * sizeof *fixed);
    for (int i = 0; i < f->free; i++)
        fixed[f->index[i]] = 0;
    for (int i = 0; i < f->free; i++) {
        b[i] = 0;
        for (int k = 0; k < n; k++)
            b[i] -= at(a, f, f->index[i], k) * fixed[k];
    }
    darc_free(fixed);
}

/* One step under fixed weights: minimise c' (W' V^-1 W - T) c.  Returns the
 * size of the step in standard deviations, HUGE_VAL if it cannot be made. */
static double fixed_step(darc_fitter *f)
{
    int j = f->sums.coeffs;
    double *a = darc_calloc((size_t)j * (size_t)j, sizeof *a);
    double *b = darc_calloc((size_t)f->free + 1, sizeof *b);
    for (int i = 0; i < j * j; i++)
        a[i] = f->sums.raw_hess[i] - f->sums.trace[i];
    take_fixed(f, b, a);
    double moved = HUGE_VAL;
    bool solved = darc_solve_part(a, j, f->index, f->free, b, 1);
    if (!solved) { /* noise as large as the signals: leave T out */
        memcpy(a, f->sums.raw_hess, (size_t)j * (size_t)j * sizeof *a);
        take_fixed(f, b, a);
        solved = darc_solve_part(a, j, f->index, f->free, b, 1);
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

static darc_status fixed_weights(darc_fitter *f, int passes, bool *converged,
                                 darc_err *err)
{
    darc_status status = DARC_OK;
    *converged = false;
    for (int i = 0; i < passes && !*converged; i++) {
        status = pass(f, 1, false, err);
        if (status != DARC_OK)
            return status;
        double moved = fixed_step(f);
        *converged = moved <= DARC_GLS_DONE;
        if (moved == HUGE_VAL)
            break;
    }
    return DARC_OK;
}

/* Set step to the Gauss-Newton step; return g' H^-1 g, HUGE_VAL if singular. */
static double newton_step(const darc_fitter *f, double *step)
{
    for (int i = 0; i < f->free; i++)
        step[i] = -f->sums.grad[f->index[i]];
    if (!darc_solve_part(f->sums.hess, f->sums.coeffs, f->index, f->free, step,
                         1))
        return HUGE_VAL;
    double gain = 0;
    for (int i = 0; i < f->free; i++)
        gain -= step[i] * f->sums.grad[f->index[i]];
    return gain;
}

/* Go along step, halved while Q rises. */
static darc_status descend(darc_fitter *f, const double *step, bool *lower,
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
        DARC_TRY(pass(f, 0, false, err));
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

static darc_status minimise(darc_fitter *f, bool *converged, darc_err *err)
{
    darc_status status = DARC_OK;
    double *step = darc_calloc((size_t)f->free + 1, sizeof *step);
    bool lower = true;
    *converged = false;
    DARC_TRY(pass(f, 0, false, err));
    for (int i = 0; i < MAX_PASSES && !*converged && lower; i++) {
        double gain = newton_step(f, step);
        *converged = gain < DARC_GLS_DONE;
        if (*converged || gain == HUGE_VAL)
            break;
        DARC_TRY(descend(f, step, &lower, err));
        *converged = !lower && gain < DARC_GLS_SMALL;
    }
done:
    darc_free(step);
    return status;
}

/* ---- results --------------------------------------------------------------
 */

/* Largest eigenvalue of I^-1 N over the free coefficients. */
static double noise_ratio(const darc_fitter *f, const double *info,
                          const double *noise)
{
    int n = f->free;
    double *a = darc_calloc((size_t)n * (size_t)n + 1, sizeof *a);
    double *b = darc_calloc((size_t)n * (size_t)n + 1, sizeof *b);
    double *w = darc_calloc((size_t)n + 1, sizeof *w);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double d = sqrt(at(info, f, f->index[i], f->index[i]) *
                            at(info, f, f->index[k], f->index[k]));
            a[i * n + k] = at(noise, f, f->index[i], f->index[k]) / d;
            b[i * n + k] = at(info, f, f->index[i], f->index[k]) / d;
        }
    double ratio = 0;
    if (n > 0)
        ratio = darc_dense_eigen_of(w, a, b, n, 'N') ? w[n - 1] : HUGE_VAL;
    darc_free(a);
    darc_free(b);
    darc_free(w);
    return ratio;
}

/* Var Q = 2 dof + sum_c (share_c)^2 2 / dof_c: share_c is the derivative of
 * -Q by the logarithm of noise variance c. */
static void set_p_value(const darc_fitter *f, darc_gls *fit)
{
    double inverse = 0;
    for (int c = 0; c < f->weak->channels; c++) {
        double share = f->sums.share[c] / f->sums.q;
        inverse += share * share / f->weak->dof[c];
    }
    fit->noise_dof = inverse > 0 ? 1 / inverse : HUGE_VAL;
    fit->p_value =
        fit->noise_dof < 1e9
            ? darc_stats_f_sf(fit->q / fit->dof, fit->dof, fit->noise_dof)
            : darc_stats_chi2_sf(fit->q, fit->dof);
}

static void allocate_fit(darc_gls *fit, const darc_fitter *f)
{
    size_t j = (size_t)f->sums.coeffs, e = (size_t)f->weak->equations;
    *fit = (darc_gls){.coeffs = f->sums.coeffs,
                      .equations = f->weak->equations,
                      .misfit = f->task->metric != NULL,
                      .functions = f->weak->functions};
    fit->first = darc_calloc(e + 1, sizeof(int));
    fit->free = darc_calloc(j, sizeof *fit->free);
    fit->reference = darc_calloc(e, sizeof(int));
    memcpy(fit->first, f->weak->first, (e + 1) * sizeof(int));
    for (int i = 0; i < f->free; i++)
        fit->free[f->index[i]] = true;
    memcpy(fit->reference, f->reference, e * sizeof(int));
    fit->c = darc_calloc(j, sizeof(double));
    fit->score = darc_calloc(j, sizeof(double));
    fit->info = darc_calloc(j * j, sizeof(double));
    fit->noise = darc_calloc(j * j, sizeof(double));
    fit->cov = darc_calloc(j * j, sizeof(double));
    fit->score_cov = darc_calloc(j * j, sizeof(double));
    fit->dof = (double)fit->functions * (double)e - f->free;
    /* Bartlett's window of B lags over K terms: 1.5 K / B */
    fit->error_dof = fit->misfit
                         ? 1.5 * (double)fit->functions /
                               (double)(darc_sums_lags(fit->functions) + 1)
                         : HUGE_VAL;
}

static void set_information(const darc_fitter *f, darc_gls *fit)
{
    const darc_sums *s = &f->sums;
    int j = s->coeffs;
    for (int i = 0; i < j * j; i++) {
        fit->noise[i] = fit->misfit ? s->trace[i] : s->noise[i];
        fit->info[i] =
            (fit->misfit ? s->raw_hess[i] : s->hess[i]) - fit->noise[i];
    }
    for (int i = 0; i < j; i++) {
        fit->score[i] = fit->misfit ? s->raw_grad[i] : s->grad[i];
        for (int k = 0; k < j && fit->misfit; k++)
            fit->score[i] -= at(s->trace, f, i, k) * f->c[k];
    }
    for (int i = 0; i < j * j; i++)
        fit->score_cov[i] =
            fit->misfit ? s->hac[i] : fit->info[i] + s->noise[i];
}

/* Return what the free coefficients would take off Q from here. */
static double gain(const darc_fitter *f, const darc_gls *fit)
{
    double *step = darc_calloc((size_t)f->free + 1, sizeof *step), sum = 0;
    for (int i = 0; i < f->free; i++)
        step[i] = fit->score[f->index[i]];
    if (darc_solve_part(fit->info, fit->coeffs, f->index, f->free, step, 1))
        for (int i = 0; i < f->free; i++)
            sum += step[i] * fit->score[f->index[i]];
    darc_free(step);
    return sum;
}

static darc_status finish(darc_fitter *f, darc_gls *fit, darc_err *err)
{
    const darc_sums *s = &f->sums;
    int j = s->coeffs;
    darc_status status =
        pass(f, f->task->quiet ? 0 : f->draws, fit->misfit, err);
    if (status != DARC_OK)
        return status;
    memcpy(fit->c, f->c, (size_t)j * sizeof(double));
    fit->q = s->q;
    set_p_value(f, fit);
    set_information(f, fit);
    if (f->task->stay)
        fit->q -= fmin(gain(f, fit), fit->q);
    darc_sandwich(fit->cov, fit->info, fit->score_cov, j, f->index, f->free);
    if (fit->misfit) {
        double *least = darc_calloc((size_t)j * (size_t)j, sizeof *least);
        darc_sandwich(least, fit->info, s->raw_hess, j, f->index, f->free);
        darc_cover(fit->cov, least, j, f->index, f->free);
        darc_free(least);
    }
    fit->ratio = noise_ratio(f, fit->info, s->noise);
    return DARC_OK;
}

static void init_fitter(darc_fitter *f, const darc_gls_task *task)
{
    const darc_weak *weak = task->weak;
    size_t e = (size_t)weak->equations;
    *f = (darc_fitter){.task = task, .weak = weak, .every = 1, .draw_every = 1};
    darc_sums_init(&f->sums, weak);
    f->index = darc_calloc((size_t)weak->coeffs, sizeof *f->index);
    f->reference = darc_calloc(e, sizeof *f->reference);
    f->c = darc_calloc((size_t)weak->coeffs, sizeof *f->c);
    f->draws = 1 + (DARC_GLS_DRAWN - 1) / (int)(weak->functions < DARC_GLS_DRAWN
                                                    ? weak->functions
                                                    : DARC_GLS_DRAWN);
    if (weak->pieces > DARC_GLS_MANY) {
        f->every = weak->pieces / DARC_GLS_FEW;
        f->draw_every = DARC_GLS_FEW / DARC_GLS_FEW_DRAWN;
    }
}

static void clear_fitter(darc_fitter *f)
{
    darc_sums_clear(&f->sums);
    darc_free(f->index);
    darc_free(f->reference);
    darc_free(f->c);
}

/* Return the largest share of a Hessian that noise alone makes. */
static double share_of_noise(const darc_fitter *f)
{
    double share = 0;
    for (int i = 0; i < f->free; i++) {
        double all = at(f->sums.raw_hess, f, f->index[i], f->index[i]);
        double noise = at(f->sums.trace, f, f->index[i], f->index[i]);
        share = fmax(share, all > noise ? noise / (all - noise) : 1);
    }
    return share;
}

/* Go over from the pieces that were enough for a start to all. */
static void take_all(darc_fitter *f, double share)
{
    double k = (double)f->weak->functions;
    double wanted = fmax(DARC_GLS_LONG, DARC_GLS_SHARE * share * k);
    f->draw_every = f->every == 1 || wanted >= k ? 1 : (int)(k / wanted);
    f->every = 1;
}

/* Set c to the minimum: of Q, or of a misfit under fixed weights. */
static darc_status find_minimum(darc_fitter *f, bool *converged, darc_err *err)
{
    darc_status status = DARC_OK;
    bool misfit = f->task->metric != NULL;
    if (f->task->stay) {
        *converged = true;
        take_all(f, misfit ? 1 : 0);
        goto done;
    }
    DARC_TRY(
        fixed_weights(f, misfit ? MAX_PASSES : FIXED_PASSES, converged, err));
    double share = share_of_noise(f);
    if (f->every > 1 && !misfit)
        DARC_TRY(minimise(f, converged, err));
    take_all(f, share);
    if (misfit)
        DARC_TRY(fixed_weights(f, MAX_PASSES, converged, err));
    else
        DARC_TRY(minimise(f, converged, err));
done:
    return status;
}

/* Fail where a sum has overflowed; a variance may be infinite. */
static darc_status check_range(const darc_gls *fit, const darc_weak *weak,
                               darc_err *err)
{
    bool fits = isfinite(fit->q);
    for (int i = 0; i < fit->coeffs; i++)
        fits = fits && isfinite(fit->c[i]) && isfinite(fit->score[i]);
    for (int i = 0; i < fit->coeffs * fit->coeffs; i++)
        fits = fits && isfinite(fit->info[i]) && !isnan(fit->cov[i]);
    return fits ? DARC_OK : darc_fitter_out_of_range(weak, err);
}

darc_status darc_gls_fit(darc_gls *fit, const darc_gls_task *task,
                         darc_err *err)
{
    darc_status status = DARC_OK;
    darc_fitter f;
    init_fitter(&f, task);
    *fit = (darc_gls){0};
    DARC_TRY(darc_fitter_start(&f, err));
    allocate_fit(fit, &f);
    DARC_TRY(find_minimum(&f, &fit->converged, err));
    DARC_TRY(finish(&f, fit, err));
    status = check_range(fit, task->weak, err);
done:
    clear_fitter(&f);
    if (status != DARC_OK)
        darc_gls_clear(fit);
    return status;
}

void darc_gls_clear(darc_gls *fit)
{
    darc_free(fit->first);
    darc_free(fit->free);
    darc_free(fit->reference);
    darc_free(fit->c);
    darc_free(fit->score);
    darc_free(fit->info);
    darc_free(fit->noise);
    darc_free(fit->cov);
    darc_free(fit->score_cov);
    *fit = (darc_gls){0};
}
