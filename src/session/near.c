/* near.c - questions about models with functions of unknown parameters. */
#include "session/near.h"

#include "base/mem.h"
#include "decide/judgement.h"
#include "stats/stats.h"

#include <math.h>

static void list_inner(darc_centre *c, const darc_model *model)
{
    const darc_names_struct *names = darc_model_names(model);
    bool *in = darc_calloc((size_t)names->count, sizeof *in);
    darc_model_inner(in, model);
    c->item = darc_calloc((size_t)names->count + 1, sizeof *c->item);
    for (int u = 0; u < names->count; u++) {
        const char *name = names->symbol[u].name;
        if (in[u])
            c->item[c->count++] =
                (darc_inner){.name = name,
                             .unknown = u,
                             .near = darc_model_beside(model, name, "near"),
                             .off = darc_model_beside(model, name, "off")};
    }
    darc_free(in);
}

static void clear_centre(darc_centre *c)
{
    for (int i = 0; i < c->count; i++)
        DARC_FREE(c->item[i].near, c->item[i].off);
    darc_free(c->item);
}

static bool allows(const darc_session *s)
{
    bool plain = s->set.method != DARC_METHOD_POINTWISE &&
                 s->set.method != DARC_METHOD_TRAJECTORY && !s->set.over_time &&
                 (darc_model_has_dead_times(s->model) ||
                  !darc_adjoined_are_exact(s->model));
    for (int i = 0; i < s->recordings && plain; i++)
        plain = s->table[i]->spool == NULL;
    return plain;
}

/* Coefficients of a function around a centre are small by choice, and a share
 * of them says nothing: say which function of the parameters differs. */
static void say_different(darc_session *s)
{
    darc_decision *d = &s->report.decision;
    const darc_told t = darc_near_told(s);
    const darc_estimate *surest = NULL;
    double most =
        darc_stats_normal_quantile(1 - d->alpha / 2 / fmax(1, t.count));
    double z = most;
    for (int i = 0; i < t.count; i++) {
        const darc_estimate *e = t.value + i;
        double sure = fabs(e->value_b - e->value_a) / hypot(e->sd_a, e->sd_b);
        if (!(sure > most) || e->value_a == 0)
            continue;
        most = sure;
        surest = e;
    }
    if (surest == NULL)
        return;
    double size = fabs(surest->value_a);
    double change = (surest->value_b - surest->value_a) / size;
    double by = fabs(change),
           off = z * hypot(surest->sd_a, surest->sd_b) / size;
    darc_decision_say(d, DARC_INCONSISTENT,
                      "the parameters differ: %.200s changes by %+.3g %% (at "
                      "least %.3g %%)%s",
                      surest->function, 100 * change, 100 * (by - off),
                      d->tolerance > 0
                          ? "; where it stands in a function that moves an "
                            "equation by more than the tolerance"
                          : "");
    if (d->tolerance > 0) /* which is one of equations */
        return;
    d->defect = by;
    d->defect_low = by - off;
    d->defect_high = by + off;
}

void darc_session_ask_near(darc_session *s, const darc_askings *of,
                           darc_test test)
{
    darc_centre c = {.pair = test != DARC_STRUCTURE};
    darc_linear l = {.of = s, .count = s->recordings, .askings = of};
    darc_asking *ask = of->ask;
    if (!allows(s))
        return;
    list_inner(&c, s->model);
    bool late = darc_model_has_dead_times(s->model), found = false;
    const darc_told first = darc_near_told(s);
    double far = late ? NAN : darc_near_move(&c, &first);
    if (far > 0)
        found = darc_near_settle(&l, &c, ask, test, far);
    if (!found)
        found = darc_near_search(&l, &c) &&
                darc_near_settle(&l, &c, ask, test, HUGE_VAL);
    if (!found && late) /* a wrong model does not settle */
        found = darc_near_open(&l, &c) && ask(l.session, test, NULL) == DARC_OK;
    bool coarse = c.coarse;
    clear_centre(&c);
    bool denied = found && test == DARC_STRUCTURE && s->report.relations > 0 &&
                  darc_session_verdict(s) == DARC_INCONSISTENT &&
                  darc_session_verdict(l.session) != DARC_CONSISTENT;
    if (!found || denied) {
        darc_near_drop(&l);
        return;
    }
    if (test == DARC_EQUAL && !l.session->has_isolation &&
        l.session->report.decision.verdict == DARC_INCONSISTENT)
        say_different(l.session);
    darc_decision *d = &l.session->report.decision;
    if (coarse && d->verdict == DARC_INCONSISTENT)
        darc_decision_say(d, DARC_UNDECIDED,
                          "what is delayed moves too fast to be read between "
                          "samples that lie far apart, which may have made "
                          "what contradicts the model: sample more finely");
    s->answer = s->linear = l.session;
    s->near = l.model;
}

darc_status darc_session_ask_late(darc_session *s, const darc_askings *of,
                                  darc_test test, darc_err *err)
{
    if (s->set.method == DARC_METHOD_POINTWISE ||
        s->set.method == DARC_METHOD_TRAJECTORY || s->set.over_time)
        return darc_fail(err, DARC_USAGE,
                         "a delay by a parameter needs the weak method, and "
                         "no --over-time; or write its number");
    darc_session_ask_near(s, of, test);
    DARC_NEED(darc_budget_check(s->budget, err));
    return s->answer != NULL
               ? DARC_OK
               : darc_fail(err, DARC_DATA,
                           "%s: no time of the delay is found at which the "
                           "equations hold best; write a number into the delay",
                           s->table[0]->file);
}
