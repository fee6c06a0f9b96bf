/* overlay.c - what a model makes with the values that were found. */
#include "simulate/overlay.h"

#include "base/mem.h"
#include "model/model.h"
#include "session/state.h"

#include <string.h>

/* What drives the model: outputs that no equation is about, derived signals. */
static bool *list_drivers(const darc_session *s)
{
    const darc_names_struct *names = darc_model_names(s->model);
    bool *drives = darc_calloc((size_t)names->count, sizeof *drives);
    for (int u = 0; u < names->count; u++)
        drives[u] = names->symbol[u].kind == DARC_OUTPUT ||
                    darc_derived_find(s->model, u) >= 0;
    for (int e = 0; e < s->io->count + s->free; e++)
        drives[s->io->eq[e].leader.unknown] = false;
    return drives;
}

/* Set what of the overlay's model goes by the session's: values of parameters,
 * inputs between samples.  What shows in no coefficient is 1. */
static void translate(double *value, darc_between *between,
                      const darc_session *s, const darc_model *model,
                      const darc_values *v)
{
    const darc_names_struct *own = darc_model_names(s->model);
    const darc_names_struct *names = darc_model_names(model);
    for (int u = 0; u < names->count; u++)
        value[u] = 1;
    for (int k = 0; k < own->count; k++) {
        const char *name = own->symbol[k].name;
        int u = darc_names_find(names, name, strlen(name));
        if (u < 0)
            continue;
        between[u] = s->hold[k]                            ? DARC_HELD
                     : darc_derived_find(s->model, k) >= 0 ? DARC_STRAIGHT
                                                           : DARC_SMOOTH;
        for (int i = 0; i < v->vars; i++)
            if (v->unknown[i] == k)
                value[u] = v->theta[i];
    }
}

static darc_status append(darc_session *s, const darc_values *v, int i,
                          darc_err *err)
{
    darc_status status;
    const darc_table *t = s->table[i];
    bool *drives = list_drivers(s);
    darc_between *between = NULL;
    double *value = NULL;
    darc_model *model = NULL;
    darc_segment part = darc_table_longest(t);
    DARC_TRY(darc_model_driven(&model, s->model, drives, err));
    double begin = darc_table_time(t, part.begin);
    const darc_names_struct *all = darc_model_names(model);
    size_t names = (size_t)all->count;
    for (size_t u = 0; u < names && begin != 0; u++)
        if (all->symbol[u].kind == DARC_TIME)
            DARC_TRY(darc_fail(err, DARC_MODEL,
                               "its equations hold time, which is %g s where "
                               "the recording begins",
                               begin));
    value = darc_calloc(names, sizeof *value);
    between = darc_calloc(names, sizeof *between);
    translate(value, between, s, model, v);
    s->overlay = darc_realloc(s->overlay, (size_t)s->overlays + names,
                              sizeof *s->overlay);
    DARC_TRY(darc_overlay_append(
        s->overlay, &s->overlays,
        &(darc_overlay_question){model, value, between, t, part, s->budget},
        err));
    if (t->segments > 1)
        darc_session_note(s,
                          "%s: overlay from %.6g to %.6g s, the longest "
                          "stretch without gaps",
                          t->file, begin, darc_table_time(t, part.end - 1));
done:
    darc_model_free(model);
    darc_free(drives);
    darc_free(value);
    darc_free(between);
    return status;
}

void darc_session_overlay(darc_session *s, const darc_values *v, int i)
{
    darc_err why = {DARC_OK, ""};
    if (!s->set.overlay)
        return;
    s->overlaid = true;
    if (append(s, v, i, &why) != DARC_OK)
        darc_session_note(s, "%s: no overlay: %s", s->table[i]->file,
                          why.message);
}
