#include "fit/weakfit.h"

#include "base/mem.h"
#include "fit/excitation.h"
#include "fit/sharednoise.h"
#include "fit/weakbias.h"
#include "fit/weakdoubt.h"
#include "fit/weakslope.h"
#include "model/derived.h"
#include "stats/lanes.h"
#include "stats/stats.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const double LARGE_Q = 1e6;

void darc_weakcheck_options_init(darc_weakcheck_options *o)
{
    *o = (darc_weakcheck_options){.alpha = 0.01};
}

void darc_weakcheck_note(darc_weakcheck *w, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    w->note = darc_realloc(w->note, (size_t)w->notes + 1, sizeof *w->note);
    w->note[w->notes++] = darc_strdup(text);
}

void darc_weakcheck_clear(darc_weakcheck *w)
{
    for (int i = 0; i < w->estimates; i++)
        darc_free(w->estimate[i].function);
    for (int i = 0; i < w->missing; i++)
        darc_free(w->missing_term[i].term);
    for (int i = 0; i < w->notes; i++)
        darc_free(w->note[i]);
    darc_free(w->estimate);
    darc_free(w->missing_term);
    darc_free(w->note);
    darc_free(w->form);
    for (int i = 0; i < 2; i++)
        if (w->fit[i] != NULL) {
            darc_weakfit_clear(w->fit[i]);
            darc_free(w->fit[i]);
        }
    *w = (darc_weakcheck){0};
}

/* ---- signals and noise ----------------------------------------------------
 */

double darc_weakfit_rms(const darc_table *table, int column)
{
    return sqrt(darc_lanes_variance(table->signal[column].value, table));
}

static bool is_needed(const darc_weakfit *f, int u)
{
    return darc_total_var(f->total, (darc_deriv){u, 0}) >= 0;
}

/* Set column[u] of every signal of the relation, -1 for time. */
static darc_status find_columns(int *column, const darc_weakfit *f,
                                const darc_jet_t jet, const darc_table *table,
                                darc_err *err)
{
    for (int u = 0; u < f->unknowns; u++) {
        const darc_symbol *s = jet->names->symbol + u;
        column[u] = -1;
        if (!is_needed(f, u) || s->kind == DARC_TIME)
            continue;
        column[u] = darc_table_find(table, s->name);
        if (column[u] < 0)
            return darc_fail(err, DARC_DOMAIN, "%s: no signal '%s'",
                             table->file, s->name);
    }
    return DARC_OK;
}

static double given_noise(const darc_weakcheck_options *o, int u)
{
    return o->noise_sd == NULL ? NAN : o->noise_sd[u];
}

/* Noise that was measured at one rate says nothing at another. */
static darc_status same_rate(const darc_weakcheck_options *o,
                             const darc_table *table, darc_err *err)
{
    if (o->noise == NULL || fabs(table->dt - o->noise_dt) <= 1e-6 * table->dt)
        return DARC_OK;
    return darc_fail(err, DARC_DATA,
                     "%s: has %.6g samples per second, the recording of the "
                     "noise %.6g: their rates must be the same",
                     table->file, 1 / table->dt, 1 / o->noise_dt);
}

static bool is_exact(const darc_model *model, int u)
{
    return model != NULL && darc_derived_find(model, u) >= 0;
}

/* Make n white noise of standard deviation sd in the same signal. */
static void override_noise(darc_noisemodel *n, double sd)
{
    double band = n->power_band, edge = n->edge;
    darc_noisemodel_clear(n);
    darc_noisemodel_init(n, sd);
    n->power_band = band;
    n->edge = edge;
}

static void apply_floor(darc_noisemodel *n, double rms)
{
    double least = DARC_WEAK_NOISE_FLOOR * rms;
    bool unknown = n->kind == DARC_NOISE_UNKNOWN;
    if (n->kind == DARC_NOISE_NONE || n->sd >= least)
        return;
    double shown = n->sd / least;
    override_noise(n, least);
    n->surplus = 1 - shown * shown;
    n->kind = unknown ? DARC_NOISE_UNKNOWN : DARC_NOISE_FLOOR;
}

/* What is given is known, whatever the spectrum shows. */
static void give_noise(darc_noisemodel *n, const darc_noisemodel *measured,
                       double sd, double dt)
{
    double band = n->power_band;
    override_noise(n, sd);
    if (measured != NULL) {
        darc_noisemodel_clear(n);
        darc_noisemodel_copy(n, measured);
        n->power_band = band;
    }
    n->edge = 2 * dt * sd * sd;
}

darc_status darc_weakfit_noise(darc_weakfit *f, const darc_model *model,
                               const int *column, const darc_table *table,
                               const darc_weakcheck_options *o, bool coloured,
                               darc_err *err)
{
    darc_status status;
    int count = 0, *list = darc_calloc((size_t)f->unknowns, sizeof *list);
    darc_noisemodel *n = darc_calloc((size_t)f->unknowns, sizeof *n);
    for (int u = 0; u < f->unknowns; u++)
        if (column[u] >= 0)
            list[count++] = column[u];
    status = darc_noisemodels_estimate(n, table, list, count, coloured,
                                       o->threads, err);
    for (int u = 0, i = 0; u < f->unknowns && status == DARC_OK; u++) {
        if (column[u] < 0)
            continue;
        double given = given_noise(o, u);
        const darc_noisemodel *measured =
            o->noise != NULL && o->noise[u].kernel != NULL ? o->noise + u
                                                           : NULL;
        if (measured != NULL)
            give_noise(n + i, measured, measured->sd, table->dt);
        else if (is_exact(model, u) && isnan(given))
            override_noise(n + i, 0);
        else if (!isnan(given))
            give_noise(n + i, NULL, given, table->dt);
        apply_floor(n + i, darc_weakfit_rms(table, column[u]));
        f->noise[u] = n[i++];
    }
    if (status == DARC_OK)
        darc_sharednoise_count(f, model, column);
    darc_free(n);
    darc_free(list);
    return status;
}

static void clear_noise(darc_weakfit *f)
{
    for (int u = 0; u < f->unknowns; u++)
        darc_noisemodel_clear(f->noise + u);
}

/* ---- the fit ---------------------------------------------------------------
 */

darc_status darc_weakfit_total(darc_weakfit *f, const darc_table *table,
                               const int *column,
                               const darc_weakcheck_options *o,
                               const darc_budget *budget, darc_err *err)
{
    darc_weak_signal *signal = darc_calloc((size_t)f->unknowns, sizeof *signal);
    for (int u = 0; u < f->unknowns; u++)
        if (column[u] >= 0)
            signal[u] =
                (darc_weak_signal){.value = table->signal[column[u]].value,
                                   .noise = f->noise + u,
                                   .times = f->times != NULL ? f->times[u] : 1};
    darc_weak_data data = {.table = table,
                           .signal = signal,
                           .support = o->support,
                           .threads = o->threads};
    f->idle = false;
    darc_status status = darc_weak_new(&f->weak, f->total, &data, err);
    if (status == DARC_OK)
        status = darc_excitation_of_terms(f, table, column, err);
    if (status == DARC_OK)
        status = darc_gls_fit(&f->fit, f->weak, f->model, false, budget, err);
    darc_free(signal);
    return status;
}

/* Try the form with an integrating factor, then the plain one. */
static darc_status fit_forms(darc_weakfit *f, const darc_ioeqs_t io, int e,
                             const darc_table *table, const int *column,
                             const darc_weakcheck_options *o,
                             const darc_budget *budget, darc_err *err)
{
    darc_err first;
    darc_err_init(&first);
    darc_status status =
        darc_weakfit_total(f, table, column, o, budget, &first);
    if (status != DARC_DATA || darc_total_is_plain(f->total)) {
        if (status != DARC_OK)
            return darc_fail(err, status, "%s", first.message);
        return DARC_OK;
    }
    darc_weak_free(f->weak);
    f->weak = NULL;
    darc_total_clear(f->total);
    status = darc_total_init(f->total, io->eq[e].part, io->jet, false, err);
    return status == DARC_OK
               ? darc_weakfit_total(f, table, column, o, budget, err)
               : status;
}

/* The statistic that the chi-square distribution gives the p-value of the
 * fit, which knows that the noise variance is estimated. */
static double equivalent_q(const darc_gls *fit)
{
    if (fit->robust || fit->p_value < 1e-12 || fit->p_value > 1 - 1e-12)
        return fit->q_here;
    return darc_stats_chi2_isf(fit->p_value, fit->dof);
}

/* The ncp with sf(q, dof, ncp) = tail.  Far out the non-central chi-square is
 * normal with mean dof + ncp and variance 2 (dof + 2 ncp): relative error
 * below 1/q of ncp. */
static double ncp_of(double q, double dof, double tail)
{
    if (q < LARGE_Q || q < 2 * dof)
        return darc_stats_nchi2_ncp(q, dof, tail);
    double z = darc_stats_normal_quantile(1 - tail), ncp = q - dof;
    for (int i = 0; i < 50; i++)
        ncp = fmax(0, q - dof - z * sqrt(2 * (dof + 2 * ncp)));
    return ncp;
}

static bool has_input(const darc_model *model, const darc_dpoly_t part,
                      const darc_jet_t jet)
{
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    bool has = false;
    darc_dpoly_used(used, part, jet);
    for (slong v = 0; v < jet->vars; v++) {
        int u = jet->deriv[v].unknown;
        has = has || (used[v] && jet->names->symbol[u].kind == DARC_INPUT &&
                      !is_exact(model, u));
    }
    darc_free(used);
    return has;
}

/* What a defect is a share of: the largest term with an input, since it is
 * the input that the model has to account for (at a resonance the other terms
 * are large and cancel); the largest term where there is no input. */
static void set_lambda(darc_weakfit *f, const darc_model *model,
                       const darc_ioeqs_t io, int e)
{
    double input = 0, any = 0;
    for (int j = 0; j < f->model; j++) {
        any = fmax(any, f->fit.size[j]);
        if (has_input(model, io->eq[e].part->p + j, io->jet))
            input = fmax(input, f->fit.size[j]);
    }
    f->lambda = input > 0 ? input : any;
}

static bool holds(const darc_ioeq *eq, int j, int u, const darc_jet_t jet)
{
    return darc_dpoly_order(eq->part->p + j, u, jet) >= 0;
}

/* Errors that the covariance does not hold.  The weak form takes the errors of
 * derived signals as white noise.  Those of
 * estimated derivatives are not: the residual may move by up to three times
 * their RMS. */
static void set_doubt(darc_weakfit *f, const double *error, const darc_ioeq *eq,
                      const darc_jet_t jet)
{
    f->doubt = darc_weakfit_slope_noise(f);
    for (int u = 0; u < f->unknowns && error != NULL; u++)
        for (int j = 0; j < f->model; j++)
            if (error[u] > 0 && holds(eq, j, u, jet))
                f->doubt = fmax(f->doubt, 3 * error[u] * f->share[j]);
}

/* Whether a part of the equation holds no signal. */
static bool has_offset(const darc_ioeq *eq, const darc_jet_t jet)
{
    for (slong j = 0; j < eq->part->count; j++)
        if (fmpz_mpoly_is_fmpz(eq->part->p + j, jet->ctx))
            return true;
    return false;
}

static void set_defect(darc_weakfit *f, double alpha)
{
    const darc_gls *fit = &f->fit;
    double q = equivalent_q(fit), lambda = f->lambda;
    if (!(lambda > 0)) { /* all is noise: nothing is known of a share */
        f->defect = f->low = 0;
        f->high = f->detectable = HUGE_VAL;
        return;
    }
    f->defect = sqrt(fmax(0, q - fit->dof) / lambda);
    /* one-sided alpha at either end */
    f->low = sqrt(ncp_of(q, fit->dof, alpha) / lambda);
    f->high = sqrt(ncp_of(q, fit->dof, 1 - alpha) / lambda);
    double least =
        sqrt(darc_stats_detectable_ncp(fit->dof, alpha, 0.9) / lambda);
    f->detectable = hypot(least, f->doubt);
    /* where the noise may be far less, a statistic below its mean says
     * nothing */
    for (int u = 0; u < f->unknowns; u++)
        if (f->noise[u].kind == DARC_NOISE_UNKNOWN || f->coloured)
            f->high = fmax(f->high, fmax(least, sqrt(q / lambda)));
    /* nothing binds these errors to what else remains: squares add */
    f->low = sqrt(fmax(0, f->low * f->low - f->doubt * f->doubt));
    f->high = hypot(f->high, f->doubt);
}

darc_status darc_weakfit_open(darc_weakfit *f, int *column,
                              const darc_model *model, const darc_ioeqs_t io,
                              int e, const darc_table *table,
                              const darc_weakcheck_options *o, darc_err *err)
{
    darc_status status;
    const darc_ioeq *eq = io->eq + e;
    *f = (darc_weakfit){.unknowns = io->jet->names->count,
                        .model = (int)eq->part->count};
    f->noise = darc_calloc((size_t)f->unknowns, sizeof *f->noise);
    if (f->model < 2)
        DARC_TRY(darc_fail(err, DARC_DOMAIN,
                           "an equation of one part has no coefficients to "
                           "estimate"));
    bool search = f->model <= DARC_WEAK_TERMS;
    DARC_TRY(darc_total_init(f->total, eq->part, io->jet, search, err));
    DARC_TRY(find_columns(column, f, io->jet, table, err));
    DARC_TRY(darc_excitation_of_orders(f, err));
    DARC_TRY(darc_excitation_of_signals(f, table, column, err));
    DARC_TRY(same_rate(o, table, err));
    DARC_TRY(darc_weakfit_noise(f, model, column, table, o, false, err));
done:
    return status;
}

darc_status darc_weakfit_init(darc_weakfit *f, const darc_model *model,
                              const darc_ioeqs_t io, int e,
                              const darc_table *table,
                              const darc_weakcheck_options *o,
                              const darc_budget *budget, darc_err *err)
{
    const darc_ioeq *eq = io->eq + e;
    darc_status status;
    int *column = darc_calloc((size_t)io->jet->names->count, sizeof *column);
    DARC_TRY(darc_weakfit_open(f, column, model, io, e, table, o, err));
    DARC_TRY(fit_forms(f, io, e, table, column, o, budget, err));
    f->misfit = f->fit.p_value < o->alpha;
    if (f->misfit)
        DARC_TRY(darc_weakfit_doubt(
            &(darc_weakdoubt){f, model, io, e, table, column, o, budget}, err));
    set_lambda(f, model, io, e);
    DARC_TRY(darc_weakfit_set_plain(f, has_offset(eq, io->jet), o->alpha,
                                    budget, err));
    DARC_TRY(darc_weakfit_set_bias(f, table, column, o, budget, err));
    set_doubt(f, o->derived_error, eq, io->jet);
    set_defect(f, o->alpha);
done:
    darc_free(column);
    bool idle = f->idle;
    if (status != DARC_OK)
        darc_weakfit_clear(f);
    f->idle = status == DARC_DATA && idle;
    return status;
}

void darc_weakfit_clear(darc_weakfit *f)
{
    if (f->noise != NULL)
        clear_noise(f);
    darc_free(f->noise);
    darc_free(f->times);
    darc_free(f->share);
    darc_gls_clear(&f->fit);
    darc_weak_free(f->weak);
    darc_total_clear(f->total);
    *f = (darc_weakfit){0};
}

darc_weakfit *darc_weakfit_take(darc_weakfit *f)
{
    darc_weakfit *kept = darc_malloc(sizeof *kept);
    *kept = (darc_weakfit){.fit = f->fit,
                           .model = f->model,
                           .misfit = f->misfit,
                           .suspect = f->suspect,
                           .open = f->open,
                           .coloured = f->coloured,
                           .lambda = f->lambda,
                           .doubt = f->doubt,
                           .bias = f->bias,
                           .drowned = f->drowned,
                           .defect = f->defect,
                           .low = f->low,
                           .high = f->high,
                           .detectable = f->detectable,
                           .share = f->share,
                           .plain = f->plain,
                           .moments = f->moments};
    f->fit = (darc_gls){0};
    f->share = NULL;
    darc_weakfit_clear(f);
    return kept;
}
