/* structure.c - can the equations make the recording at all? */
#include "decide/judgement.h"

#include "base/mem.h"
#include "decide/attenuation.h"
#include "decide/doubts.h"
#include "decide/reading.h"
#include "decide/terms.h"
#include "decide/thresholds.h"
#include "decide/witness.h"
#include "stats/stats.h"

#include <math.h>
#include <stdio.h>

/* Whether a difference of outputs may be mostly noise of an unknown spectrum:
 * no test holds its level then. */
static bool is_attenuated(darc_decision *d, const darc_evidence *s)
{
    bool coloured = s->fit.r.coloured >= 0;
    if (!(coloured || d->tolerance > 0) || !darc_doubts_attenuated(s))
        return false;
    darc_decision_say(
        d, DARC_UNDECIDED,
        "what remains may be noise of an unknown spectrum, which would be "
        "%s of a difference of outputs: the test would not hold its level; "
        "a recording at rest (--noise-from) can tell",
        darc_percent_share(darc_attenuation_of(&s->fit)).text);
    return true;
}

/* Whether coefficients may be mostly noise: tests of what they leave, and of
 * their relations, do not hold their level then.  That of a term does, beside
 * which they are estimated anew. */
static bool is_drowned(darc_decision *d, const darc_evidence *s)
{
    char why[128];
    double ratio = fmax(s->fit.white.ratio, s->fit.fit.ratio);
    if (is_attenuated(d, s))
        return true;
    if (!darc_reading_drowns(ratio, why, sizeof why))
        return false;
    darc_decision_say(d, DARC_UNDECIDED,
                      "%s: the test would not hold its level", why);
    return true;
}

/* Whether the recording cannot answer although nothing contradicts the model;
 * *d then says so. */
static bool is_uninformative(darc_decision *d, const darc_evidence *s, int q)
{
    const darc_estimates_equation *eq = s->est.eq + q;
    if (!darc_evidence_is_simple(s, q))
        return false;
    darc_decision_say(
        d, DARC_UNDECIDED,
        "the signals are too simple (a single sine?): any %d of their "
        "derivatives would fit to within %s%s; excite more frequencies",
        eq->coeffs - 1 - (eq->offset >= 0), darc_percent_of(eq->arbitrary).text,
        s->where[q]);
    return true;
}

/* Return the term that is missing from equation q, as far as the noise lets
 * terms tell; NULL: none.  *low as darc_evidence_term. */
static const darc_missing *told_term(const darc_evidence *s, int q, double *low)
{
    const darc_missing *m = darc_evidence_term(s, q, low);
    if (m == NULL || s->p_missing >= s->x->by->alpha)
        return NULL;
    return darc_doubts_term(s, q, m->explains) ? NULL : m;
}

/* Whether noise that the spectrum does not show may have made so little. */
static bool is_hidden(const darc_decision *d, const darc_evidence *s, int q)
{
    return s->fit.r.coloured >= 0 &&
           (d->defect_low <= DARC_HIDDEN || darc_doubts_loud(s, q, 0));
}

static void say_hidden(darc_decision *d, const darc_evidence *s, int q)
{
    char but[400];
    snprintf(but, sizeof but,
             "a filter may have left so much noise of %.100s in the band of "
             "the signal alone, where it is not seen: --noise or --noise-from "
             "can tell, --noise-colour white where there is none",
             s->x->io->jet->names->symbol[s->fit.r.coloured].name);
    darc_doubts_say(d, s, q, but);
}

/* Whether a missing term is known to make more than the tolerance. */
static bool lacks_term(darc_decision *d, const darc_evidence *s, int q)
{
    double low, t = d->tolerance;
    const darc_defect *f = &s->est.eq[q].defect;
    const darc_missing *m = told_term(s, q, &low);
    if (m == NULL)
        return false;
    double low_input = f->high > 0 ? low * f->high_input / f->high : 0;
    if (fmax(low, low_input) <= t)
        return false;
    char *name = darc_terms_called(s, m);
    bool largest = low > t;
    d->defect_low = fmax(d->defect_low, low);
    darc_decision_say(
        d, DARC_INCONSISTENT,
        "%s is missing%s: it makes at least %s of the %s, more than "
        "the tolerance of %s; %s",
        name, s->where[q], darc_percent_share(largest ? low : low_input).text,
        largest ? "largest term" : "term with the input",
        darc_percent_share(t).text, darc_doubts_turning(d->defect_high).text);
    darc_free(name);
    return true;
}

static void say_between(darc_decision *d, const darc_evidence *s, int q)
{
    const darc_defect *f = &s->est.eq[q].defect;
    double t = d->tolerance, low = is_hidden(d, s, q) ? 0 : f->low;
    if (f->high <= t)
        darc_decision_say(d, DARC_UNDECIDED,
                          "at most %s of the largest term remain "
                          "unexplained%s, but that is up to %s of the term "
                          "with the input, more than the tolerance of %s",
                          darc_percent_share(f->high).text, s->where[q],
                          darc_percent_share(d->defect_high).text,
                          darc_percent_share(t).text);
    else
        darc_decision_say(
            d, DARC_UNDECIDED,
            "between %s and %s of the largest term remain unexplained%s, on "
            "either side of the tolerance of %s",
            darc_percent_share(low).text,
            darc_percent_share(d->defect_high).text, s->where[q],
            darc_percent_share(t).text);
}

static void decide_tolerant(darc_decision *d, const darc_evidence *s, int q)
{
    double t = d->tolerance, low = s->est.eq[q].defect.low;
    bool hidden = is_hidden(d, s, q);
    if (low > t && !hidden && !darc_doubts_attenuated(s))
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "at least %s of the largest term remain unexplained%s, more than "
            "the tolerance of %s; %s",
            darc_percent_share(low).text, s->where[q],
            darc_percent_share(t).text,
            darc_doubts_turning(d->defect_high).text);
    else if (is_drowned(d, s) || is_uninformative(d, s, q) ||
             (d->defect_high > t && lacks_term(d, s, q)))
        return;
    else if (d->defect_high <= t && d->detectable <= t)
        darc_decision_say(d, DARC_CONSISTENT,
                          "at most %s of the largest term remain "
                          "unexplained%s, within the tolerance of %s",
                          darc_percent_share(d->defect_high).text, s->where[q],
                          darc_percent_share(t).text);
    else if (d->defect_high <= t)
        darc_decision_say(d, DARC_UNDECIDED,
                          "nothing contradicts the model, but a defect of less "
                          "than %s of the largest term%s would not have been "
                          "found, more than the tolerance of %s",
                          darc_percent_share(d->detectable).text, s->where[q],
                          darc_percent_share(t).text);
    else if (low > t)
        say_hidden(d, s, q);
    else
        say_between(d, s, q);
}

/* Term m is missing, whatever the colour of the noise. */
static void say_lacking(darc_decision *d, const darc_evidence *s, int q,
                        const darc_missing *m)
{
    char *name = darc_terms_called(s, m);
    darc_decision_say(d, DARC_INCONSISTENT,
                      "%s is missing%s, by %.3g standard deviations; %s", name,
                      s->where[q], sqrt(m->z2),
                      darc_doubts_turning(d->defect_high).text);
    darc_free(name);
}

static void say_rejected(darc_decision *d, const darc_evidence *s, int q)
{
    double low;
    const darc_missing *m = darc_evidence_term(s, q, &low);
    bool residual = s->p_residual < d->alpha || m == NULL;
    if (residual && d->defect_high <= DARC_SUMS_ERROR) {
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "what remains%s is no noise of the kind that the signals show "
            "(%s), though no more than that makes: any tolerance would turn "
            "the verdict",
            s->where[q], darc_stats_p_text(s->p_value).text);
        return;
    }
    if (residual) {
        darc_decision_say(d, DARC_INCONSISTENT,
                          "no coefficients explain the recording: %s of the "
                          "largest term remain%s (at least %s); %s",
                          darc_percent_share(d->defect).text, s->where[q],
                          darc_percent_share(d->defect_low).text,
                          darc_doubts_turning(d->defect_high).text);
        return;
    }
    say_lacking(d, s, q, m);
}

/* What rejects the model under white noise alone decides nothing. */
static void say_coloured(darc_decision *d, const darc_evidence *s)
{
    darc_decision_say(
        d, DARC_UNDECIDED,
        "at most %s of the largest term remain; were all noise white, this "
        "would contradict the model (%s), but that of %s may have any colour, "
        "and some would make it: a recording at rest (--noise-from) can tell, "
        "or --noise-colour white where that is sure, or a tolerance",
        darc_percent_share(d->defect_high).text,
        darc_stats_p_text(fmin(s->p_value, s->p_residual)).text,
        s->x->io->jet->names->symbol[s->fit.r.coloured].name);
}

/* The equations ask for more noise than there is in any recording. */
static void say_beyond(darc_decision *d, const darc_evidence *s)
{
    int u;
    double demand = darc_doubts_demand(s, &u);
    darc_decision_say(d, DARC_INCONSISTENT,
                      "no coefficients explain the recording: the equations "
                      "hold only where noise is %s of %s, whatever its "
                      "spectrum; %s",
                      darc_percent_share(demand).text,
                      s->x->io->jet->names->symbol[u].name,
                      darc_doubts_turning(d->defect_high).text);
}

/* The tests reject the model. */
static void decide_rejected(darc_decision *d, const darc_evidence *s, int q)
{
    bool doubted =
        darc_doubts_derived(d, s, q) || darc_doubts_rounding(d, s, q);
    if (!doubted && darc_doubts_demanding(d, s))
        say_beyond(d, s);
    else if (s->fit.r.coloured >= 0)
        say_coloured(d, s);
    else if (!doubted)
        say_rejected(d, s, q);
}

/* The same where the noise is estimated with the equations: the term decides,
 * and what remains besides is noise. */
static void decide_lacking(darc_decision *d, const darc_evidence *s, int q,
                           const darc_missing *lacks)
{
    if (s->fit.r.coloured >= 0 && darc_doubts_term(s, q, lacks->explains))
        say_coloured(d, s);
    else if (!darc_doubts_hidden(d, s, q, lacks) &&
             !darc_doubts_derived(d, s, q) && !darc_doubts_rounding(d, s, q))
        say_lacking(d, s, q, lacks);
}

/* The same where no term is found, but what remains goes with inputs. */
static void decide_driven(darc_decision *d, const darc_evidence *s, int q)
{
    if (darc_doubts_term(s, q, 0))
        say_coloured(d, s);
    else if (!darc_doubts_times(d, s, q) && !darc_doubts_derived(d, s, q) &&
             !darc_doubts_rounding(d, s, q))
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "what remains%s, up to %s of the largest term, goes with %s (%s), "
            "as no noise does, and no candidate term makes it: %s may be "
            "missing; %s",
            s->where[q], darc_percent_share(d->defect_high).text,
            s->missing.products ? "products of the signals"
                                : "what the inputs did before",
            darc_stats_p_text(s->p_past).text,
            s->missing.products ? "a function of them" : "a state or a delay",
            darc_doubts_turning(d->defect_high).text);
}

/* What contradicts the model is in another equation. */
static void say_beside(darc_decision *d, const darc_evidence *s, int q)
{
    bool little = fmax(d->defect_high, d->detectable) <= DARC_MEANING;
    if (is_uninformative(d, s, q))
        return;
    darc_decision_say(d, little ? DARC_CONSISTENT : DARC_UNDECIDED,
                      "at most %s of the largest term remain%s; what "
                      "contradicts the model is in another equation",
                      darc_percent_share(d->defect_high).text, s->where[q]);
}

/* Nothing contradicts the model, and little would not have been found. */
static void say_fitting(darc_decision *d, const darc_evidence *s, int q)
{
    if (s->bounded)
        darc_decision_say(d, DARC_UNDECIDED,
                          "what is left%s would contradict the model, were "
                          "it not for friction of what rests, which is any up "
                          "to a bound; excite it so that it rests less",
                          s->where[q]);
    else
        darc_decision_say(
            d, DARC_CONSISTENT,
            "the residual is what the noise%s explain%s; a defect of %s of the "
            "largest term would have been found",
            s->fit.smoothing > 0 ? " and smoothing" : "",
            s->fit.smoothing > 0 ? "" : "s",
            darc_percent_of(d->detectable).text);
}

static void decide_exactly(darc_decision *d, const darc_evidence *s, int q)
{
    double low;
    const darc_missing *m = darc_evidence_term(s, q, &low);
    const darc_missing *lacks = s->p_missing < d->alpha ? m : NULL;
    bool rejects = s->p_residual < d->alpha;
    bool refused = (s->sure && (rejects || lacks != NULL)) ||
                   darc_doubts_beyond_noise(d, s);
    bool drowned = is_drowned(d, s);
    if ((drowned && (lacks == NULL || is_attenuated(d, s))) ||
        darc_doubts_untested(d, s))
        return;
    if (lacks != NULL && (drowned || !s->sure))
        decide_lacking(d, s, q, lacks);
    else if (s->p_past < d->alpha && s->missing.past == q)
        decide_driven(d, s, q);
    else if (refused && rejects && !darc_evidence_is_blamed(s, q))
        say_beside(d, s, q);
    else if (refused)
        decide_rejected(d, s, q);
    else if (is_uninformative(d, s, q))
        return;
    else if (d->detectable >= 1)
        darc_decision_say(
            d, DARC_UNDECIDED,
            s->x->by->against > 0 && s->missing.tested == 0
                ? "the recording does not tell the terms of --against from "
                  "those of the model%s"
                : "nothing contradicts the model, but not even a defect as "
                  "large as the largest term%s would have been found",
            s->where[q]);
    else if (!(d->detectable <= DARC_MEANING))
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model, but a defect of less than %s of "
            "the largest term%s would not have been found",
            darc_percent_of(d->detectable).text, s->where[q]);
    else if (rejects &&
             !(s->fit.smoothing > 0 && d->defect_high > DARC_MEANING))
        darc_doubts_left(d, s, q);
    else if (d->defect_high > DARC_MEANING)
        darc_decision_say(d, DARC_UNDECIDED,
                          "nothing contradicts the model, but %s of the "
                          "largest term may remain%s%s",
                          darc_percent_up_to(d->defect_high).text, s->where[q],
                          s->fit.smoothing > 0
                              ? ", which smoothing in estimated derivatives "
                                "may have made"
                              : "");
    else
        say_fitting(d, s, q);
}

static darc_decision judge_equation(darc_judgement *out, const darc_evidence *s,
                                    int q)
{
    const darc_defect *f = &s->est.eq[q].defect;
    darc_decision d = {.method = "weak",
                       .statistic = s->fit.white.q,
                       .dof = s->fit.white.dof,
                       .p_value = s->p_value,
                       .alpha = s->x->by->alpha,
                       .noise = s->est.coloured ? "any" : "white",
                       .defect = f->defect,
                       .defect_low = f->low,
                       .defect_high = fmax(f->high, f->high_input),
                       .tolerance = s->x->by->tolerance,
                       .detectable = darc_evidence_detectable(s, q)};
    if (d.tolerance > 0)
        decide_tolerant(&d, s, q);
    else
        decide_exactly(&d, s, q);
    out->folded = darc_doubts_folded(&d, s, q) || out->folded;
    darc_decision_refuse_numeric(&d, d.defect_high);
    if (d.verdict != DARC_INCONSISTENT && is_hidden(&d, s, q))
        d.defect_low = 0;
    if (d.dof <= 0) {
        d.dof = 0;
        d.statistic = d.p_value = NAN;
    }
    return d;
}

/* Whether what may have moved coefficients off their relations is no fault of
 * the model: noise times noise, noise inside derived signals, smoothing.  *d
 * then says so. */
static bool is_relation_doubted(darc_decision *d, const darc_evidence *s)
{
    bool doubted = is_drowned(d, s);
    for (int q = 0; q < s->est.equations && !doubted; q++)
        doubted = darc_doubts_derived(d, s, q);
    return doubted;
}

/* What the model makes the coefficients obey decides too. */
static void judge_relations(darc_judgement *out, const darc_evidence *s)
{
    darc_decision *d = &out->decision;
    if (s->bind.count > 0) {
        darc_text_t t = DARC_TEXT;
        darc_bindings_print(t, &s->bind, s->x);
        darc_judgement_detail(out, "the coefficients obey %.300s: %s", t->s,
                              darc_stats_p_text(s->bound.p_value).text);
        darc_text_clear(t);
    }
    bool rejected = s->p_relations < d->alpha &&
                    d->verdict != DARC_INCONSISTENT &&
                    !darc_witness_is_found(s->x, &s->est, NULL, NULL);
    if (rejected && s->fit.r.coloured >= 0 && !(d->tolerance > 0)) {
        say_coloured(d, s);
    } else if (rejected && is_relation_doubted(d, s)) {
        return; /* it has said so */
    } else if (rejected) {
        d->statistic = s->bound.statistic;
        d->dof = s->bound.dof;
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "the equations fit with coefficients of their own, but the model "
            "binds these to each other, and the recording breaks that (%s)",
            darc_stats_p_text(s->bound.p_value).text);
    } else if (d->verdict == DARC_CONSISTENT && darc_evidence_is_wanting(s) &&
               !darc_witness_is_found(s->x, &s->est, NULL, NULL)) {
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model, but no values of the parameters "
            "were found that make the coefficients that fit best, and not "
            "all that binds these to each other could be tested");
    }
    if (s->est.coarse)
        darc_decision_refuse_coarse(d);
}

/* Judge all equations of the question together. */
static darc_status judge_jointly(darc_evidence *s, darc_judgement *out,
                                 const darc_question *x,
                                 const darc_table *table, darc_err *err)
{
    DARC_NEED(darc_evidence_init(s, x, table, err));
    darc_judgement_describe(out, &s->fit, x);
    darc_status status =
        darc_along_init(&out->along, s->fit.weak, s->fit.fit.c, x->budget, err);
    darc_judgement_list(out, x, &s->est, NULL);
    bool few = s->est.coarse || s->fit.weak->margin > 0;
    for (int q = 0; q < s->est.equations; q++) {
        out->equation[q].decision = judge_equation(out, s, q);
        out->simple = out->simple || darc_evidence_is_simple(s, q);
        out->turned = out->turned || darc_doubts_turned(s, q);
    }
    out->decision = darc_judgement_merged(out);
    judge_relations(out, s);
    double ratio = fmax(s->fit.white.ratio, s->fit.fit.ratio);
    out->hollow = out->simple || darc_reading_drowns(ratio, NULL, 0) ||
                  out->decision.detectable >= 1;
    out->blunt = !few && out->decision.verdict == DARC_UNDECIDED &&
                 (out->hollow || out->decision.p_value >= x->by->alpha);
    out->simple = out->simple || few;
    return status;
}

darc_status darc_judge_as_said(darc_judgement *out, const darc_question *x,
                               const darc_table *table, darc_err *err)
{
    darc_evidence s;
    *out = (darc_judgement){0};
    darc_err why = {DARC_OK, ""};
    darc_status status = judge_jointly(&s, out, x, table, &why);
    if (status != DARC_OK) {
        status = s.fit.r.idle ? darc_judgement_idle(out, x, why.message, err)
                              : darc_fail(err, status, "%s", why.message);
    } else {
        if (out->decision.verdict != DARC_CONSISTENT)
            darc_evidence_look_beside(&s, table);
        if (out->decision.verdict != DARC_CONSISTENT || x->by->against > 0)
            darc_terms_list(out, &s);
    }
    darc_evidence_clear(&s);
    for (int q = 0; q < out->equations && status == DARC_OK; q++)
        darc_decision_finish(&out->equation[q].decision);
    if (status == DARC_OK)
        darc_decision_finish(&out->decision);
    else
        darc_judgement_clear(out);
    return status;
}
