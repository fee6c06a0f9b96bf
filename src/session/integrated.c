#include "session/state.h"

#include "base/mem.h"
#include "model/model.h"
#include "weak/total.h"

/* Whether a term of an equation holds a derivative that has to be estimated. */
static bool estimates_derivatives(const darc_session *s)
{
    bool found = false;
    for (int e = 0; e < s->io->count && !found; e++) {
        darc_total_t total;
        if (darc_total_init(total, s->io->eq[e].part, s->io->jet, true, NULL) !=
            DARC_OK)
            continue;
        found = darc_total_left(total) > 0;
        darc_total_clear(total);
    }
    return found;
}

static void seek_integral(darc_session *s)
{
    s->sought = true;
    if (!estimates_derivatives(s) ||
        darc_model_integrals(&s->integral, s->model, NULL) != DARC_OK ||
        s->integral == NULL ||
        darc_session_new(&s->integrated, s->integral, &s->set, s->budget,
                         NULL) != DARC_OK)
        return;
    darc_session *to = s->integrated;
    to->sought = true;
    to->asked = s->asked;
    darc_session_note(to, "states whose rates are measured are integrals, from "
                          "NAME_0 at the first sample");
    to->own = to->kept = to->notes;
}

/* Let the session of the integrals have the recording. */
static bool lend(darc_session *s)
{
    darc_session *to = s->integrated;
    if (darc_session_prepare(to, s->table[0], NULL) != DARC_OK)
        return false;
    to->kept = to->notes;
    to->table = darc_calloc(1, sizeof(darc_table *));
    to->table[to->recordings++] = s->table[0];
    return true;
}

darc_session *darc_session_integrated(darc_session *s)
{
    bool plain = s->set.method != DARC_METHOD_POINTWISE && !s->set.over_time &&
                 s->resting == NULL && s->recordings == 1;
    if (!plain || s->table[0]->segments != 1 || !(s->table[0]->dt > 0))
        return NULL;
    if (!s->sought)
        seek_integral(s);
    if (s->integrated == NULL || (s->integrated->recordings == 0 && !lend(s)))
        return NULL;
    s->integrated->set.series = s->set.series;
    return s->integrated;
}
