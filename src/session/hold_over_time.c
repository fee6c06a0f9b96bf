#include "session/state.h"

#include "base/mem.h"
#include "decide/judgement.h"

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
    if (s->count < 2)
        return;
    int best = 0; /* the function that moved most surely */
    const darc_change *c = h->stretch[1].change;
    for (int k = 1; k < s->pair[1].functions; k++)
        if (c[k].p_value < c[best].p_value)
            best = k;
    char more[64] = "";
    if (s->count > 2)
        snprintf(more, sizeof more, ", and %d time%s more", s->count - 2,
                 s->count > 3 ? "s" : "");
    darc_decision_say(&h->decision, DARC_INCONSISTENT,
                      "no one set of parameters holds all along: %.200s "
                      "changes by %+.3g %% at %.6g s%s",
                      s->pair[1].function[best], 100 * c[best].relative,
                      h->stretch[1].from, more);
}

darc_status darc_hold_over_time(darc_session *s, darc_err *err)
{
    darc_criteria by;
    darc_err why = {DARC_OK, ""};
    if (s->set.method == DARC_METHOD_POINTWISE)
        return darc_fail(err, DARC_USAGE,
                         "--over-time compares estimates and needs the weak "
                         "method");
    darc_question x;
    darc_session_criteria(&by, s);
    int *equation = darc_session_ask(&x, s, &by);
    x.lost = false;
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
