#include "trajectory/verdict.h"

#include "base/text.h"
#include "decide/judgement.h"
#include "decide/thresholds.h"
#include "stats/stats.h"
#include "trajectory/long.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <stdio.h>

static double small_of(const darc_trajectory *x)
{
    return x->question->tolerance > 0 ? x->question->tolerance : DARC_MEANING;
}

/* What is found in all equations. */
typedef struct {
    double p_value, size, low, high, detectable;
    int worst; /* equation that is forced most for certain */
    int term;  /* the first that is found, -1: none */
    double term_p, term_low, term_high; /* of that, as a share */
} finding;

static finding sum_up(const darc_forcing *f, double alpha)
{
    finding all = {.p_value = 1, .term = -1, .term_p = 1};
    for (int k = 0; k < f->equations; k++) {
        const darc_shrunk *s = f->forced + k, *worst = f->forced + all.worst;
        if (s->low > worst->low ||
            (s->low == worst->low && s->p_value < worst->p_value))
            all.worst = k;
        all.p_value = fmin(all.p_value, s->p_value * f->equations);
        all.size = fmax(all.size, s->size);
        all.low = fmax(all.low, s->low);
        all.high = fmax(all.high, s->high);
        all.detectable = fmax(all.detectable, s->detectable);
    }
    if (f->terms > 0 && f->term->p_value * f->terms < alpha) {
        const darc_lacking *t = f->term;
        double z = darc_stats_normal_quantile(1 - alpha / 2 / f->terms);
        all.term = 0;
        all.term_p = t->p_value * f->terms;
        all.term_low = fmax(t->share - z * t->sd, 0);
        all.term_high = t->share + z * t->sd;
    }
    return all;
}

static void open(darc_decision *d, const darc_trajectory *x)
{
    *d = darc_decision_none(x->question->alpha, x->question->tolerance);
    d->method = "trajectory";
    d->noise = "white";
}

/* "the rate of x'" */
static void print_rate(darc_text_t out, const darc_trajectory *x, int state)
{
    darc_deriv d = x->flow.state[state];
    d.order++;
    darc_deriv_print(out, d, x->flow.names);
}

/* Say what the equations lack, by a term or a forcing; return whether they lack
 * anything. */
static bool say_lacking(darc_decision *d, const finding *all,
                        const darc_forcing *f, const darc_trajectory *x,
                        bool sure)
{
    const darc_trajectory_question *q = x->question;
    bool by_term = all->term >= 0 && all->term_low > q->tolerance;
    bool forced = all->low > q->tolerance && all->p_value < q->alpha / 2;
    bool slow = x->run->piece > 0; /* noise may have any spectrum */
    bool term = by_term && (slow || !(all->p_value < all->term_p && forced));
    int state = term ? f->term->state : f->state[all->worst];
    darc_text_t what = DARC_TEXT, low = DARC_TEXT, name = DARC_TEXT;
    print_rate(what, x, state);
    darc_text_percent(low, d->defect_low);
    if ((by_term || forced) && !sure)
        darc_decision_say(d, DARC_UNDECIDED,
                          "no trajectory of the model was found that passes "
                          "through the recording, but the search did not come "
                          "to the same one again");
    else if (by_term && state == f->term->state &&
             (slow || all->term_p <= all->p_value)) {
        darc_lacking_print(name, f->term, &x->flow);
        darc_decision_say(d, DARC_INCONSISTENT,
                          "the equation of %s lacks a term: %s explains what "
                          "its trajectories miss (%s, at least %s of the "
                          "largest term)",
                          what->s, name->s, darc_stats_p_text(all->term_p).text,
                          low->s);
    } else if (forced && slow && !by_term)
        darc_decision_say(d, DARC_UNDECIDED,
                          "a forcing of %s, of %s of its largest term, would "
                          "explain what trajectories miss (%s), and noise of "
                          "some spectrum as well; no term does",
                          what->s, low->s, darc_stats_p_text(d->p_value).text);
    else if (by_term || forced)
        darc_decision_say(d, DARC_INCONSISTENT,
                          "the equation of %s lacks at least %s of its largest "
                          "term (%s)",
                          what->s, low->s, darc_stats_p_text(d->p_value).text);
    DARC_EACH(darc_text_clear, what, low, name);
    return by_term || forced;
}

static void say_structure(darc_decision *d, const finding *all,
                          const darc_forcing *f, const darc_trajectory *x,
                          double left)
{
    darc_text_t high = DARC_TEXT, weak = DARC_TEXT;
    double small = small_of(x);
    bool sure = x->match.settled && x->sought.met >= DARC_TRAJECTORY_MET;
    if (say_lacking(d, all, f, x, sure))
        return;
    darc_text_percent(high, fmax(d->defect_high, d->detectable));
    darc_text_percent(weak, left);
    if (x->run->piece > 0 && !sure)
        darc_decision_say(d, DARC_UNDECIDED,
                          "the search for trajectories did not come to the "
                          "same ones again");
    else if (left > small)
        darc_decision_say(d, DARC_UNDECIDED,
                          "trajectories take what the equations leave for "
                          "noise, but by the weak form it is %s of the largest "
                          "term",
                          weak->s);
    else if (darc_long_drifts(x) >= 0)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing is found that the equations lack, but what "
            "trajectories miss of %s is slow and larger than %s "
            "of what it moves by: noise of some spectrum would "
            "make it, or what nobody thought of",
            x->flow.names->symbol[x->flow.output[darc_long_drifts(x)]].name,
            darc_percent_share(DARC_MEANING).text);
    else if (x->run->piece == 0 && !darc_trajectory_moves(x))
        darc_decision_say(d, DARC_UNDECIDED,
                          "outputs move by no more than their noise, which "
                          "tells nothing of the equations");
    else if (f->vague)
        darc_decision_say(d, DARC_UNDECIDED,
                          "nothing is found that the equations lack, but the "
                          "recordings do not tell where states begin: more "
                          "samples, or --init would");
    else if (d->defect_high <= small && d->detectable <= small)
        darc_decision_say(d, DARC_CONSISTENT,
                          "nothing that the equations lack was found; what is "
                          "above %s of the largest term would have been",
                          high->s);
    else
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing is found that the equations lack%s, but %s of the largest "
            "term would not have been: more samples or recordings, less "
            "noise%s would tell",
            d->p_value < x->question->alpha ? " for certain" : "",
            darc_percent_up_to(fmax(d->defect_high, d->detectable)).text,
            x->question->tolerance > 0 ? "" : ", or a --tolerance");
    DARC_EACH(darc_text_clear, high, weak);
}

void darc_verdict_structure(darc_decision *d, const darc_forcing *f,
                            const darc_trajectory *x, double left)
{
    open(d, x);
    if (f->equations == 0) {
        darc_decision_say(d, DARC_UNDECIDED,
                          "no rate of the model can be forced");
        return;
    }
    finding all = sum_up(f, x->question->alpha / 2);
    d->statistic = f->forced[all.worst].ratio;
    d->dof = 1;
    d->p_value = fmin(1, 2 * fmin(all.p_value, all.term_p));
    d->defect_low = fmax(all.low, all.term_low);
    d->defect_high = fmax(fmax(all.high, all.term_high), left);
    d->defect = fmin(
        fmax(fmax(all.size, d->defect_low), all.term >= 0 ? f->term->share : 0),
        d->defect_high);
    d->detectable = all.detectable;
    say_structure(d, &all, f, x, left);
    darc_decision_finish(d);
}

/* Set *stands to whether the match as it is now is inconsistent. */
static darc_status ask_again(bool *stands, darc_trajectory *x, darc_err *err)
{
    darc_forcing f;
    darc_decision d;
    DARC_NEED(darc_forcing_init(&f, x, err));
    darc_verdict_structure(&d, &f, x, NAN);
    darc_forcing_clear(&f);
    *stands = d.verdict == DARC_INCONSISTENT;
    return DARC_OK;
}

/* What steps between samples may have made. */
static void say_stepped(darc_decision *d, const darc_trajectory *x,
                        const char *what)
{
    const char *name = x->flow.names->symbol[x->stepped].name;
    darc_decision_say(d, DARC_UNDECIDED,
                      "%s, but steps of %.100s may come between samples: say "
                      "--hold %.100s where they come at samples",
                      what, name, name);
}

/* Recordings that share their parameters and lack a term may look as if the
 * parameters differed: name the term that leaves no more than these do. */
static darc_status find_instead(darc_comparing *c, darc_trajectory *x,
                                darc_err *err)
{
    darc_forcing f;
    double alpha = x->question->alpha;
    if (!(c->p_value < alpha) || c->dof < 2)
        return DARC_OK;
    darc_status status = darc_forcing_init(&f, x, err);
    if (status == DARC_DOMAIN)
        return DARC_OK;
    for (int k = 0; k < f.terms && c->instead == NULL; k++) {
        const darc_lacking *t = f.term + k;
        double rest = c->statistic - t->gain / x->scale;
        if (!(t->p_value * f.terms < alpha / 2) ||
            darc_stats_squares_sf(rest, c->dof - 1, x->dof) < alpha)
            continue;
        darc_text_t name = DARC_TEXT;
        darc_lacking_print(name, t, &x->flow);
        darc_text_puts(name, " in ");
        print_rate(name, x, t->state);
        c->instead = darc_text_take(name);
    }
    darc_forcing_clear(&f);
    return status;
}

/* Set f of the recordings each by itself, and what c says of a term. */
static darc_status gather_apart(darc_comparing *c, darc_forcing *f,
                                darc_trajectory *x, darc_err *err)
{
    DARC_NEED(find_instead(c, x, err));
    darc_match_swap(&x->match, &c->apart);
    darc_status status = darc_forcing_init(f, x, err);
    darc_match_swap(&x->match, &c->apart);
    return status;
}

darc_status darc_verdict_gather(darc_comparing *c, darc_forcing *f,
                                darc_trajectory *x, const bool *may,
                                darc_err *err)
{
    DARC_NEED(darc_comparing_init(c, x, may, err));
    return gather_apart(c, f, x, err);
}

/* Whether the equations fail even where each recording has parameters of its
 * own, of which f is. */
static bool fails_apart(const darc_forcing *f, const darc_trajectory *x)
{
    double gate = x->question->alpha * DARC_PAIR_GATE;
    finding all = sum_up(f, gate / 2);
    return f->equations > 0 && (x->question->tolerance > 0
                                    ? all.low > x->question->tolerance
                                    : all.p_value < gate / 2 || all.term >= 0);
}

/* Set *p to that of one set of parameters where recordings each with its own
 * follow the equations and no term explains as much, else to 1. */
static darc_status differ_instead(double *p, darc_trajectory *x, bool glance,
                                  darc_err *err)
{
    darc_comparing c = {.differing = NULL};
    darc_forcing f = {.equations = 0};
    double alpha = x->question->alpha;
    *p = 1;
    darc_status status = glance ? darc_comparing_glance(&c, x, err)
                                : darc_comparing_init(&c, x, NULL, err);
    bool differ = status == DARC_OK && c.settled && c.p_value < alpha;
    if (differ)
        status = gather_apart(&c, &f, x, err);
    if (differ && status == DARC_OK && c.instead == NULL && !fails_apart(&f, x))
        *p = c.p_value;
    darc_comparing_clear(&c);
    darc_forcing_clear(&f);
    return status == DARC_DOMAIN ? DARC_OK : status;
}

/* Say that parameters differ, or may, where that is so; *said: it is. */
static darc_status blame_parameters(darc_decision *d, bool *said,
                                    darc_trajectory *x, darc_err *err)
{
    double p;
    DARC_NEED(differ_instead(&p, x, true, err));
    if (p < 1)
        DARC_NEED(differ_instead(&p, x, false, err));
    *said = p < 1;
    if (*said)
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "no one set of parameters makes all recordings (%s), but each "
            "follows the equations with its own: parameters differ (darc "
            "isolate), or what the equations lack is another in each",
            darc_stats_p_text(p).text);
    return DARC_OK;
}

darc_status darc_verdict_doubt(darc_decision *d, darc_trajectory *x,
                               darc_err *err)
{
    static const double grows[] = {0, 1, 4, 30};
    double least = darc_trajectory_surprise(x), surprise;
    bool stands = true, blamed = false;
    if (d->verdict == DARC_INCONSISTENT && darc_trajectory_unsure(x)) {
        say_stepped(d, x, "the equations seem to lack something");
        d->defect_low = 0;
        return DARC_OK;
    }
    if (d->verdict != DARC_INCONSISTENT || x->run->piece > 0)
        return DARC_OK;
    if (x->runs > 1)
        DARC_NEED(blame_parameters(d, &blamed, x, err));
    for (int k = 0; k < 4 && stands && !blamed; k++) {
        DARC_NEED(darc_trajectory_regrow(&surprise, x, grows[k], least, err));
        if (surprise - least > DARC_LEVEL_EXCLUDED)
            continue;
        DARC_NEED(ask_again(&stands, x, err));
        if (stands && x->runs > 1 && x->dof < HUGE_VAL) {
            DARC_NEED(darc_trajectory_reweigh(x, err));
            DARC_NEED(ask_again(&stands, x, err));
        }
    }
    if (!stands)
        darc_decision_say(d, DARC_UNDECIDED,
                          "the equations seem to lack something, but not if "
                          "noise grows with its signal otherwise, or from "
                          "recording to recording, as it may: --noise, or "
                          "more samples would tell");
    return DARC_OK;
}

/* What parameters that may not differ do. */
typedef struct {
    double change, low, high, detectable;
    const darc_differing *most; /* the surest one */
    int known, asked;
} spread;

static spread spread_of(const darc_comparing *c, const darc_trajectory *x,
                        const bool *may)
{
    int p = x->flow.params, tests = 0;
    spread all = {.most = NULL};
    for (int k = 0; k < p; k++)
        tests += may == NULL || !may[k] ? x->runs - (x->runs == 2) : 0;
    double t = darc_stats_error_quantile(
        1 - x->question->alpha / 2 / fmax(tests, 1), x->dof);
    double sure = 0;
    for (int i = 0; i < p * x->runs; i++) {
        const darc_differing *d = c->differing + i;
        if ((may != NULL && may[i % p]) || (x->runs == 2 && i < p))
            continue;
        all.asked++;
        if (!d->known || !isfinite(d->change))
            continue;
        double size = fabs(d->change);
        all.known++;
        all.change = fmax(all.change, size);
        all.low = fmax(all.low, size - t * d->change_sd);
        all.high = fmax(all.high, size + t * d->change_sd);
        all.detectable = fmax(all.detectable, d->detectable);
        if (size / d->change_sd > sure) {
            sure = size / d->change_sd;
            all.most = d;
        }
    }
    return all;
}

static void say_differ(darc_decision *d, const spread *all,
                       const darc_trajectory *x)
{
    const darc_differing *m = all->most;
    const char *name =
        m != NULL ? x->flow.names->symbol[x->flow.param[m->param]].name : "";
    if (m == NULL)
        darc_decision_say(d, DARC_INCONSISTENT, "the parameters differ (%s)",
                          darc_stats_p_text(d->p_value).text);
    else if (x->runs == 2)
        darc_decision_say(d, DARC_INCONSISTENT,
                          "the parameters differ: %s changes by %+.3g %% +- "
                          "%.2g %% (%s)",
                          name, 100 * m->change, 100 * m->change_sd,
                          darc_stats_p_text(d->p_value).text);
    else
        darc_decision_say(d, DARC_INCONSISTENT,
                          "the parameters differ: most surely %s of %.200s, by "
                          "%+.3g %% +- %.2g %% of the mean (%s)",
                          name, x->run[m->run].file, 100 * m->change,
                          100 * m->change_sd,
                          darc_stats_p_text(d->p_value).text);
}

/* Whether parameters may change by more than counts only where they make up for
 * each other, and the equations stay; a tolerance is one of parameters. */
static bool moves_little(const darc_comparing *c, const spread *all,
                         const darc_trajectory *x)
{
    return !(c->p_value < x->question->alpha) &&
           !(x->question->tolerance > 0) && all->known == all->asked &&
           fmax(all->detectable, c->moves_most) <= DARC_MEANING;
}

static void say_moves(darc_decision *d, const spread *all,
                      const darc_comparing *c)
{
    d->defect = c->moves;
    d->defect_low = 0;
    d->defect_high = c->moves_most;
    darc_decision_say(d, DARC_CONSISTENT,
                      "the parameters agree: no change moves an equation by "
                      "more than %s of its largest term; a change of one of "
                      "them by %s would have been found",
                      darc_percent_of(c->moves_most).text,
                      darc_percent_of(all->detectable).text);
}

static void say_comparison(darc_decision *d, const spread *all,
                           const darc_comparing *c, const darc_trajectory *x)
{
    double small = small_of(x);
    bool differ = c->p_value < x->question->alpha;
    darc_text_t high = DARC_TEXT;
    darc_text_percent(high, fmax(all->high, all->detectable));
    if (differ && darc_trajectory_unsure(x))
        say_stepped(d, x, "the parameters seem to differ");
    else if (differ && c->instead != NULL)
        darc_decision_say(d, DARC_UNDECIDED,
                          "the parameters differ, or the equations lack a term "
                          "in all recordings: %s explains as much",
                          c->instead);
    else if (differ && !(c->settled && x->sought.met >= DARC_TRAJECTORY_MET))
        darc_decision_say(d, DARC_UNDECIDED,
                          "no common parameters were found, but the search did "
                          "not come to an end");
    else if (differ && (all->low >= x->question->tolerance ||
                        x->question->tolerance == 0))
        say_differ(d, all, x);
    else if (all->known == all->asked && all->high <= small &&
             all->detectable <= small)
        darc_decision_say(
            d, DARC_CONSISTENT,
            "the parameters agree; a change of %s would have been "
            "found",
            high->s);
    else if (moves_little(c, all, x))
        say_moves(d, all, c);
    else
        darc_decision_say(
            d, DARC_UNDECIDED, "%s, but %s%s",
            differ ? "the parameters differ" : "no change is found",
            all->known < all->asked ? "the recordings do not tell all of them"
            : differ ? "by no more than the tolerance for certain"
                     : "one may be as large as ",
            all->known < all->asked || differ ? "" : high->s);
    darc_text_clear(high);
}

void darc_verdict_compare(darc_decision *d, const darc_comparing *c,
                          const darc_forcing *f, const darc_trajectory *x,
                          const bool *may)
{
    spread all = spread_of(c, x, may);
    open(d, x);
    if (c->dof <= 0) {
        darc_decision_say(d, DARC_UNDECIDED,
                          "what may differ makes any recordings: nothing is "
                          "left to test");
        return;
    }
    DARC_SAME(d, c, statistic, dof, p_value);
    bool none = all.known == 0; /* a share of nothing is not 0 */
    d->defect = none ? NAN : all.change;
    d->defect_low = none ? NAN : fmax(all.low, 0);
    d->defect_high = none ? NAN : all.high;
    d->detectable = none ? NAN : all.detectable;
    if (fails_apart(f, x))
        darc_decision_say(d, DARC_UNDECIDED,
                          "the structure fails, so that parameters cannot be "
                          "compared (darc check structure)");
    else
        say_comparison(d, &all, c, x);
    darc_decision_finish(d);
}
