#include "fit/gls.h"

#include "base/mem.h"
#include "fit/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/sandwich.h"
#include "stats/stats.h"
#include "weak/origin.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Passes with the weights of the coefficients before, passes in all, and
 * halvings of a step. */
enum { FIXED_PASSES = 3, MAX_PASSES = 20, HALVINGS = 5 };

/* State of a fit between passes. */
typedef struct {
    const darc_gls_task *task;
    const darc_weak *weak;
    darc_gls *fit;
    darc_sums sums;
    int draws;             /* of the last pass */
    int every, draw_every; /* pieces in use, and with noise */
    int *index;            /* the free ones */
    int free;
    double *c; /* of the fit */
} fitter;

static darc_status pass(fitter *f, int draws, bool hac, darc_err *err)
{
    darc_effort effort = {f->every, draws, f->draw_every, hac};
    darc_point at = {.weak = f->weak,
                     .c = f->c,
                     .metric = f->task->metric,
                     .rho = f->task->rho,
                     .told = f->task->told};
    return darc_sums_pass(&f->sums, &at, &effort, f->task->budget, err);
}

static double at(const double *a, const fitter *f, int i, int j)
{
    return a[i * f->sums.coeffs + j];
}

/* One step under fixed weights: minimise c' (W' V^-1 W - T) c.  Returns the
 * size of the step in standard deviations, HUGE_VAL if it cannot be made. */
static double fixed_step(fitter *f)
{
    int j = f->sums.coeffs, n = f->free;
    double *a, *b, *fixed, moved = HUGE_VAL;
    bool solved = false;
    DARC_CARVE({&a, j * j}, {&b, n}, {&fixed, j});
    memcpy(fixed, f->c, (size_t)j * sizeof *fixed);
    for (int i = 0; i < n; i++)
        fixed[f->index[i]] = 0;
    /* where noise is as large as the signals, T is left out */
    for (int less = 1; less >= 0 && !solved; less--) {
        for (int i = 0; i < j * j; i++)
            a[i] = f->sums.raw_hess[i] - less * f->sums.trace[i];
        for (int i = 0; i < n; i++) {
            b[i] = 0;
            for (int k = 0; k < j; k++)
                b[i] -= at(a, f, f->index[i], k) * fixed[k];
        }
        solved = darc_solve_part(a, j, f->index, n, b, 1);
    }
    if (solved) {
        moved = 0;
        for (int i = 0; i < n; i++)
            for (int l = 0; l < n; l++)
                moved += (b[i] - f->c[f->index[i]]) *
                         at(a, f, f->index[i], f->index[l]) *
                         (b[l] - f->c[f->index[l]]);
        for (int i = 0; i < n; i++)
            f->c[f->index[i]] = b[i];
    }
    darc_free(a);
    return moved;
}

/* Step until nothing moves, or to the last place where V is not singular: two
 * equations that have become one. */
static darc_status fixed_weights(fitter *f, int passes, bool *converged,
                                 darc_err *err)
{
    size_t n = (size_t)f->sums.coeffs;
    double *from = darc_calloc(n, sizeof *from), moved = 0;
    darc_status status = DARC_OK;
    *converged = false;
    for (int i = 0; i < passes && !*converged && moved < HUGE_VAL; i++) {
        status = pass(f, 1, false, err);
        if (status == DARC_DATA && i > 0) {
            memcpy(f->c, from, n * sizeof *from);
            status = pass(f, 1, false, err);
            break;
        }
        DARC_TRY(status);
        memcpy(from, f->c, n * sizeof *from);
        moved = fixed_step(f);
        *converged = moved <= DARC_GLS_DONE;
    }
done:
    darc_free(from);
    return status;
}

/* Set step to the Gauss-Newton step -H^-1 g; return g' H^-1 g, HUGE_VAL if
 * singular. */
static double newton_step(const fitter *f, double *step, const double *h,
                          const double *g)
{
    double gain = 0;
    for (int i = 0; i < f->free; i++)
        step[i] = -g[f->index[i]];
    if (!darc_solve_part(h, f->sums.coeffs, f->index, f->free, step, 1))
        return HUGE_VAL;
    for (int i = 0; i < f->free; i++)
        gain -= step[i] * g[f->index[i]];
    return gain;
}

/* Go along step, halved while Q rises, or V is singular there. */
static darc_status descend_step(fitter *f, const double *step, bool *lower,
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
        status = pass(f, 0, false, err);
        *lower = status == DARC_OK && f->sums.q <= q * (1 + 1e-12);
        if (status == DARC_DATA)
            status = DARC_OK;
        DARC_TRY(status);
    }
    if (!*lower)
        memcpy(f->c, from, (size_t)f->sums.coeffs * sizeof *from);
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
    DARC_TRY(pass(f, 0, false, err));
    for (int i = 0; i < MAX_PASSES && !*converged && lower; i++) {
        double gain = newton_step(f, step, f->sums.hess, f->sums.grad);
        *converged = gain < DARC_GLS_DONE;
        f->fit->gain = gain;
        if (*converged || gain == HUGE_VAL)
            break;
        DARC_TRY(descend_step(f, step, &lower, err));
        *converged = !lower && gain < DARC_GLS_SMALL;
    }
done:
    darc_free(step);
    return status;
}

/* Largest eigenvalue of I^-1 N over the free coefficients. */
static double noise_ratio(const fitter *f, const double *info,
                          const double *noise)
{
    int n = f->free;
    double *a, *b, *w;
    DARC_CARVE({&a, n * n}, {&b, n * n}, {&w, n});
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
    return ratio;
}

/* Var Q = 2 dof + sum_c (share_c)^2 2 / dof_c: share_c is the derivative of
 * -Q by the logarithm of noise variance c. */
static void set_p_value(const fitter *f, darc_gls *fit)
{
    double inverse = 0;
    for (int c = 0; c < f->weak->channels; c++) {
        double share = f->sums.share[c] / f->sums.q;
        fit->share[c] = f->sums.share[c];
        inverse += share * share / f->weak->dof[c];
    }
    fit->noise_dof = inverse > 0 ? 1 / inverse : HUGE_VAL;
    fit->p_value =
        !(fit->dof > 0 && fit->noise_dof > 0) ? 1
        : fit->noise_dof < 1e9
            ? darc_stats_f_sf(fit->q / fit->dof, fit->dof, fit->noise_dof)
            : darc_stats_chi2_sf(fit->q, fit->dof);
}

static void set_information(const fitter *f, darc_gls *fit)
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

static darc_status finish_fit(fitter *f, darc_err *err)
{
    const darc_sums *s = &f->sums;
    darc_gls *fit = f->fit;
    int j = s->coeffs;
    DARC_NEED(pass(f, f->task->quiet ? 0 : f->draws, fit->misfit, err));
    fit->q = s->q;
    fit->dof = (double)fit->functions * fit->equations - f->free;
    set_p_value(f, fit);
    set_information(f, fit);
    if (f->task->stay) { /* what the free ones would take off Q from here */
        double *step = darc_calloc((size_t)f->free + 1, sizeof *step);
        double gain = newton_step(f, step, fit->info, fit->score);
        fit->q -= isinf(gain) ? 0 : fmin(gain, fit->q);
        darc_free(step);
    }
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

static darc_status out_of_range(const darc_weak *weak, darc_err *err)
{
    return darc_fail(err, DARC_DATA,
                     "%s: the weak form leaves the range of numbers on these "
                     "data; scale the signals (--scale)",
                     weak->table->file);
}

/* Whether squares of n terms from the first on, over those of others, can be
 * squared. */
static bool in_range(const double *h, int j, int first, int n)
{
    double least = HUGE_VAL, most = 0;
    for (int i = first; i < first + n; i++) {
        least = fmin(least, h[i * (j + 1)]);
        most = fmax(most, h[i * (j + 1)]);
    }
    return isfinite(most) && least > sqrt(DBL_MIN) * most;
}

/* Set b (n x n) to W'W of the equation, less what the constant takes up that
 * is coefficient `offset` of it (-1: none), whose own row is left out; return
 * whether there is something left of every other term. */
static bool free_of_offset(double *b, const double *own, int j, int n,
                           int offset)
{
    bool any = true;
    for (int i = 0; i < n; i++)
        for (int l = 0; l < n; l++) {
            double both = offset < 0
                              ? 0
                              : own[i * j + offset] * own[l * j + offset] /
                                    own[offset * (j + 1)];
            bool in = i != offset && l != offset;
            b[i * n + l] = in ? own[i * j + l] - both : 0;
        }
    for (int i = 0; i < n; i++)
        any = any && (i == offset || b[i * (n + 1)] > 0);
    return any;
}

/* Set the coefficients of equation q to the smallest eigenvector of W'W scaled
 * to a unit diagonal, a free constant projected out: where the signals have
 * their origin does not matter. */
static darc_status start_equation(fitter *f, const double *h, int q,
                                  darc_err *err)
{
    int j = f->weak->coeffs, n = f->task->model[q], first = f->weak->first[q];
    if (!in_range(h, j, first, n))
        return out_of_range(f->weak, err);
    const double *own = h + first * (j + 1);
    double *a, *b, *w, *c = f->c + first, rest = 0;
    DARC_CARVE({&a, n * n}, {&b, n * n}, {&w, n});
    int o = darc_origin_offset(f->weak, q), largest = 0;
    o = o < 0 || o - first >= n ? -1 : o - first;
    if (o >= 0 && (n < 3 || !free_of_offset(b, own, j, n, o)))
        o = -1;
    if (o < 0)
        free_of_offset(b, own, j, n, o);
    for (int i = 0; i < n; i++)
        for (int l = 0; l < n; l++)
            a[i * n + l] = i == o || l == o
                               ? (i == l ? 2 * n : 0) /* the largest of all */
                               : b[i * n + l] / sqrt(b[i * (n + 1)]) /
                                     sqrt(b[l * (n + 1)]);
    (void)!darc_dense_eigen(w, a, n, 'V');
    for (int i = 0; i < n; i++)
        largest = fabs(a[i]) > fabs(a[largest]) ? i : largest;
    f->fit->reference[q] = first + largest;
    double unit = a[largest] / sqrt(b[largest * (n + 1)]);
    for (int i = 0; i < n; i++) {
        c[i] = i == o ? 0 : a[i] / sqrt(b[i * (n + 1)]) / unit;
        rest += o < 0 ? 0 : own[o * j + i] * c[i];
    }
    if (o >= 0)
        c[o] = -rest / own[o * (j + 1)];
    darc_free(a);
    return isfinite(1 / unit) ? DARC_OK : out_of_range(f->weak, err);
}

/* Set the coefficients to where the fit starts, and index to the free ones:
 * from another fit, or by least squares without a reference. Fails: DARC_DATA
 * where moments leave the range of numbers. */
static darc_status set_start(fitter *f, darc_err *err)
{
    int j = f->weak->coeffs;
    darc_status status = DARC_OK;
    darc_gls *fit = f->fit;
    const darc_gls *from = f->task->start;
    double *h = darc_calloc((size_t)j * (size_t)j, sizeof *h); /* W'W */
    darc_weak_work *work = darc_weak_work_new(f->weak);
    for (int p = 0; p < f->weak->pieces && from == NULL; p += f->every) {
        darc_weak_load(work, p);
        darc_columns_gram(h, 1, work->w, (size_t)work->rows, j);
    }
    darc_weak_work_free(work);
    for (int q = 0; q < f->weak->equations && status == DARC_OK; q++) {
        int first = f->weak->first[q], n = f->task->model[q];
        fit->reference[q] = first;
        for (int i = first; i < first + n; i++)
            f->c[i] = 1;
        if (f->task->settled[q])
            continue;
        if (from != NULL) {
            memcpy(f->c + first, from->c + from->first[q],
                   (size_t)n * sizeof *f->c);
            fit->reference[q] = first + from->reference[q] - from->first[q];
        } else {
            status = start_equation(f, h, q, err);
        }
        for (int i = first; i < first + n; i++)
            if (i != fit->reference[q]) {
                f->index[f->free++] = i;
                fit->free[i] = true;
            }
    }
    darc_free(h);
    return status;
}

static void open_fit(fitter *f, darc_gls *fit, const darc_gls_task *task)
{
    const darc_weak *weak = task->weak;
    int n = weak->coeffs;
    size_t e = (size_t)weak->equations, k = weak->functions;
    *f = (fitter){
        .task = task, .weak = weak, .fit = fit, .every = 1, .draw_every = 1};
    darc_sums_init(&f->sums, weak);
    f->index = darc_calloc((size_t)n, sizeof *f->index);
    f->draws = 1 + (DARC_GLS_DRAWN - 1) /
                       (int)(k < DARC_GLS_DRAWN ? k : DARC_GLS_DRAWN);
    if (weak->pieces > DARC_GLS_MANY) {
        f->every = darc_weak_stride(weak, weak->pieces / DARC_GLS_FEW);
        f->draw_every = DARC_GLS_FEW / DARC_GLS_FEW_DRAWN;
    }
    *fit = (darc_gls){.coeffs = n,
                      .equations = weak->equations,
                      .misfit = task->metric != NULL,
                      .functions = k,
                      .error_dof = HUGE_VAL};
    for (int p = 0; p < weak->pieces; p++)
        fit->functions -= darc_weak_told(weak, p, task->told);
    fit->first = darc_calloc(e + 1, sizeof *fit->first);
    fit->free = darc_calloc((size_t)n, sizeof *fit->free);
    fit->reference = darc_calloc(e, sizeof *fit->reference);
    memcpy(fit->first, weak->first, (e + 1) * sizeof *fit->first);
    DARC_CARVE({&fit->c, n}, {&fit->score, n}, {&fit->info, n * n},
               {&fit->noise, n * n}, {&fit->cov, n * n},
               {&fit->share, weak->channels}, {&fit->score_cov, n * n});
    f->c = fit->c;
    if (fit->misfit) /* Bartlett's window of B lags over K terms: 1.5 K / B */
        fit->error_dof = 1.5 * (double)k / (double)(darc_sums_lags(k) + 1);
}

/* Go over from the pieces that were enough for a start to all. */
static void take_all(fitter *f, double share)
{
    double k = (double)f->weak->functions;
    double wanted = fmax(DARC_GLS_LONG, DARC_GLS_SHARE * share * k);
    f->draw_every = f->every == 1 || wanted >= k ? 1 : (int)(k / wanted);
    f->every = 1;
}

/* Set c to the minimum: of Q, or of a misfit under fixed weights. */
static darc_status find_minimum(fitter *f, bool *converged, darc_err *err)
{
    bool misfit = f->task->metric != NULL;
    *converged = true;
    if (f->task->stay) {
        take_all(f, misfit ? 1 : 0);
        return DARC_OK;
    }
    DARC_NEED(
        fixed_weights(f, misfit ? MAX_PASSES : FIXED_PASSES, converged, err));
    double share = 0; /* of a Hessian that noise alone makes, the largest */
    for (int i = 0; i < f->free; i++) {
        double all = at(f->sums.raw_hess, f, f->index[i], f->index[i]);
        double noise = at(f->sums.trace, f, f->index[i], f->index[i]);
        share = fmax(share, all > noise ? noise / (all - noise) : 1);
    }
    if (f->every > 1 && !misfit)
        DARC_NEED(minimise(f, converged, err));
    take_all(f, share);
    return misfit ? fixed_weights(f, MAX_PASSES, converged, err)
                  : minimise(f, converged, err);
}

/* Fail where a sum has overflowed; a variance may be infinite. */
static darc_status check_range(const darc_gls *fit, const darc_weak *weak,
                               darc_err *err)
{
    bool fits = isfinite(fit->q) && fit->p_value >= 0;
    for (int i = 0; i < fit->coeffs; i++)
        fits = fits && isfinite(fit->c[i]) && isfinite(fit->score[i]);
    for (int i = 0; i < fit->coeffs * fit->coeffs; i++)
        fits = fits && isfinite(fit->info[i]) && !isnan(fit->cov[i]);
    return fits ? DARC_OK : out_of_range(weak, err);
}

darc_status darc_gls_fit(darc_gls *fit, const darc_gls_task *task,
                         darc_err *err)
{
    darc_status status = DARC_OK;
    fitter f;
    open_fit(&f, fit, task);
    DARC_TRY(set_start(&f, err));
    DARC_TRY(find_minimum(&f, &fit->converged, err));
    DARC_TRY(finish_fit(&f, err));
    status = check_range(fit, task->weak, err);
done:
    darc_sums_clear(&f.sums);
    darc_free(f.index);
    if (status != DARC_OK)
        darc_gls_clear(fit);
    return status;
}

void darc_gls_clear(darc_gls *fit)
{
    DARC_FREE(fit->first, fit->free, fit->reference, fit->c);
    *fit = (darc_gls){0};
}
