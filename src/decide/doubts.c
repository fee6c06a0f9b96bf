#include "decide/doubts.h"

#include "base/mem.h"
#include "data/table.h"
#include "decide/attenuation.h"
#include "decide/terms.h"
#include "decide/thresholds.h"
#include "noise/limits.h"
#include "stats/lanes.h"
#include "stats/stats.h"

#include <math.h>
#include <stdio.h>

darc_doubts_turn darc_doubts_turning(double x)
{
    darc_doubts_turn said;
    x = fmax(x, DARC_SUMS_ERROR);
    double unit = pow(10, floor(log10(x)) - 1);
    double up = rint(x / unit) * unit;
    up = up < x ? up + unit : up;
    if (up < 1)
        snprintf(said.text, sizeof said.text,
                 "a tolerance of %.2g would turn the verdict", up);
    else
        snprintf(said.text, sizeof said.text,
                 "no tolerance below 1 would turn the verdict");
    return said;
}

void darc_doubts_say(darc_decision *d, const darc_evidence *s, int q,
                     const char *but)
{
    darc_decision_say(d, DARC_UNDECIDED,
                      "%s of the largest term remain%s (%s); but %s; %s",
                      darc_percent_share(d->defect).text, s->where[q],
                      darc_stats_p_text(s->p_value).text, but,
                      darc_doubts_turning(d->defect_high).text);
}

/* Whether output u is rounded so that its samples are often the same. */
static bool is_resting(const darc_evidence *s, int u)
{
    double same = 0, all = 1e-9;
    const darc_table *table = s->fit.weak->table;
    const double *y = s->fit.r.signal[u].value;
    for (int i = 0; i < table->segments; i++)
        for (size_t t = table->segment[i].begin + 1; t < table->segment[i].end;
             t++, all++)
            same += y[t] == y[t - 1];
    return same > DARC_RESTS * all;
}

bool darc_doubts_untested(darc_decision *d, const darc_evidence *s)
{
    if (s->fit.white.dof > 0)
        return false;
    darc_decision_say(d, DARC_UNDECIDED,
                      "nothing was tested: the equations have as many free "
                      "coefficients as the recording has independent moments; "
                      "a longer recording would help, or a model of fewer "
                      "terms");
    return true;
}

bool darc_doubts_attenuated(const darc_evidence *s)
{
    return !s->sure && s->fit.white.p_value < s->x->by->alpha &&
           darc_attenuation_of(&s->fit) > DARC_ATTENUATED &&
           darc_attenuation_noise(&s->fit) < DARC_HIDDEN;
}

double darc_doubts_demand(const darc_evidence *s, int *u)
{
    const darc_regression *r = &s->fit.r;
    const darc_gls *white = &s->fit.white;
    double all = 0, most = 0;
    *u = -1;
    for (int v = 0; v < r->unknowns; v++) {
        const darc_weak_signal *x = r->signal + v;
        if (r->column[v] < 0 || x->value == NULL || x->sources != 1 ||
            x->source->partial != NULL)
            continue;
        double power = darc_lanes_variance(x->value, s->fit.weak->table);
        double own = white->share[x->source->channel] * x->sd * x->sd;
        own = power > 0 ? own / power / (double)s->fit.used : 0;
        *u = own > most ? v : *u;
        most = fmax(most, own);
        all += own;
    }
    double less = sqrt(fmax(0, 1 - white->gain / fmax(white->q, 1)));
    return sqrt(all) *
           fmax(0, less - sqrt(s->fit.smoothing / fmax(white->q, 1)));
}

bool darc_doubts_demanding(const darc_decision *d, const darc_evidence *s)
{
    int u;
    return s->p_residual < d->alpha && !s->est.coarse &&
           darc_doubts_demand(s, &u) > DARC_DEMAND;
}

bool darc_doubts_beyond_noise(const darc_decision *d, const darc_evidence *s)
{
    return (s->p_residual < d->alpha && s->est.coarse) ||
           darc_doubts_demanding(d, s);
}

/* Return what sampling may have made of equation q, as a share of its largest
 * term. */
static double folded_share(const darc_evidence *s, int q)
{
    const darc_regression *r = &s->fit.r;
    const darc_total_struct *t = r->total + q;
    double most = 0;
    for (int v = 0; v < t->vars && !s->x->by->pulses; v++) {
        int u = t->var[v].unknown;
        most = fmax(most, darc_weak_half_rate(s->fit.weak, r->signal + u, u));
    }
    return DARC_FOLDED * most;
}

bool darc_doubts_folded(darc_decision *d, const darc_evidence *s, int q)
{
    bool refused = d->verdict == DARC_INCONSISTENT;
    double share = folded_share(s, q);
    if (s->est.coarse || (refused && d->defect < share))
        darc_decision_refuse_coarse(d);
    return d->verdict == DARC_UNDECIDED &&
           (refused || (share > 0 && s->p_residual < d->alpha));
}

void darc_doubts_left(darc_decision *d, const darc_evidence *s, int q)
{
    const darc_gls *white = &s->fit.white;
    bool usual = white->q <= DARC_USUAL * white->dof;
    if (d->defect_high > (usual ? DARC_MEANING : DARC_LITTLE))
        darc_decision_say(d, DARC_UNDECIDED,
                          "no term is found that is missing, but %s of "
                          "the largest term remain%s, which noise of some "
                          "spectrum would make: a recording at rest "
                          "(--noise-from) can tell, or a tolerance",
                          darc_percent_up_to(d->defect_high).text, s->where[q]);
    else if (s->missing.loud)
        darc_decision_say(d, DARC_UNDECIDED,
                          "%s of the largest term remain%s: terms would "
                          "explain it that hold too much of the noise for "
                          "that to count",
                          darc_percent_up_to(d->defect_high).text, s->where[q]);
    else
        darc_decision_say(
            d, DARC_CONSISTENT,
            "at most %s of the largest term remain%s, which noise may have "
            "made, and no term that is missing: one of %s would have been "
            "found",
            darc_percent_share(d->defect_high).text, s->where[q],
            darc_percent_of(d->detectable).text);
}

bool darc_doubts_hidden(darc_decision *d, const darc_evidence *s, int q,
                        const darc_missing *lacks)
{
    bool shaded = darc_attenuation_of(&s->fit) > DARC_SHADED;
    double times = shaded ? DARC_HIDDEN_TERM : DARC_HIDDEN_ELSE;
    if (!(d->defect_high * times < d->detectable))
        return false;
    char *name = darc_terms_called(s, lacks);
    darc_decision_say(d, DARC_UNDECIDED,
                      "%s would explain what is left%s, but so may "
                      "the noise: beside what the equations leave, terms of "
                      "less than %s are hidden",
                      name, s->where[q], darc_percent_of(d->detectable).text);
    darc_free(name);
    return true;
}

bool darc_doubts_rounding(darc_decision *d, const darc_evidence *s, int q)
{
    char but[200];
    const darc_regression *r = &s->fit.r;
    for (int u = 0; u < r->unknowns && d->defect_low <= DARC_MEANING; u++) {
        const darc_signalnoise *n = r->noise + u;
        if (r->column[u] < 0 || !r->signal[u].output ||
            n->step * n->step / 12 <= DARC_ROUNDED_SHARE * n->sd * n->sd ||
            (d->defect_low > 0 && !is_resting(s, u)))
            continue;
        snprintf(but, sizeof but,
                 "%.100s is rounded to steps of %.3g, which is white noise "
                 "only where it moves, and may have made it",
                 s->x->io->jet->names->symbol[u].name, n->step);
        darc_doubts_say(d, s, q, but);
        return true;
    }
    return false;
}

/* Whether so little may come of a derived signal where noise left the domain of
 * a root or logarithm: close by it is biased.  *d then says so. */
static bool is_clipped(darc_decision *d, const darc_evidence *s, int q)
{
    char but[400];
    int u = s->fit.r.clipped;
    if (u < 0 || d->defect_low > DARC_MEANING)
        return false;
    snprintf(but, sizeof but,
             "the derived signal %.100s has no value at some samples, and "
             "noise biases it close by: leave that part out (--from)",
             s->x->io->jet->names->symbol[u].name);
    darc_doubts_say(d, s, q, but);
    return true;
}

/* Whether so little may come of noise inside derived signals, of which only the
 * slope is known: second powers of noise make as much of a term as would make
 * the tests reject too often. *d then says so. */
static bool is_bent(darc_decision *d, const darc_evidence *s, int q)
{
    const darc_yardstick *y = s->fit.y + q;
    double most = 0, *share;
    share = darc_calloc((size_t)s->fit.weak->coeffs, sizeof *share);
    darc_weak_bends(share, s->fit.weak, false);
    for (int j = 0; j < y->coeffs; j++)
        most = fmax(most, share[y->first + j] * y->size[j] / y->size[y->lead]);
    darc_free(share);
    if (d->defect_low > most || !(most > DARC_BENT * d->detectable))
        return false;
    darc_doubts_say(
        d, s, q,
        "noise inside derived signals, which is taken as small, makes "
        "as much: measure what they are computed from more accurately");
    return true;
}

bool darc_doubts_times(darc_decision *d, const darc_evidence *s, int q)
{
    if (s->fit.loose)
        darc_decision_say(d, DARC_UNDECIDED,
                          "what remains%s, up to %s of the largest term, goes "
                          "with what the inputs did before (%s), but steps "
                          "that come between samples may make it: say --hold "
                          "where they come at samples",
                          s->where[q], darc_percent_share(d->defect_high).text,
                          darc_stats_p_text(s->p_past).text);
    return s->fit.loose;
}

bool darc_doubts_turned(const darc_evidence *s, int q)
{
    const darc_total_struct *total = s->fit.r.total + q;
    const darc_table *table = s->fit.weak->table;
    bool turned = false;
    for (int v = 0; v < total->vars && s->fit.r.coloured >= 0; v++) {
        const darc_weak_signal *x = s->fit.r.signal + total->var[v].unknown;
        for (int i = 0; i < x->sources && !turned; i++) {
            const double *slope = x->source[i].partial;
            if (slope != NULL && s->fit.r.channel[x->source[i].channel].red > 0)
                turned = pow(darc_lanes_mean(slope, NULL, table), 2) <
                         DARC_TURNED * darc_lanes_mean(slope, slope, table);
        }
    }
    return turned;
}

bool darc_doubts_loud(const darc_evidence *s, int q, double explains)
{
    const darc_yardstick *y = s->fit.y + q;
    double left = y->residual * (1 - explains), most = 0;
    double *share = darc_calloc((size_t)s->fit.weak->coeffs, sizeof *share);
    darc_weak_bends(share, s->fit.weak, true);
    for (int j = 0; j < y->coeffs; j++)
        most = fmax(most, fmin(share[y->first + j],
                               left / (2 * pow(y->size[j], 2) + 1e-300)));
    darc_free(share);
    return most > DARC_BENT_ANY;
}

bool darc_doubts_term(const darc_evidence *s, int q, double explains)
{
    return darc_doubts_loud(s, q, explains) ||
           (explains < DARC_TURNED_TERM && darc_doubts_turned(s, q));
}

bool darc_doubts_derived(darc_decision *d, const darc_evidence *s, int q)
{
    return is_clipped(d, s, q) || is_bent(d, s, q);
}
