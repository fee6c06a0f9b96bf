#include "simulate/adjoined.h"

#include "model/model.h"
#include "simulate/thresholds.h"

#include <math.h>

bool darc_is_adjoined(const darc_model *model, int u)
{
    for (int i = 0; i < darc_adjoined_count(model); i++)
        if (darc_adjoined_unknown(model, i) == u)
            return true;
    return false;
}

/* Where values come from; plant is NULL while there are parameters only. */
typedef struct {
    const darc_names_struct *names;
    const double *value; /* of parameters */
    const darc_plant *plant;
    const double *y;
    double t; /* s */
} start;

static double start_value(void *user, darc_deriv d)
{
    const start *s = user;
    int u = d.unknown;
    switch (s->names->symbol[u].kind) {
    case DARC_PARAMETER:
        return s->value[u];
    case DARC_TIME:
        return d.order == 0 ? s->t : d.order == 1;
    case DARC_INPUT:
        return d.order <= s->plant->signals.order[u]
                   ? s->plant->signals.value[u][d.order]
                   : NAN;
    default:
        return d.order < s->plant->layout.count[u]
                   ? s->y[s->plant->layout.first[u] + d.order]
                   : NAN;
    }
}

static darc_status no_value(const darc_model *model, int i, const char *hint,
                            darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    darc_expr_print(text, darc_adjoined_expr(model, i));
    int u = darc_adjoined_unknown(model, i);
    darc_status status =
        darc_fail(err, DARC_MODEL, "'%s', which stands for %s, has no value%s",
                  darc_model_names(model)->symbol[u].name, text->s, hint);
    darc_text_clear(text);
    return status;
}

darc_status darc_adjoined_parameters(double *value, const darc_model *model,
                                     darc_err *err)
{
    start s = {.names = darc_model_names(model), .value = value};
    for (int i = 0; i < darc_adjoined_count(model); i++) {
        int u = darc_adjoined_unknown(model, i);
        if (s.names->symbol[u].kind != DARC_PARAMETER)
            continue;
        value[u] =
            darc_expr_eval(darc_adjoined_expr(model, i), start_value, &s);
        if (!isfinite(value[u]))
            return no_value(model, i, " for these parameters", err);
    }
    return DARC_OK;
}

/* Set *x to the value of the function that unknown *u, the i-th adjoined,
 * stands for; false where u is no state that the plant integrates from it.  An
 * integral is what it has become, 0 at the start. */
static bool state_value(int *u, double *x, start *s, int i,
                        const darc_adjoined_source *from)
{
    const darc_plant *plant = s->plant;
    *u = darc_adjoined_unknown(from->model, i);
    if (s->names->symbol[*u].kind != DARC_STATE ||
        plant->layout.count[*u] == 0 ||
        darc_settings_find(from->init, s->names->symbol[*u].name) >= 0)
        return false;
    const darc_expr *e = darc_adjoined_expr(from->model, i);
    bool integral = darc_expr_get_kind(e) == DARC_EXPR_CALL &&
                    e->function == DARC_FUNCTION_INT;
    *x = integral ? s->y[plant->layout.first[*u]]
                  : darc_expr_eval(e, start_value, s);
    return true;
}

darc_status darc_adjoined_states(double *y, darc_plant *plant,
                                 const darc_adjoined_source *from,
                                 darc_err *err)
{
    int u;
    double x;
    darc_signals_set(&plant->signals, 0);
    start s = {plant->names, from->value, plant, y, 0};
    for (int i = 0; i < darc_adjoined_count(from->model); i++) {
        if (!state_value(&u, &x, &s, i, from))
            continue;
        if (!isfinite(x))
            return no_value(from->model, i,
                            " at the start; give other initial values or its "
                            "own by --init",
                            err);
        y[plant->layout.first[u]] = x;
    }
    return DARC_OK;
}

static void restore(const darc_plant *plant, double t, double *y, void *user)
{
    int u;
    double x;
    const darc_adjoined_source *from = user;
    start s = {plant->names, from->value, plant, y, t};
    for (int i = 0; i < darc_adjoined_count(from->model); i++)
        if (state_value(&u, &x, &s, i, from) && isfinite(x))
            y[plant->layout.first[u]] = x;
}

void darc_adjoined_keep(darc_adjoined_source *source, darc_plant *plant)
{
    if (darc_adjoined_count(source->model) > 0)
        darc_plant_keep(plant, restore, source);
}

darc_status darc_adjoined_check(const darc_plant *plant, double t,
                                const double *y,
                                const darc_adjoined_source *from, darc_err *err)
{
    int u;
    double x;
    start s = {plant->names, from->value, plant, y, t};
    for (int i = 0; i < darc_adjoined_count(from->model); i++) {
        if (!state_value(&u, &x, &s, i, from) ||
            fabs(x - y[plant->layout.first[u]]) <=
                DARC_MOST_DEVIATION * (1 + fabs(x))) /* not where x is nan */
            continue;
        darc_text_t text = DARC_TEXT;
        darc_expr_print(text, darc_adjoined_expr(from->model, i));
        darc_status status = darc_fail(
            err, DARC_DOMAIN,
            "the solution leaves the domain of %s before t = %g s: give other "
            "inputs, initial values or parameters, or an earlier end",
            text->s, t);
        darc_text_clear(text);
        return status;
    }
    return DARC_OK;
}
