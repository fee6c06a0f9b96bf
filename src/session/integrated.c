#include "session/state.h"

#include "base/attempt.h"
#include "base/mem.h"
#include "model/model.h"
#include "weak/total.h"

#include <stdio.h>
#include <string.h>

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

/* What is known of the noise holds of the same signals. */
static void take_noise(darc_session *to, const darc_session *s)
{
    const darc_names_struct *own = darc_model_names(to->model);
    const darc_names_struct *names = darc_model_names(s->model);
    for (int u = 0; u < own->count; u++) {
        const char *name = own->symbol[u].name;
        int k = darc_names_find(names, name, strlen(name));
        if (k >= 0)
            to->noise[u] = to->held_noise[u] = s->noise[k];
    }
}

/* Set *out to the model in which inputs that stand still are constants; NULL:
 * none does, or the recording has derived signals, by unknown of its model. */
static void fix_still(darc_model **out, const darc_session *s)
{
    const darc_names_struct *names = darc_model_names(s->model);
    const darc_table *t = s->table[0];
    char(*text)[40] = darc_calloc((size_t)names->count, sizeof *text);
    const char **value = darc_calloc((size_t)names->count, sizeof *value);
    bool any = false;
    for (int u = 0; u < names->count; u++) {
        int k = darc_table_find(t, names->symbol[u].name);
        if (names->symbol[u].kind != DARC_INPUT || k < 0 ||
            !darc_table_stands_still(t, k))
            continue;
        snprintf(text[u], sizeof text[u], "%.17g", t->signal[k].value[0]);
        value[u] = text[u];
        any = true;
    }
    if (any && t->derivations == 0 &&
        darc_model_fix(out, s->model, value, NULL) != DARC_OK)
        *out = NULL;
    DARC_FREE(text, value);
}

/* Whatever else fails, there is none; as darc_attempt. */
static darc_status seek_integral(darc_session *s)
{
    darc_model *integral = NULL;
    darc_session *to = NULL;
    fix_still(&integral, s);
    s->still = integral != NULL;
    if (!s->still && estimates_derivatives(s) &&
        darc_model_integrals(&integral, s->model, NULL) != DARC_OK)
        integral = NULL;
    if (integral != NULL &&
        darc_session_new(&to, integral, &s->set, s->budget, NULL) == DARC_OK) {
        to->sought = true;
        take_noise(to, s);
        to->asked = s->asked;
        darc_session_note(to, "%s",
                          s->still ? "inputs that stand still are constants"
                                   : "states whose rates are measured are "
                                     "integrals, from NAME_0 at the first "
                                     "sample");
        to->own = to->kept = to->notes;
    }
    s->integral = integral;
    s->integrated = to;
    s->sought = true;
    return DARC_OK;
}

/* Let the session of the integrals have the recording. */
static darc_status lend(darc_session *s)
{
    darc_session *to = s->integrated;
    if (darc_session_prepare(to, s->table[0], NULL) != DARC_OK)
        return DARC_OK;
    to->kept = to->notes;
    to->table = darc_calloc(1, sizeof(darc_table *));
    to->table[to->recordings++] = s->table[0];
    return DARC_OK;
}

darc_status darc_session_integrated(darc_session **exact, darc_session *s,
                                    darc_err *err)
{
    darc_status status = DARC_OK;
    bool plain = s->set.method != DARC_METHOD_POINTWISE &&
                 s->set.method != DARC_METHOD_TRAJECTORY && !s->set.over_time &&
                 s->resting == NULL && s->recordings == 1;
    *exact = NULL;
    if (!plain || s->table[0]->segments != 1 || !(s->table[0]->dt > 0))
        return DARC_OK;
    if (!s->sought)
        DARC_ATTEMPT(status, seek_integral(s), err);
    darc_session *volatile to = status == DARC_OK ? s->integrated : NULL;
    if (s->spoilt)
        return darc_fail(err, DARC_LIMIT,
                         "memory was short for integrals of the recording");
    if (to != NULL && to->recordings == 0)
        DARC_ATTEMPT_ON(status, lend(s), err);
    s->spoilt = status != DARC_OK && to != NULL;
    if (status != DARC_OK || to == NULL || to->recordings == 0)
        return status;
    to->set.series = s->set.series;
    *exact = to;
    return DARC_OK;
}
