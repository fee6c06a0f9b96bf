#include "decide/weakcheck.h"

#include "base/mem.h"
#include "decide/bound.h"
#include "decide/freedom.h"
#include "decide/wide.h"
#include "fit/excitation.h"
#include "fit/missing.h"
#include "fit/weakfit.h"
#include "stats/stats.h"
#include "weak/gls_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether the recording cannot answer; *d then says why. */
static bool is_uninformative(darc_decision *d, const darc_weakfit *f,
                             const darc_weakcheck_options *o,
                             const darc_model *model, const darc_ioeqs_t io,
                             int e)
{
    double sd;
    int j = darc_weakfit_weakest(f, model, io, e, o, &sd);
    bool bad = j >= 0;
    if (bad) {
        darc_text_t t;
        darc_text_init(t);
        int r = darc_weakfit_reference(io, e);
        double factor;
        darc_weakfit_ratio(t, io, e, j, r, &factor);
        darc_decision_say(
            d, DARC_UNDECIDED,
            "the recording does not excite every term: the standard deviation "
            "of %s is %.0f %% of its value, more than %.0f %%",
            t->s, fmin(100 * sd, 1e6), 100 * DARC_WEAK_EXCITED);
        darc_text_clear(t);
    } else if (f->fit.ratio > DARC_WEAK_NOISE_LIMIT) {
        bad = true;
        darc_decision_say(
            d, DARC_UNDECIDED,
            "noise times noise carries %.2g of the information of the signals, "
            "more than %.2g: the test would not hold its level",
            f->fit.ratio, DARC_WEAK_NOISE_LIMIT);
    }
    return bad;
}

/* Say that errors of derived signals may make the residual. */
static void blame_derived(darc_decision *d, const darc_weakfit *f)
{
    darc_decision_say(
        d, DARC_UNDECIDED,
        "between %.3g %% and %.3g %% of the leading term remain unexplained: "
        "the estimated derivatives have errors that make "
        "up to %.2g %%; less noise, or a model without them, would help",
        100 * d->defect_low, 100 * d->defect_high, 100 * f->doubt);
}

static void decide_exactly(darc_decision *d, const darc_weakfit *f,
                           const darc_weakcheck_options *o,
                           const darc_model *model, const darc_ioeqs_t io,
                           int e)
{
    if (f->doubt > 0 && d->p_value < d->alpha && d->defect_low == 0)
        blame_derived(d, f);
    else if (d->p_value < d->alpha)
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "no coefficients explain the recording: %.3g %% of the leading "
            "term remain (at least %.3g %%); a tolerance of %.2g would turn "
            "the verdict",
            100 * d->defect, 100 * d->defect_low, d->defect_high);
    else if (is_uninformative(d, f, o, model, io, e))
        return;
    else if (d->detectable > DARC_WEAK_MEANING)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model, but a defect of less than %.2g %% "
            "of the leading term would not have been found",
            100 * d->detectable);
    else
        darc_decision_say(
            d, DARC_CONSISTENT,
            "the residual is what %s explains; a defect of %.2g %% of "
            "the leading term would have been found",
            f->coloured ? "noise of the spectrum seen above the band of the "
                          "signals"
                        : "the noise",
            100 * d->detectable);
}

static void decide_tolerant(darc_decision *d, const darc_weakfit *f,
                            const darc_weakcheck_options *o,
                            const darc_model *model, const darc_ioeqs_t io,
                            int e)
{
    double t = d->tolerance;
    if (d->defect_low > t)
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "at least %.3g %% of the leading term remain unexplained, more "
            "than the tolerance of %.3g %%; a tolerance of %.2g would turn the "
            "verdict",
            100 * d->defect_low, 100 * t, d->defect_high);
    else if (is_uninformative(d, f, o, model, io, e))
        return;
    else if (f->high > t &&
             sqrt(fmax(0, f->high * f->high - f->doubt * f->doubt)) <= t)
        blame_derived(d, f);
    else if (d->defect_high > t && f->high <= t)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "weighed by the noise at most %.3g %% of the leading term remain "
            "unexplained, but the residual itself may be %.3g %% of it, more "
            "than the tolerance of %.3g %%",
            100 * f->high, 100 * f->plain, 100 * t);
    else if (d->defect_high > t)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "between %.3g %% and %.3g %% of the leading term remain "
            "unexplained, on either side of the tolerance of %.3g %%",
            100 * d->defect_low, 100 * d->defect_high, 100 * t);
    else
        darc_decision_say(
            d, DARC_CONSISTENT,
            "at most %.3g %% of the leading term remain unexplained, within "
            "the tolerance of %.3g %%",
            100 * d->defect_high, 100 * t);
}

static void decide(darc_decision *d, const darc_weakfit *f,
                   const darc_weakcheck_options *o, const darc_model *model,
                   const darc_ioeqs_t io, int e)
{
    *d = (darc_decision){.method = "weak",
                         .statistic = f->fit.q_here,
                         .dof = f->fit.dof,
                         .p_value = f->fit.p_value,
                         .alpha = o->alpha,
                         .defect = f->defect,
                         .defect_low = f->low,
                         .defect_high = fmax(f->high, f->plain),
                         .tolerance = o->tolerance,
                         .detectable = f->detectable};
    if (f->open && (o->tolerance == 0 || f->high > o->tolerance))
        darc_decision_say(
            d, DARC_UNDECIDED,
            "%.2g %% of the leading term remain, more than white noise of the "
            "size seen above the band of the signals explains, but no missing "
            "term accounts for it: coloured noise may; give --noise, or a "
            "tolerance above %.2g",
            100 * f->defect, f->high);
    else if (o->tolerance > 0)
        decide_tolerant(d, f, o, model, io, e);
    else
        decide_exactly(d, f, o, model, io, e);
}

static void list_estimates(darc_weakcheck *out, const darc_weakfit *f,
                           const darc_ioeqs_t io, int e)
{
    const darc_gls *fit = &f->fit;
    int r = fit->reference;
    out->estimate = darc_calloc((size_t)f->model, sizeof *out->estimate);
    for (int j = 0; j < f->model; j++) {
        if (j == r)
            continue;
        darc_text_t t;
        darc_text_init(t);
        double factor;
        darc_weakfit_ratio(t, io, e, j, r, &factor);
        out->estimate[out->estimates++] = (darc_estimate){
            .function = darc_text_take(t),
            .value_a = fit->c[j] / factor,
            .sd_a = sqrt(fit->cov[j * fit->coeffs + j]) / fabs(factor),
            .value_b = NAN,
            .sd_b = NAN};
        darc_text_clear(t);
    }
}

static void note_noise(darc_weakcheck *out, const char *signal,
                       const darc_noisemodel *n, int times)
{
    char shared[80] = "";
    if (times > 1)
        snprintf(shared, sizeof shared,
                 ", counted as sd %.3g: %d signals share it",
                 n->sd * sqrt(times), times);
    darc_weakcheck_note(out, "noise of %s: %s, sd %.3g%s%s", signal,
                        darc_noise_kind_text(n->kind), n->sd, shared,
                        n->kind == DARC_NOISE_UNKNOWN
                            ? " at most: no band free of signal was found"
                        : n->kind == DARC_NOISE_FLOOR
                            ? ": the signal shows less than darc reckons with"
                            : "");
}

static void describe(darc_weakcheck *out, const darc_weakfit *f,
                     const darc_ioeqs_t io)
{
    darc_text_t t;
    darc_text_init(t);
    darc_total_print(t, f->total, io->jet->names);
    out->form = darc_text_take(t);
    darc_text_clear(t);
    out->terms = f->total->count;
    out->order = darc_total_order(f->total);
    for (int u = 0; u < f->unknowns; u++)
        if (f->noise[u].kernel != NULL)
            note_noise(out, io->jet->names->symbol[u].name, f->noise + u,
                       f->times[u]);
    if (darc_total_left(f->total) > 0)
        darc_weakcheck_note(out,
                            "some terms are no total derivatives: a derivative "
                            "was estimated from %d samples, and its noise "
                            "counted",
                            2 * darc_weak_smooth(f->weak) + 1);
    if (f->fit.robust)
        darc_weakcheck_note(out, "%s; standard deviations follow the residual",
                            f->coloured ? "how large the noise is is not known"
                                        : "the structure does not hold to "
                                          "within noise");
    if (!f->fit.converged)
        darc_weakcheck_note(out, "the coefficients had not settled");
}

/* ---- the structure ---------------------------------------------------------
 */

/* Give the coefficients and the residual in units of the one that ratios refer
 * to, if that is not 0. */
static void take_reference(darc_weakcheck *out, darc_weakfit *f,
                           const darc_ioeqs_t io, int e)
{
    int reference = darc_weakfit_reference(io, e);
    double unit = fabs(f->fit.c[reference]);
    out->residual = f->moments;
    if (!darc_gls_refer(&f->fit, reference)) {
        darc_weakcheck_note(out, "the coefficient that ratios usually refer "
                                 "to is 0 here: another takes its place");
        return;
    }
    out->residual.rms /= unit;
    out->residual.max /= unit;
}

/* Fitted coefficients that the model binds to each other, which is not tested,
 * show nothing. */
static void doubt_freedom(darc_decision *d, const darc_model *model,
                          const darc_ioeqs_t io, int e,
                          const darc_budget *budget)
{
    if (d->verdict == DARC_CONSISTENT &&
        !darc_freedom_is_full(model, io, e, budget))
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model: free coefficients explain the "
            "recording; but the model binds its coefficients by relations, "
            "which are not tested where the io-equation is not expanded "
            "(--engine project expands it)");
}

darc_status darc_weakcheck_structure(darc_weakcheck *out,
                                     const darc_model *model,
                                     const darc_ioeqs_t io, int e,
                                     const darc_table *table,
                                     const darc_weakcheck_options *o,
                                     const darc_budget *budget, darc_err *err)
{
    darc_weakfit f;
    darc_coeffrel_t r;
    darc_weakcheck_options each = *o;
    double least_p;
    if (darc_wide_is(io, e))
        return darc_wide_structure(out, model, io, e, table, o, budget, err);
    *out = (darc_weakcheck){0};
    darc_status status = darc_bound_find(r, io, e, budget, err);
    if (status != DARC_OK)
        return status;
    if (r->count > 0)
        each.alpha = 1 - sqrt(1 - o->alpha);
    darc_err why;
    darc_err_init(&why);
    status = darc_weakfit_init(&f, model, io, e, table, &each, budget, &why);
    if (status != DARC_OK) {
        darc_coeffrel_clear(r);
        return f.idle ? darc_excitation_decide(out, io, e, o, why.message, err)
                      : darc_fail(err, status, "%s", why.message);
    }
    take_reference(out, &f, io, e);
    decide(&out->decision, &f, &each, model, io, e);
    if (!io->eq[e].expanded)
        doubt_freedom(&out->decision, model, io, e, budget);
    darc_bound_decide(out, r,
                      &(darc_bound){&f, model, io, e, &each, o->alpha, budget});
    describe(out, &f, io);
    list_estimates(out, &f, io, e);
    if (out->decision.verdict == DARC_INCONSISTENT || o->against > 0)
        status =
            darc_missing_terms(out, &least_p, &f, io, e, table, o, budget, err);
    out->fit[0] = darc_weakfit_take(&f);
    darc_coeffrel_clear(r);
    if (status != DARC_OK)
        darc_weakcheck_clear(out);
    return status;
}
