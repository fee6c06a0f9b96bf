#include "session/hold_over_time.h"

#include "base/mem.h"
#include "decide/decision.h"

#include <string.h>

/* The changes of a stretch against the one before. */
static darc_change *changes_of(const darc_stretches *s, int i)
{
    int n = s->pair[i].functions;
    const darc_drift_change *from = darc_stretches_at(s, i)->change;
    darc_change *to = darc_calloc((size_t)n + 1, sizeof *to);
    for (int k = 0; k < n; k++)
        to[k] = (darc_change){from[k].value,    from[k].sd,
                              from[k].relative, from[k].relative_sd,
                              from[k].p_value,  from[k].moved};
    return to;
}

/* The function of stretch i that moved most surely. */
static int surest(const darc_holding *h, int i)
{
    int best = 0;
    const darc_change *c = h->stretch[i].change;
    for (int k = 1; k < h->stretches.pair[i].functions; k++)
        if (c[k].p_value < c[best].p_value)
            best = k;
    return best;
}

static void say(darc_holding *h)
{
    darc_decision *d = &h->decision;
    int k = surest(h, 1);
    const darc_change *c = h->stretch[1].change + k;
    char more[64] = "";
    if (h->stretches.count > 2)
        snprintf(more, sizeof more, ", and %d time%s more",
                 h->stretches.count - 2, h->stretches.count > 3 ? "s" : "");
    darc_decision_say(d, DARC_INCONSISTENT,
                      "no one set of parameters holds all along: %.200s "
                      "changes by %+.3g %% at %.6g s%s",
                      h->stretches.pair[1].function[k], 100 * c->relative,
                      h->stretch[1].from, more);
}

static void set_stretches(darc_holding *h)
{
    const darc_stretches *s = &h->stretches;
    h->stretch = darc_calloc((size_t)s->count + 1, sizeof *h->stretch);
    for (int i = 0; i < s->count; i++)
        h->stretch[i] =
            (darc_stretch){.from = s->from[i],
                           .to = s->to[i],
                           .verdict = darc_stretches_at(s, i)->structure,
                           .change = i > 0 ? changes_of(s, i) : NULL};
    if (s->count > 1)
        say(h);
}

darc_status darc_hold_over_time(darc_session *s, darc_err *err)
{
    darc_criteria by;
    darc_err why = {DARC_OK, ""};
    if (s->set.method == DARC_METHOD_POINTWISE)
        return darc_fail(err, DARC_USAGE,
                         "--over-time compares estimates and needs the weak "
                         "method");
    int *equation = darc_calloc((size_t)s->io->count + 1, sizeof *equation);
    darc_session_criteria(&by, s);
    darc_question x = {.model = s->model,
                       .io = s->io,
                       .equation = equation,
                       .by = &by,
                       .budget = s->budget};
    x.equations = darc_drift_followed(equation, s->io);
    darc_status status =
        x.equations > 0
            ? darc_stretches_find(&s->holding.stretches, &x, s->table[0], &why)
            : darc_fail(&why, DARC_DATA,
                        "no equation has so few terms that "
                        "its coefficients can be followed");
    darc_free(equation);
    if (status == DARC_OK)
        set_stretches(&s->holding);
    else if (status != DARC_DATA && status != DARC_DOMAIN)
        return darc_fail(err, status, "%s", why.message);
    else
        darc_session_note(s, "nothing is known of parameters over time: %s",
                          why.message);
    return DARC_OK;
}
