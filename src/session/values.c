/* values.c - values of parameters, and what a model makes with them. */
#include "session/state.h"

#include "base/mem.h"
#include "base/units.h"
#include "decide/wide.h"
#include "model/model.h"
#include "simulate/overlay.h"

#include <math.h>
#include <string.h>

darc_status darc_session_identify(darc_session *s, darc_err *err)
{
    if (s->has_id)
        return DARC_OK;
    slong terms = 0;
    for (int e = 0; e < s->io->count; e++) {
        const darc_ioeq *eq = s->io->eq + e;
        bool fitted = eq->expanded && !darc_wide_is(s->io, e);
        terms += fitted ? eq->poly->length : DARC_VALUES_TERMS + 1;
    }
    if (terms > DARC_VALUES_TERMS)
        return darc_fail(err, DARC_DOMAIN,
                         "the equations are too long for values");
    DARC_NEED(
        darc_identification_init_field(s->id, s->io, s->model, s->budget, err));
    s->has_id = true;
    return darc_identification_shorten(s->id, s->budget, err);
}

/* Powers of the parameters in the first term: all have one dimension. */
static void add_powers(double *power, const fmpz_mpoly_struct *p,
                       const darc_identification_struct *id, double sign)
{
    ulong *e = darc_calloc((size_t)id->vars + 1, sizeof *e);
    if (fmpz_mpoly_length(p, id->ctx) > 0)
        fmpz_mpoly_get_term_exp_ui(e, p, 0, id->ctx);
    for (slong v = 0; v < id->vars; v++)
        power[id->unknown[v]] += sign * (double)e[v];
    darc_free(e);
}

static char *unit_of(const darc_session *s, int k)
{
    const darc_identification_struct *id = s->id;
    darc_text_t unit = DARC_TEXT;
    if (k < id->vars)
        return darc_strdup(darc_model_unit(s->model, id->unknown[k]));
    k -= (int)id->vars;
    size_t names = (size_t)darc_model_names(s->model)->count;
    double *power = darc_calloc(names, sizeof *power);
    add_powers(power, id->function->num + k, id, 1);
    add_powers(power, id->function->den + k, id, -1);
    darc_model_unit_of(unit, s->model, power, 0);
    darc_free(power);
    return darc_text_take(unit);
}

/* A function that is a parameter stands among these. */
static bool is_single(const darc_identification_struct *id, int k)
{
    return fmpz_mpoly_length(id->function->num + k, id->ctx) == 1 &&
           fmpz_mpoly_total_degree_si(id->function->num + k, id->ctx) == 1 &&
           fmpz_mpoly_is_fmpz(id->function->den + k, id->ctx);
}

char *darc_session_function(const darc_session *s, int k)
{
    darc_text_t name = DARC_TEXT;
    if (k < s->id->vars)
        darc_text_puts(name, s->id->name[k]);
    else if (is_single(s->id, k - (int)s->id->vars))
        return NULL;
    else
        darc_identification_print(name, s->id, k - s->id->vars);
    char *said = darc_session_say(s, name->s);
    darc_text_clear(name);
    return said;
}

/* Whether a unit is that of a mass, or of a moment of inertia. */
static bool is_mass(const char *text)
{
    static const double mass[DARC_UNIT_BASES] = {[1] = 1};
    static const double inertia[DARC_UNIT_BASES] = {2, 1};
    darc_unit unit;
    return text != NULL && text[0] != '\0' && darc_unit_read(&unit, text) &&
           (darc_unit_same(unit.power, mass) ||
            darc_unit_same(unit.power, inertia));
}

/* Tell of a mass that is less than nothing for certain. */
static void note_negative(darc_session *s, const darc_estimate *v)
{
    if (v->high_a < 0 && !(v->high_b >= 0) && is_mass(v->unit))
        darc_session_note(s,
                          "%s = %.3g %s is less than 0, as no mass is: a "
                          "signal may have the wrong sign (--scale NAME=-1), "
                          "or the equations have",
                          v->function, v->value_a, v->unit);
}

void darc_session_take_values(darc_session *s, const darc_values *a,
                              const darc_values *b)
{
    s->value = darc_calloc((size_t)a->functions + 1, sizeof *s->value);
    for (int k = 0; k < a->functions; k++) {
        const darc_value *v = a->value + k, *w = b != NULL ? b->value + k : v;
        char *name = v->known && w->known ? darc_session_function(s, k) : NULL;
        if (name == NULL)
            continue;
        s->value[s->values++] =
            (darc_estimate){.function = name,
                            .value_a = v->value,
                            .sd_a = v->sd,
                            .low_a = v->low,
                            .high_a = v->high,
                            .value_b = b != NULL ? w->value : NAN,
                            .sd_b = b != NULL ? w->sd : NAN,
                            .low_b = b != NULL ? w->low : NAN,
                            .high_b = b != NULL ? w->high : NAN,
                            .unit = unit_of(s, k),
                            .local = v->local};
        if (k < s->id->vars)
            note_negative(s, &s->value[s->values - 1]);
    }
}

void darc_session_forget_values(darc_session *s)
{
    for (int i = 0; i < s->values; i++)
        DARC_FREE(s->value[i].function, s->value[i].unit);
    DARC_ALL(darc_overlay_clear, s->overlay, s->overlays);
    darc_free(s->overlay);
    s->overlay = NULL;
    s->overlays = 0;
    s->overlaid = false;
    DARC_FREE(s->value, s->profile);
    s->value = NULL;
    s->profile = NULL;
    s->values = s->profiles = 0;
}

/* What drives the model: outputs that no equation is about, derived signals. */
static bool *list_drivers(const darc_session *s)
{
    const darc_names_struct *names = darc_model_names(s->model);
    bool *drives = darc_calloc((size_t)names->count, sizeof *drives);
    for (int u = 0; u < names->count; u++)
        drives[u] = names->symbol[u].kind == DARC_OUTPUT ||
                    darc_derived_expr(s->model, u) != NULL;
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
    DARC_FILL(value, names->count, 1);
    for (int k = 0; k < own->count; k++) {
        const char *name = own->symbol[k].name;
        int u = darc_names_find(names, name, strlen(name));
        if (u < 0)
            continue;
        between[u] = s->hold[k]                               ? DARC_HELD
                     : darc_derived_expr(s->model, k) != NULL ? DARC_STRAIGHT
                                                              : DARC_SMOOTH;
        for (int i = 0; i < v->vars; i++)
            if (v->unknown[i] == k)
                value[u] = v->theta[i];
    }
}

static darc_status append_overlay(darc_session *s, const darc_values *v, int i,
                                  darc_err *err)
{
    darc_status status;
    const darc_table *t = s->table[i];
    bool *drives = list_drivers(s);
    darc_between *between = NULL;
    double *value = NULL;
    darc_model *model = NULL;
    darc_segment part = darc_table_longest(t);
    DARC_TRY(darc_model_refuse_late(s->model, "overlays", err));
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
    DARC_CALLOC(names, value, between);
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
    DARC_FREE(drives, value, between);
    return status;
}

void darc_session_overlay(darc_session *s, const darc_values *v, int i)
{
    darc_err why = {DARC_OK, ""};
    if (!s->set.overlay)
        return;
    s->overlaid = true;
    if (append_overlay(s, v, i, &why) != DARC_OK)
        darc_session_note(s, "%s: no overlay: %s", s->table[i]->file,
                          why.message);
}

int *darc_session_ask(darc_question *x, const darc_session *s,
                      darc_criteria *by)
{
    darc_session_criteria(by, s);
    int equations = s->io->count + s->free;
    int *equation = darc_calloc((size_t)equations, sizeof *equation);
    for (int e = 0; e < equations; e++)
        equation[e] = e;
    *x = (darc_question){.model = s->model,
                         .io = s->io,
                         .equations = equations,
                         .equation = equation,
                         .lost = s->lost.parameters,
                         .by = by,
                         .budget = s->budget};
    return equation;
}

void darc_session_listen(void *user, const darc_estimates *a,
                         const darc_estimates *b)
{
    darc_session *s = user;
    darc_question x;
    darc_criteria by;
    darc_values of[2] = {{0}};
    darc_status refused = DARC_OK;
    darc_err why = {DARC_OK, ""};
    const darc_estimates *e[] = {a, b};
    int *equation = darc_session_ask(&x, s, &by);
    x.equations = a->equations;
    darc_status status = a->equations >= s->io->count ? DARC_OK : DARC_DOMAIN;
    if (status == DARC_OK)
        darc_session_forget_values(s); /* of another reading */
    DARC_THEN(darc_session_identify(s, NULL));
    for (int i = 0; i < (b != NULL ? 2 : 1) && status == DARC_OK; i++)
        status = refused =
            i == 0 ? darc_values_init(of, &x, s->id, e, 1, &why)
                   : darc_values_init_beside(of + 1, &x, s->id, b, of, &why);
    for (int i = 0; i < (b != NULL ? 2 : 1) && status == DARC_OK; i++)
        darc_session_overlay(s, of + i, i);
    if (status == DARC_OK)
        darc_session_take_values(s, of, b != NULL ? of + 1 : NULL);
    if (refused == DARC_DOMAIN) {
        s->values = -1;
        darc_session_note(s, "no values: %s", why.message);
    }
    DARC_ALL(darc_values_clear, of, 2);
    darc_free(equation);
}
