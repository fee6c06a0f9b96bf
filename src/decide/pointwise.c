#include "decide/pointwise.h"

#include "base/text.h"
#include "decide/judgement.h"
#include "decide/thresholds.h"
#include "noise/limits.h"
#include "noise/noise.h"
#include "stats/stats.h"

#include "base/mem.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* What the errors of one function explain, as mean squares. */
typedef struct {
    double blunt;    /* RMS that truncation and rounding may reach */
    double up, down; /* mean square of the noise at levels 1 - alpha, alpha */
    double cross;    /* of 2 mean(e n), per unit of RMS of e */
    bool resolved;   /* the formulas converge */
    bool guessed;    /* the noise is no more than an upper bound */
    double dof;
    double noise2; /* expected mean square of the noise */
} explained;

void darc_pointwise_clear(darc_pointwise *out)
{
    darc_residual_series_clear(&out->series);
}

/* Return the least degrees of freedom of the estimates, HUGE_VAL if the noise
 * of all signals is given. */
static double set_noise(darc_residual *residual, const darc_relation *relation,
                        const darc_table *const *tables,
                        const darc_pointwise_options *o)
{
    double dof = HUGE_VAL;
    for (int w = 0; w < relation->jet->names->count; w++) {
        int column = darc_residual_column(residual, w);
        if (column < 0)
            continue;
        const darc_table *table = tables[relation->recording[w]];
        int u = relation->unknown[w];
        double sd = o->noise_sd != NULL ? o->noise_sd[u] : NAN, least = sd;
        if (isnan(sd)) {
            darc_noise noise;
            darc_noise_estimate(&noise, table, column);
            sd = noise.high;
            least = noise.low;
            dof = fmin(dof, noise.dof);
        }
        darc_residual_set_noise(residual, w, sd, least);
    }
    return dof;
}

/* Whether two recordings hold the same samples of every signal. */
static bool are_copies(const darc_residual *residual,
                       const darc_relation *relation,
                       const darc_table *const *tables)
{
    int n = relation->jet->names->count;
    for (int w = 0; w < n; w++)
        for (int v = 0; v < n; v++) {
            int i = darc_residual_column(residual, w);
            int j = darc_residual_column(residual, v);
            if (relation->recording[w] == 0 && relation->recording[v] == 1 &&
                relation->unknown[w] == relation->unknown[v] && i >= 0 &&
                j >= 0 && !darc_table_is_copy(tables[0], i, tables[1], j))
                return false;
        }
    return relation->recordings == 2;
}

/* What is left of an RMS without a part that is independent of the rest. */
static double without(double rms, double part)
{
    return sqrt(fmax(0, rms * rms - part * part));
}

/* noise_dof: of the estimates of the noise. */
static explained explain(const darc_residual_errors *e, double noise_dof,
                         double degree, double alpha)
{
    explained x = {.noise2 = e->noise * e->noise};
    x.guessed = 2 * e->noise_least < e->noise;
    x.dof = fmax(1, 1 / (1 / e->noise_dof + 1 / noise_dof));
    /* second-order terms of the noise stand to the first as degree * n / size
     */
    double more = e->size > 0 ? 1 + degree * e->noise / e->size : 1;
    double rise = darc_stats_chi2_isf(alpha, x.dof) / x.dof;
    double fall = darc_stats_chi2_quantile(alpha, x.dof) / x.dof;
    x.up = x.noise2 * more * more * rise;
    x.down = e->noise_least * e->noise_least * fall;
    x.cross = 2 * darc_stats_normal_quantile(1 - alpha) * e->noise * more /
              sqrt(x.dof);
    double coarse = without(e->truncation, e->truncation_least * sqrt(fall));
    double next = without(e->next, e->next_least * sqrt(fall));
    double noisy = e->next_noise * more * sqrt(rise);
    x.blunt = coarse + 2 * next + e->rounding;
    x.resolved = next <= coarse / 2 || e->next <= noisy + e->rounding;
    return x;
}

/* Set the defect with its interval, unit of the function. */
static void measure_defect(const explained *x, double rms, double *low,
                           double *mid, double *high)
{
    double square = rms * rms, cross = x->cross * x->blunt;
    *low = fmax(0, sqrt(fmax(0, square - x->up - cross)) - x->blunt);
    *mid = fmax(0, sqrt(fmax(0, square - x->noise2)) - x->blunt);
    *high = sqrt(fmax(0, square - x->down + x->cross * rms)) + x->blunt;
}

/* Least RMS d that is found with probability DARC_POWER however truncation
 * falls: (d - blunt)^2 + down - cross d = blunt^2 + up + cross blunt. */
static double detectable(const explained *x, double alpha)
{
    double z = darc_stats_normal_quantile(DARC_POWER) /
               darc_stats_normal_quantile(1 - alpha);
    double b = x->blunt, cross = x->cross * z;
    double want = b * b + x->up - x->down + x->cross * b;
    double half = b + cross / 2;
    return half + sqrt(fmax(0, half * half - b * b + want));
}

static double p_value(const explained *x, double rms, double *statistic)
{
    double square = fmax(0, rms * rms - x->blunt * x->blunt);
    double scale = x->noise2;
    *statistic = scale > 0 ? x->dof * square / scale : NAN;
    if (scale > 0)
        return darc_stats_chi2_sf(*statistic, x->dof);
    return square > 0 ? 0 : 1;
}

static void say_vanishing(darc_decision *d, const darc_relation *relation,
                          int f)
{
    darc_text_t text = DARC_TEXT;
    darc_dpoly_print(text, relation->inequations->p + f - 1, relation->jet);
    const char *dots = "";
    if (text->len > 120) {
        text->s[120] = '\0';
        dots = " ...";
    }
    darc_decision_say(
        d, DARC_UNDECIDED,
        "the recording does not excite the model: within its error bars %s%s "
        "may be 0 all along, and then the relation says nothing",
        text->s, dots);
    darc_text_clear(text);
}

/* Return whether the data can carry a verdict; say why not. */
static bool can_decide(darc_decision *d, const darc_relation *relation,
                       const darc_residual_errors *e, int functions,
                       double noise_dof, const explained *x)
{
    if (e->inner < DARC_POINTWISE_SAMPLES) {
        darc_decision_say(
            d, DARC_UNDECIDED,
            "the recording is too short: a verdict needs %d samples without a "
            "gap; by --method pointwise %d that have all derivatives with "
            "their errors",
            (int)DARC_NOISE_SAMPLES, DARC_POINTWISE_SAMPLES);
        return false;
    }
    bool tiny = e->response * DARC_POINTWISE_FLOOR < sqrt(DBL_MIN);
    if (e->size <= e->rounding || e->response <= e->rounding || tiny) {
        darc_decision_say(
            d, DARC_UNDECIDED,
            "the recording does not excite the model: the terms of the "
            "relation do not rise above the %s of the numbers; signals "
            "are constant or zero, or move too little for derivatives of order "
            "%d",
            e->response > e->rounding ? "least" : "rounding", relation->order);
        return false;
    }
    for (int f = 1; f < functions; f++) {
        explained own = explain(e + f, noise_dof, 1, d->alpha);
        double low, mid, high;
        measure_defect(&own, e[f].inner_rms, &low, &mid, &high);
        if (low <= 0) {
            say_vanishing(d, relation, f);
            return false;
        }
    }
    if (!x->resolved) {
        darc_decision_say(
            d, DARC_UNDECIDED,
            "the sampling is too coarse for the derivatives: formulas of "
            "rising order do not converge; a higher rate would help");
        return false;
    }
    return true;
}

static void decide_rest(darc_decision *d, const explained *x, double response)
{
    bool blunt = x->blunt * x->blunt > x->up;
    double share = blunt ? x->blunt : sqrt(x->up);
    if (blunt)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "the truncation error of the differences explains up to %.2g %% "
            "of the leading derivative, so that a defect below %.2g %% cannot "
            "be seen; a higher order of --diff or a higher sampling rate would "
            "help",
            100 * share / response, 100 * d->detectable);
    else if (x->guessed)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "the signals change too fast for this sampling to tell them from "
            "noise, which may explain %.2g %% of the leading derivative; a "
            "higher sampling rate or the noise itself (--noise) would help",
            100 * share / response);
    else
        darc_decision_say(
            d, DARC_UNDECIDED,
            "noise explains up to %.2g %% of the leading derivative, so that "
            "a defect below %.2g %% cannot be seen; sg:WINDOW,DEGREE "
            "differences would help",
            100 * share / response, 100 * d->detectable);
}

static void decide_residual(darc_decision *d, const explained *x,
                            double response)
{
    if (d->defect_low > fmax(d->tolerance, DARC_POINTWISE_FLOOR)) {
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "noise, truncation and rounding leave %.3g %% of the leading "
            "derivative unexplained%s",
            100 * d->defect_low,
            d->tolerance > 0 ? ", more than the tolerance" : "");
        return;
    }
    if (d->tolerance > 0 &&
        fmax(d->defect_high, d->detectable) <= d->tolerance) {
        darc_decision_say(d, DARC_CONSISTENT, "the defect is at most %.3g %%",
                          100 * d->defect_high);
        return;
    }
    if (d->tolerance == 0 && d->detectable <= DARC_POINTWISE_MEANING &&
        d->defect_high <= DARC_MEANING) {
        darc_decision_say(
            d, DARC_CONSISTENT,
            "noise, truncation and rounding explain the residual; a defect of "
            "%.2g %% of the leading derivative would have been found",
            100 * d->detectable);
        return;
    }
    decide_rest(d, x, response);
}

static void judge_relation(darc_pointwise *out, const darc_relation *relation,
                           const darc_residual *residual,
                           const darc_residual_errors *errors, double noise_dof,
                           const darc_pointwise_options *o)
{
    const darc_residual_errors *e = errors;
    int functions = darc_residual_functions(residual);
    double degree = darc_residual_degree(residual);
    darc_decision *d = &out->decision;
    *d = (darc_decision){
        .method = "pointwise", .alpha = o->alpha, .tolerance = o->tolerance};
    explained x = explain(e, noise_dof, degree, o->alpha);
    d->p_value = p_value(&x, e->inner_rms, &d->statistic);
    d->dof = x.noise2 > 0 ? x.dof : NAN;
    measure_defect(&x, e->inner_rms, &d->defect_low, &d->defect,
                   &d->defect_high);
    d->defect_low /= e->response;
    d->defect /= e->response;
    d->defect_high /= e->response;
    d->detectable = detectable(&x, o->alpha) / e->response;
    if (!can_decide(d, relation, errors, functions, noise_dof, &x)) {
        if (!(e->response > 0))
            d->defect = d->defect_low = d->defect_high = d->detectable = NAN;
        return;
    }
    decide_residual(d, &x, e->response);
    darc_decision_finish(d);
}

darc_status darc_pointwise_check(darc_pointwise *out,
                                 const darc_relation *relation,
                                 const darc_table *const *tables,
                                 const darc_pointwise_options *options,
                                 const darc_budget *budget, darc_err *err)
{
    assert(options->alpha > 0 && options->alpha < 0.5);
    darc_residual *residual;
    *out = (darc_pointwise){.decision = {.method = "pointwise"}};
    DARC_NEED(
        darc_residual_new(&residual, relation, tables, &options->diff, err));
    int functions = darc_residual_functions(residual);
    darc_residual_errors *errors =
        darc_calloc((size_t)functions, sizeof *errors);
    double noise_dof = set_noise(residual, relation, tables, options);
    darc_status status =
        darc_residual_run(residual, options->threads, budget, errors,
                          options->series ? &out->series : NULL, err);
    if (status == DARC_OK) {
        out->errors = errors[0];
        darc_residual_summarise(&out->residual, errors);
        judge_relation(out, relation, residual, errors, noise_dof, options);
        if (are_copies(residual, relation, tables))
            darc_decision_refuse_copies(&out->decision);
    }
    darc_free(errors);
    darc_residual_free(residual);
    return status;
}
