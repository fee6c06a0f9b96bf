#include "simulate/setup.h"

#include "model/derived.h"
#include "simulate/adjoined.h"
#include "simulate/thresholds.h"
#include "syntax/suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static darc_status read_number(double *x, const char *text, const char *name,
                               darc_err *err)
{
    char *end;
    *x = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*x))
        return darc_fail(err, DARC_MODEL,
                         "the value of '%s' is not a number: '%s'", name, text);
    return DARC_OK;
}

static const char *const kind_name[] = {[DARC_STATE] = "state",
                                        [DARC_PARAMETER] = "parameter",
                                        [DARC_OUTPUT] = "output",
                                        [DARC_INPUT] = "input",
                                        [DARC_TIME] = "time"};

/* Refuse settings of names that are not of that kind, or given twice. */
static darc_status check_names(const darc_settings *s,
                               const darc_names_struct *names, darc_kind kind,
                               darc_err *err)
{
    for (int i = 0; i < s->count; i++) {
        int u = darc_names_find(names, s->name[i], strlen(s->name[i]));
        if (u < 0 || names->symbol[u].kind != kind) {
            darc_suggestion near;
            darc_suggestion_init(&near, s->name[i]);
            for (int v = 0; v < names->count; v++)
                if (names->symbol[v].kind == kind)
                    darc_suggestion_offer(&near, names->symbol[v].name);
            return darc_fail(err, DARC_MODEL, "the model has no %s '%s'%s",
                             kind_name[kind], s->name[i],
                             darc_suggestion_text(&near));
        }
        if (darc_settings_find(s, s->name[i]) != i)
            return darc_fail(err, DARC_MODEL, "%s '%s' is given twice",
                             kind_name[kind], s->name[i]);
    }
    return DARC_OK;
}

/* Fail with the names of that kind that have no setting, and their units. */
static darc_status check_complete(const darc_settings *s,
                                  const darc_model *model, darc_kind kind,
                                  const char *option, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    darc_text_t list;
    darc_text_init(list);
    for (int u = 0; u < names->count; u++) {
        const char *name = names->symbol[u].name;
        if (names->symbol[u].kind != kind || darc_settings_find(s, name) >= 0 ||
            darc_is_adjoined(model, u) || darc_derived_find(model, u) >= 0)
            continue;
        const char *unit = darc_model_unit(model, u);
        darc_text_puts(list, list->len > 0 ? ", " : "");
        darc_text_printf(list, unit[0] != '\0' ? "%s [%s]" : "%s", name, unit);
    }
    darc_status status = DARC_OK;
    if (list->len > 0)
        status = darc_fail(
            err, DARC_MODEL, "%ss without a %s: %s (%s)", kind_name[kind],
            kind == DARC_INPUT ? "signal" : "value", list->s, option);
    darc_text_clear(list);
    return status;
}

double darc_setup_samples(const darc_simulate_options *o)
{
    double n = o->t_end * o->rate, whole = round(n);
    n = fabs(n - whole) <= DARC_WHOLE_PERIODS * whole ? whole : ceil(n);
    return fmax(n, 1);
}

darc_status darc_setup_parameters(double *value, const darc_model *model,
                                  const darc_settings *param, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    DARC_NEED(check_names(param, names, DARC_PARAMETER, err));
    DARC_NEED(check_complete(param, model, DARC_PARAMETER,
                             "--param NAME=VALUE,...", err));
    for (int u = 0; u < names->count; u++) {
        const char *name = names->symbol[u].name;
        if (names->symbol[u].kind != DARC_PARAMETER ||
            darc_is_adjoined(model, u))
            continue;
        const char *text = param->value[darc_settings_find(param, name)];
        DARC_NEED(read_number(value + u, text, name, err));
    }
    return darc_adjoined_parameters(value, model, err);
}

static darc_status check_wave(const darc_wave *wave, const char *name,
                              int order, const darc_simulate_options *o,
                              darc_err *err)
{
    if (order > darc_wave_order(wave))
        return darc_fail(err, DARC_MODEL,
                         "input '%s': the model needs its derivative %d, the "
                         "signal given has %d (a file, being interpolated by "
                         "a cubic spline, has two, a step none)",
                         name, order, darc_wave_order(wave));
    double from, to;
    darc_wave_span(wave, &from, &to);
    double last = (darc_setup_samples(o) - 1) / o->rate;
    double slack = DARC_TIME_SLACK / o->rate;
    if (from > slack || to < last - slack)
        return darc_fail(err, DARC_MODEL,
                         "input '%s': the recording covers %g .. %g s, the "
                         "simulation 0 .. %g s",
                         name, from, to, last);
    return DARC_OK;
}

darc_status darc_setup_inputs(darc_plant *plant, const darc_model *model,
                              const darc_simulate_options *o, darc_err *err)
{
    const darc_names_struct *names = plant->names;
    darc_signals *s = &plant->signals;
    DARC_NEED(check_names(&o->input, names, DARC_INPUT, err));
    DARC_NEED(check_names(&o->map, names, DARC_INPUT, err));
    DARC_NEED(check_complete(&o->input, model, DARC_INPUT,
                             "--input NAME=SIGNAL", err));
    uint64_t stream = 0;
    for (int u = 0; u < names->count; u++) {
        const char *name = names->symbol[u].name;
        if (names->symbol[u].kind != DARC_INPUT ||
            darc_derived_find(model, u) >= 0)
            continue;
        const char *spec = o->input.value[darc_settings_find(&o->input, name)];
        int map = darc_settings_find(&o->map, name);
        darc_wave_source from = {name, map < 0 ? NULL : o->map.value[map],
                                 o->seed, ++stream};
        DARC_NEED(darc_wave_new(s->wave + u, spec, &from, err));
        DARC_NEED(check_wave(s->wave[u], name, s->order[u], o, err));
    }
    return DARC_OK;
}

/* Set *u and *k to the derivative written as x, x', x'', ...; return false
 * when there is no such unknown. */
static bool read_derivative(int *u, int *k, const darc_names_struct *names,
                            const char *text)
{
    size_t n = strcspn(text, "'");
    *u = darc_names_find(names, text, n);
    *k = (int)strspn(text + n, "'");
    return *u >= 0 && text[n + (size_t)*k] == '\0';
}

static darc_status set_state(double *y, double *dy, const darc_plant *plant,
                             const char *name, double x, darc_err *err)
{
    int u, k;
    const darc_layout *l = &plant->layout;
    bool known = read_derivative(&u, &k, plant->names, name) && l->count[u] > 0;
    if (known && k < l->count[u]) {
        y[l->first[u] + k] = x;
        if (k > 0)
            dy[l->first[u] + k - 1] = x;
        return DARC_OK;
    }
    if (known && plant->implicit && k == l->count[u]) {
        dy[l->first[u] + k - 1] = x;
        return DARC_OK;
    }
    darc_text_t list;
    darc_text_init(list);
    for (int v = 0; v < plant->names->count; v++)
        for (int i = 0; i < l->count[v]; i++) {
            darc_text_puts(list, list->len > 0 ? ", " : "");
            darc_deriv_print(list, (darc_deriv){v, i}, plant->names);
        }
    darc_status status = darc_fail(err, DARC_MODEL,
                                   "'%s' has no initial value; those that "
                                   "have one: %s",
                                   name, list->len > 0 ? list->s : "none");
    darc_text_clear(list);
    return status;
}

darc_status darc_setup_states(double *y, double *dy, const darc_plant *plant,
                              const darc_settings *init, darc_err *err)
{
    memset(y, 0, (size_t)plant->layout.n * sizeof *y);
    memset(dy, 0, (size_t)plant->layout.n * sizeof *dy);
    for (int i = 0; i < init->count; i++) {
        double x;
        DARC_NEED(read_number(&x, init->value[i], init->name[i], err));
        DARC_NEED(set_state(y, dy, plant, init->name[i], x, err));
    }
    return DARC_OK;
}
