/* hold_trajectory.c - questions answered by trajectories. */
#include "session/hold_trajectory.h"

#include "base/mem.h"
#include "decide/judgement.h"
#include "diagnose/answer_trajectory.h"
#include "diagnose/isolate_trajectory.h"
#include "stats/stats.h"
#include "trajectory/verdict.h"

#include <math.h>

bool darc_hold_trajectory_suits(const darc_session *s, bool named)
{
    bool suits =
        !named && s->set.colour != DARC_ASSUME_ANY && !s->set.over_time;
    for (int i = 0; i < s->recordings && suits; i++)
        suits = s->table[i]->samples <= DARC_TRAJECTORY_SAMPLES;
    return suits;
}

static bool suits_long(const darc_session *s, darc_test test, bool named)
{
    const darc_judgement *j = s->holding.judgement;
    bool suits = !named && !s->set.over_time && s->holding.judgements == 1 &&
                 s->set.colour == DARC_ASSUME_AUTO && s->resting == NULL;
    for (int i = 0; i < s->recordings && suits; i++)
        suits = s->table[i]->samples >= DARC_LONG_SAMPLES &&
                s->table[i]->samples <= DARC_LONG_MOST;
    for (int u = 0; u < darc_model_names(s->model)->count && suits; u++)
        suits = !isfinite(s->noise[u]);
    if (!suits || j->spoilt || j->untested || j->changes > DARC_STEPS_MOST)
        return false;
    bool left = j->decision.verdict == DARC_UNDECIDED &&
                j->decision.defect_high < DARC_LONG_LEFT;
    bool open = left ? j->computed || j->turned
                     : test != DARC_STRUCTURE && j->computed &&
                           j->decision.verdict == DARC_INCONSISTENT;
    return (test == DARC_STRUCTURE && j->blunt) ||
           (s->set.tolerance == 0 && !j->simple && open);
}

void darc_hold_trajectory_ask(darc_trajectory_question *q,
                              const darc_session *s)
{
    *q =
        (darc_trajectory_question){.model = s->model,
                                   .recordings = s->recordings,
                                   .table = (const darc_table *const *)s->table,
                                   .held = s->hold,
                                   .noise = s->noise,
                                   .starts = s->set.starts,
                                   .start_name = s->set.start_name,
                                   .start = s->set.start,
                                   .alpha = s->set.alpha,
                                   .tolerance = s->set.tolerance,
                                   .seed = s->set.seed,
                                   .budget = s->budget};
}

/* Take values over to the session, and say which are not known. */
static void take_profiles(darc_session *s, const darc_trajectory *x,
                          const darc_profile *v)
{
    darc_text_t hidden = DARC_TEXT, others = DARC_TEXT;
    s->value = darc_calloc((size_t)x->flow.params + 1, sizeof *s->value);
    s->values = darc_trajectory_values(s->value, hidden, x, v);
    s->profile = darc_calloc((size_t)x->flow.params + 1, sizeof *s->profile);
    for (int k = 0; k < x->flow.params; k++)
        if (v[k].known)
            s->profile[s->profiles++] = v[k].curve;
    if (hidden->len > 0)
        darc_session_note(s, "the recordings do not tell: %s", hidden->s);
    darc_trajectory_others(others, x, v);
    if (others->len > 0)
        darc_session_note(s, "these match as well: %s", others->s);
    DARC_EACH(darc_text_clear, hidden, others);
}

/* Say how the match was found, and what noise it leaves. */
static void note_match(darc_session *s, const darc_trajectory *x)
{
    darc_session_detail(s,
                        "trajectories: %d starts, the best found %d times, "
                        "%.0f unknowns",
                        x->sought.draws, x->sought.met, x->sought.taken);
    if (x->timed)
        darc_session_note(s, "times of steps of %.100s are sought (--hold)",
                          x->flow.names->symbol[x->stepped].name);
    for (int j = 0; j < x->flow.outputs; j++) {
        const darc_level *l = x->sought.level + j;
        darc_session_detail(s, "noise of %s: %.3g%s%s",
                            x->flow.names->symbol[x->flow.output[j]].name,
                            l->level, l->grows > 0 ? ", growing with it" : "",
                            l->known ? ", as given" : "");
    }
}

/* Say where values of recordings together are of none. */
static void note_differing(darc_session *s, darc_trajectory *x)
{
    darc_comparing c = {.differing = NULL};
    if (x->runs > 1 && !darc_trajectory_unsure(x) &&
        darc_comparing_init(&c, x, NULL, NULL) == DARC_OK && c.settled &&
        c.p_value < s->set.alpha)
        darc_session_note(s,
                          "no one set of parameters makes all recordings (%s): "
                          "darc isolate tells which differ",
                          darc_stats_p_text(c.p_value).text);
    darc_comparing_clear(&c);
}

darc_status darc_hold_trajectory_values(darc_session *s, darc_err *err)
{
    darc_status status;
    darc_trajectory_question q;
    darc_trajectory x;
    darc_hold_trajectory_ask(&q, s);
    DARC_NEED(darc_trajectory_init(&x, &q, err));
    darc_profile *v = darc_calloc((size_t)x.flow.params + 1, sizeof *v);
    DARC_TRY(darc_trajectory_profile(v, &x, err));
    take_profiles(s, &x, v);
    note_match(s, &x);
    note_differing(s, &x);
done:
    darc_free(v);
    darc_trajectory_clear(&x);
    return status;
}

/* Set the one relation of the holding: the model itself. */
static void describe_match(darc_session *s, darc_trajectory *x,
                           const darc_decision *d, const darc_forcing *f)
{
    darc_holding *h = &s->holding;
    int terms = 0;
    h->report = darc_calloc(1, sizeof *h->report);
    h->count = 1;
    h->decision = *d;
    darc_text_t text = DARC_TEXT;
    char *equations = darc_trajectory_equations(&x->flow, &terms);
    darc_text_puts(text, equations);
    darc_free(equations);
    h->report[0] = (darc_report_relation){
        .form = "states", .terms = terms, .order = x->flow.n, .decision = *d};
    h->report[0].equation = darc_holding_keep(h, text);
    darc_trajectory_left(&h->report[0].residual, x);
    if (f == NULL)
        return;
    darc_report_relation *to = h->report;
    to->missing_term = h->missing =
        darc_trajectory_missing(&to->missing, f, x, DARC_HOLDING_TERMS);
    for (int k = 0; k < to->missing; k++) {
        darc_text_t term = DARC_TEXT;
        darc_text_puts(term, h->missing[k].term);
        darc_free((char *)h->missing[k].term);
        h->missing[k].term = (char *)darc_holding_keep(h, term);
    }
}

/* Whether a second opinion d counts: it decides, unless signals agree with any
 * model, or the weak form says what a controller may have made. */
static bool leave_weak(darc_session *s, const darc_decision *d)
{
    const darc_decision *weak = &s->holding.decision;
    if (d->verdict == weak->verdict ||
        (d->verdict == DARC_CONSISTENT && s->holding.judgement->hollow) ||
        (d->verdict == DARC_UNDECIDED && weak->verdict != DARC_INCONSISTENT))
        return false;
    darc_session_note(s, "the weak form says: %s: %s",
                      darc_verdict_text(weak->verdict), weak->reason);
    darc_holding_clear(&s->holding);
    darc_session_forget_values(s);
    return true;
}

/* Let the holding be that of the structure, asked again where values are found
 * that match better, undecided without a best match. */
static darc_status take_structure(darc_session *s, darc_trajectory *x,
                                  darc_decision *d, darc_forcing *f,
                                  double left, darc_err *err)
{
    darc_profile *v = darc_calloc((size_t)x->flow.params + 1, sizeof *v);
    double square = x->match.square - x->scale;
    darc_status status = darc_trajectory_profile(v, x, err);
    if (status == DARC_OK)
        take_profiles(s, x, v);
    if (status == DARC_OK && x->match.square < square) {
        darc_forcing_clear(f);
        status = darc_forcing_init(f, x, err);
        darc_verdict_structure(d, f, x, left);
    }
    if (status == DARC_DOMAIN)
        darc_decision_say(d, DARC_UNDECIDED,
                          "each search finds values that match better");
    darc_free(v);
    note_match(s, x);
    describe_match(s, x, d, f);
    for (int k = 0; k < f->equations; k++) {
        darc_text_t said = DARC_TEXT;
        darc_forcing_print(said, f, k, &x->flow);
        darc_session_detail(s, "%s", said->s);
        darc_text_clear(said);
    }
    return status == DARC_DOMAIN ? DARC_OK : status;
}

static darc_status hold_structure(darc_session *s, darc_trajectory *x,
                                  bool second, double left, darc_err *err)
{
    darc_decision d;
    darc_forcing f;
    DARC_NEED(darc_forcing_init(&f, x, err));
    darc_verdict_structure(&d, &f, x, left);
    darc_status status = DARC_OK;
    if (!second || (!darc_trajectory_unsure(x) && leave_weak(s, &d)))
        status = take_structure(s, x, &d, &f, left, err);
    darc_forcing_clear(&f);
    if (status == DARC_OK && !second) {
        status = darc_verdict_doubt(&d, x, err);
        s->holding.decision = s->holding.report[0].decision = d;
    }
    return status;
}

/* Values of each of two recordings; a note on each of more that differs, or
 * where that is none for certain on all, else a detail. */
static void take_differing(darc_session *s, const darc_comparing *c,
                           const darc_trajectory *x)
{
    int p = x->flow.params, certain = 0;
    s->value = darc_calloc((size_t)p + 1, sizeof *s->value);
    if (x->runs == 2)
        s->values = darc_trajectory_pair(s->value, x, c);
    for (int r = 0; r < x->runs; r++)
        certain += darc_comparing_differs(c, x, r);
    for (int r = 0; r < x->runs && x->runs > 2; r++) {
        darc_text_t line = DARC_TEXT;
        darc_trajectory_own(line, x, c, r);
        if (certain > 0 && darc_comparing_differs(c, x, r))
            darc_session_note(s, "%s differs: %s", x->run[r].file, line->s);
        else if (certain == 0 && line->len > 0)
            darc_session_note(s, "%s: %s", x->run[r].file, line->s);
        else if (line->len > 0)
            darc_session_detail(s, "%s: %s", x->run[r].file, line->s);
        darc_text_clear(line);
    }
}

static darc_status hold_comparison(darc_session *s, darc_trajectory *x,
                                   darc_test test, bool second, darc_err *err)
{
    darc_decision d;
    darc_forcing f = {.equations = 0};
    darc_comparing c = {.differing = NULL};
    darc_status status;
    int p = x->flow.params;
    bool *may = darc_calloc((size_t)p + 1, sizeof *may);
    for (int k = 0; k < p && test == DARC_CHANGED; k++) {
        int u = darc_trajectory_unknown(x, k);
        may[k] = u >= 0 && s->changed[u];
    }
    DARC_TRY(darc_verdict_gather(&c, &f, x, may, err));
    darc_verdict_compare(&d, &c, &f, x, may);
    if (!second || leave_weak(s, &d)) {
        take_differing(s, &c, x);
        note_match(s, x);
        describe_match(s, x, &d, NULL);
    }
done:
    darc_comparing_clear(&c);
    darc_forcing_clear(&f);
    darc_free(may);
    return status;
}

/* Let trajectories answer, from values that are near unless that is NULL; of
 * structures what the weak form leaves is `left`, NAN: not known. */
static darc_status hold(darc_session *s, darc_test test, const double *near,
                        double left, darc_err *err)
{
    darc_trajectory_question q;
    darc_trajectory x;
    darc_hold_trajectory_ask(&q, s);
    q.near = near;
    DARC_NEED(darc_trajectory_init(&x, &q, err));
    bool second = s->holding.count > 0;
    darc_status status = test == DARC_STRUCTURE
                             ? hold_structure(s, &x, second, left, err)
                             : hold_comparison(s, &x, test, second, err);
    darc_trajectory_clear(&x);
    return status;
}

/* Hold long recordings by the weak form first: set *near to the values that it
 * finds, NULL: none, and *left to the share of the largest term that it leaves,
 * NAN: not known.  Return whether its holding stands: signals are too simple.
 */
static bool ask_weak(double **near, double *left, darc_session *s,
                     darc_test test)
{
    bool suits = s->has_io && s->recordings <= (test == DARC_STRUCTURE ? 1 : 2);
    int notes = s->notes;
    for (int r = 0; r < s->recordings && suits; r++)
        suits = s->table[r]->samples >= DARC_LONG_SAMPLES;
    if (suits && darc_hold_weak(s, test, NULL) == DARC_OK) {
        const darc_judgement *j = s->holding.judgement;
        bool alone = s->holding.judgements == 1;
        if (alone && j->simple && test == DARC_STRUCTURE &&
            j->decision.verdict == DARC_UNDECIDED)
            return true;
        *near = darc_trajectory_near(s->model, s->value, s->values);
        *left = s->holding.decision.defect;
        if (alone && (j->turned || j->computed) && *left < DARC_LONG_LEFT)
            *left = NAN;
    }
    darc_holding_clear(&s->holding);
    darc_session_forget_values(s);
    while (s->notes > notes)
        darc_free(s->note[--s->notes]);
    return false;
}

darc_status darc_hold_trajectory(darc_session *s, darc_test test, darc_err *err)
{
    double left = NAN, *near = NULL;
    darc_err why = {DARC_OK, ""};
    if (ask_weak(&near, &left, s, test))
        return darc_hold_long(s, test, false, err);
    darc_status status = hold(s, test, near, left, &why);
    if (status == DARC_DOMAIN && near != NULL && s->holding.count == 0)
        status = hold(s, test, NULL, left, &why);
    darc_free(near);
    return darc_fail_as(err, status, &why);
}

darc_status darc_hold_long(darc_session *s, darc_test test, bool named,
                           darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    if (!suits_long(s, test, named))
        return DARC_OK;
    double *near = darc_trajectory_near(s->model, s->value, s->values);
    const darc_judgement *j = s->holding.judgement;
    double left = j->blunt ? j->decision.defect : NAN;
    darc_status status = hold(s, test, near, left, &why);
    darc_free(near);
    /* Where nothing took its place the weak form's holding stands. */
    return s->holding.count > 0 ? DARC_OK : darc_fail_as(err, status, &why);
}

darc_status darc_hold_trajectory_isolate(darc_session *s, darc_err *err)
{
    darc_trajectory_question q;
    darc_trajectory x;
    darc_forcing f = {.equations = 0};
    darc_comparing c = {.differing = NULL};
    darc_status status;
    darc_hold_trajectory_ask(&q, s);
    DARC_NEED(darc_trajectory_init(&x, &q, err));
    DARC_TRY(darc_verdict_gather(&c, &f, &x, NULL, err));
    DARC_TRY(darc_isolate_trajectory(&s->result, &x, &c, &f, err));
    take_differing(s, &c, &x);
    note_match(s, &x);
done:
    darc_comparing_clear(&c);
    darc_forcing_clear(&f);
    darc_trajectory_clear(&x);
    return status;
}
