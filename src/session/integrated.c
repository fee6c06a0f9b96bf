#include "session/state.h"

#include "base/attempt.h"
#include "base/mem.h"
#include "derive/derive.h"
#include "model/model.h"
#include "weak/total.h"

#include <math.h>
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

/* Whatever else fails, there is none; as darc_attempt. */
static darc_status seek_integral(darc_session *s)
{
    darc_model *integral = NULL;
    darc_session *to = NULL;
    if (s->still)
        integral = darc_still_fix(s->model, s->fixed);
    s->still = integral != NULL;
    if (!s->still && s->recordings == 1 && estimates_derivatives(s) &&
        darc_model_integrals(&integral, s->model, NULL) != DARC_OK)
        integral = NULL;
    if (integral != NULL &&
        darc_session_new(&to, integral, &s->set, s->budget, NULL) == DARC_OK) {
        to->sought = true;
        take_noise(to, s);
        to->asked = s->asked;
        darc_session_note(to, "%s",
                          s->still ? "inputs that stand still are constants"
                                   : "a state whose rate is measured is the "
                                     "integral of that; NAME_0 is its value "
                                     "at the first sample");
        to->own = to->kept = to->notes;
    }
    s->integral = integral;
    s->integrated = to;
    s->sought = true;
    return DARC_OK;
}

/* Free the session of other constants, or of none. */
static void renew(darc_session *s)
{
    size_t n = (size_t)darc_model_names(s->model)->count;
    double *fixed = darc_malloc(n * sizeof *fixed);
    bool still = darc_still_find(fixed, s->model, s->table, s->recordings);
    bool same = s->sought;
    for (size_t u = 0; u < n && same; u++)
        same =
            fixed[u] == s->fixed[u] || (isnan(fixed[u]) && isnan(s->fixed[u]));
    if (!same) {
        darc_session_integrated_free(s);
        s->still = still;
    }
    darc_free(s->fixed);
    s->fixed = fixed;
}

/* Let the session of the integrals have the recordings. */
static darc_status lend(darc_session *s)
{
    darc_session *to = s->integrated;
    for (int i = 0; i < s->recordings; i++)
        if (darc_session_prepare(to, s->table[i], NULL) != DARC_OK)
            return DARC_OK;
    to->kept = to->notes;
    to->table = darc_calloc((size_t)s->recordings, sizeof(darc_table *));
    memcpy(to->table, s->table, (size_t)s->recordings * sizeof *to->table);
    to->recordings = s->recordings;
    return DARC_OK;
}

darc_status darc_session_integrated(darc_session **exact, darc_session *s,
                                    darc_err *err)
{
    darc_status status = DARC_OK;
    bool plain = s->set.method != DARC_METHOD_POINTWISE &&
                 s->set.method != DARC_METHOD_TRAJECTORY && !s->set.over_time &&
                 s->resting == NULL && s->recordings > 0;
    bool inner = s->sought && s->fixed == NULL;
    *exact = NULL;
    if (!plain || inner)
        return DARC_OK;
    renew(s);
    const darc_table *t = s->table[0];
    if (!s->still && (s->recordings > 1 || t->segments != 1 || !(t->dt > 0)))
        return DARC_OK;
    if (!s->sought)
        DARC_ATTEMPT(status, seek_integral(s), err);
    darc_session *volatile to = status == DARC_OK ? s->integrated : NULL;
    if (s->spoilt)
        return darc_fail(err, DARC_LIMIT,
                         "memory was short for integrals of the recording");
    if (to != NULL && to->recordings != s->recordings) {
        darc_session_take_back(s);
        DARC_ATTEMPT_ON(status, lend(s), err);
    }
    s->spoilt = status != DARC_OK && to != NULL;
    if (status != DARC_OK || to == NULL || to->recordings == 0)
        return status;
    to->set.series = s->set.series;
    *exact = to;
    return DARC_OK;
}
