#include "simulate/simulate.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/suggest.h"
#include "simulate/curve.h"
#include "simulate/plant.h"
#include "simulate/run.h"
#include "simulate/thresholds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static darc_status read_number(double *x, const char *text, const char *name,
                               darc_err *err)
{
    char *end;
    *x = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*x))
        return darc_fail(err, DARC_USAGE,
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
            return darc_fail(err, DARC_USAGE, "the model has no %s '%s'%s",
                             kind_name[kind], s->name[i],
                             darc_suggestion_text(&near));
        }
        if (darc_settings_find(s, s->name[i]) != i)
            return darc_fail(err, DARC_USAGE, "%s '%s' is given twice",
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
    darc_text_t list = DARC_TEXT;
    for (int u = 0; u < names->count; u++) {
        const char *name = names->symbol[u].name;
        if (names->symbol[u].kind != kind || darc_settings_find(s, name) >= 0 ||
            darc_adjoined_find(model, u) >= 0 ||
            darc_derived_expr(model, u) != NULL ||
            (kind == DARC_PARAMETER && isfinite(darc_model_start(model, u))))
            continue;
        const char *unit = darc_model_unit(model, u);
        darc_text_puts(list, list->len > 0 ? ", " : "");
        darc_text_printf(list, unit[0] != '\0' ? "%s [%s]" : "%s", name, unit);
    }
    darc_status status = DARC_OK;
    if (list->len > 0)
        status = darc_fail(
            err, DARC_USAGE, "%ss without a %s: %s (%s)", kind_name[kind],
            kind == DARC_INPUT ? "signal" : "value", list->s, option);
    darc_text_clear(list);
    return status;
}

static darc_status setup_parameters(double *value, const darc_model *model,
                                    const darc_settings *param, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    DARC_NEED(check_names(param, names, DARC_PARAMETER, err));
    DARC_NEED(check_complete(param, model, DARC_PARAMETER,
                             "--param NAME=VALUE,...", err));
    for (int u = 0; u < names->count; u++) {
        const char *name = names->symbol[u].name;
        if (names->symbol[u].kind != DARC_PARAMETER ||
            darc_adjoined_find(model, u) >= 0)
            continue;
        int given = darc_settings_find(param, name);
        value[u] = darc_model_start(model, u);
        if (given >= 0)
            DARC_NEED(read_number(value + u, param->value[given], name, err));
    }
    return darc_adjoined_parameters(value, model, err);
}

/* Make the waves of all inputs, until the last sample. */
static darc_status setup_inputs(darc_plant *plant, const darc_model *model,
                                const darc_simulate_options *o, double last,
                                darc_err *err)
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
            darc_derived_expr(model, u) != NULL)
            continue;
        const char *spec = o->input.value[darc_settings_find(&o->input, name)];
        int map = darc_settings_find(&o->map, name);
        darc_wave_source from = {name, map < 0 ? NULL : o->map.value[map],
                                 o->seed, ++stream, darc_model_unit(model, u)};
        DARC_NEED(darc_wave_new(s->wave + u, spec, &from, err));
        bool doses = darc_wave_next_dose(s->wave[u], -HUGE_VAL) < HUGE_VAL;
        if (darc_is_dose(model, u))
            DARC_NEED(darc_wave_take_doses(s->wave[u], name, o->rate, err));
        else if (doses)
            return darc_fail(err, DARC_USAGE,
                             "input '%s' takes no doses: the model would say "
                             "'inputs %s dose', and which state takes them up "
                             "(x += %s)",
                             name, name, name);
        if (s->order[u] > darc_wave_order(s->wave[u]))
            return darc_fail(err, DARC_MODEL,
                             "input '%s': the model needs its derivative %d, "
                             "the signal given has %d (a file, being "
                             "interpolated by a cubic spline, has two, a step "
                             "none)",
                             name, s->order[u], darc_wave_order(s->wave[u]));
        double top = darc_wave_highest(s->wave[u], last);
        if (top > o->rate / 2)
            return darc_fail(
                err, DARC_USAGE,
                "input '%s': %s goes up to %.6g Hz, but %g samples "
                "per second show less than %g Hz; give a higher "
                "--rate or a lower frequency",
                name, spec, top, o->rate, o->rate / 2);
        double begin, end, slack = DARC_TIME_SLACK / o->rate;
        darc_wave_span(s->wave[u], &begin, &end);
        if (begin > slack || end < last - slack)
            return darc_fail(err, DARC_MODEL,
                             "input '%s': the recording covers %g .. %g s, the "
                             "simulation 0 .. %g s",
                             name, begin, end, last);
    }
    return DARC_OK;
}

static darc_status set_state(double *y, double *dy, const darc_plant *plant,
                             const char *name, double x, darc_err *err)
{
    const darc_layout *l = &plant->layout;
    size_t n = strcspn(name, "'"); /* x, x', x'', ... */
    int u = darc_names_find(plant->names, name, n);
    int k = (int)strspn(name + n, "'");
    bool known = u >= 0 && name[n + (size_t)k] == '\0' && l->count[u] > 0;
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
    darc_text_t list = DARC_TEXT;
    for (int v = 0; v < plant->names->count; v++)
        for (int i = 0; i < l->count[v]; i++) {
            darc_text_puts(list, list->len > 0 ? ", " : "");
            darc_deriv_print(list, (darc_deriv){v, i}, plant->names);
        }
    darc_status status = darc_fail(err, DARC_USAGE,
                                   "'%s' has no initial value; those that "
                                   "have one: %s",
                                   name, list->len > 0 ? list->s : "none");
    darc_text_clear(list);
    return status;
}

static darc_status setup_states(double *y, double *dy, const darc_plant *plant,
                                const darc_model *model,
                                const darc_settings *init, darc_err *err)
{
    for (int u = 0; u < plant->names->count; u++)
        if (plant->layout.count[u] > 0 && isfinite(darc_model_start(model, u)))
            y[plant->layout.first[u]] = darc_model_start(model, u);
    for (int i = 0; i < init->count; i++) {
        double x;
        DARC_NEED(read_number(&x, init->value[i], init->name[i], err));
        DARC_NEED(set_state(y, dy, plant, init->name[i], x, err));
    }
    return DARC_OK;
}

void darc_simulate_options_init(darc_simulate_options *o)
{
    *o = (darc_simulate_options){
        .t_end = 10, .rate = 1000, .seed = 1, .rtol = DARC_RTOL};
}

typedef struct {
    darc_plant *plant;
    darc_table *table;
    double *out; /* one value an output */
    const darc_adjoined_source *source;
} recorder;

static darc_status visit_record(void *user, size_t i, double t, const double *y,
                                darc_err *err)
{
    recorder *r = user;
    darc_plant *p = r->plant;
    DARC_NEED(darc_plant_outputs(p, t, y, r->out, err));
    darc_signals_set(&p->signals, t);
    DARC_NEED(darc_adjoined_check(p, t, y, r->source, err));
    int column = 0;
    for (int u = 0; u < p->names->count; u++)
        if (p->signals.wave[u] != NULL)
            r->table->signal[column++].value[i] =
                p->signals.value[u][0] + darc_wave_dose(p->signals.wave[u], t);
    for (int j = 0; j < p->outputs; j++)
        r->table->signal[column++].value[i] = r->out[j] + 0.0; /* no -0 */
    return DARC_OK;
}

static void add_columns(darc_table *table, const darc_model *model,
                        darc_kind kind)
{
    const darc_names_struct *names = darc_model_names(model);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == kind &&
            darc_derived_expr(model, u) == NULL)
            table->signal[table->signals++] = (darc_signal){
                .name = darc_strdup(names->symbol[u].name),
                .unit = darc_strdup(darc_model_unit(model, u)),
                .value = darc_calloc(table->samples, sizeof(double))};
}

static darc_table *new_table(const darc_model *model, size_t samples, double dt)
{
    darc_table *table = darc_calloc(1, sizeof *table);
    table->file = darc_strdup("simulation");
    table->samples = table->rows = samples;
    table->dt = dt;
    DARC_CALLOC((size_t)darc_model_names(model)->count, table->signal);
    add_columns(table, model, DARC_INPUT);
    add_columns(table, model, DARC_OUTPUT);
    darc_table_add_segment(table, 0, samples);
    return table;
}

/* Show what sensors show late; before the first sample, that. */
static void delay_outputs(darc_table *table, const darc_model *model,
                          const double *value)
{
    const darc_names_struct *names = darc_model_names(model);
    size_t n = table->samples;
    double *time = darc_calloc(n, sizeof *time), y[3];
    for (size_t i = 0; i < n; i++)
        time[i] = darc_table_time(table, i);
    for (int j = 0; j < table->signals && n > 1; j++) {
        const darc_signal *s = table->signal + j;
        int u = darc_names_find(names, s->name, strlen(s->name));
        double late = darc_model_late(model, u, value);
        darc_spline spline;
        if (late == 0)
            continue;
        darc_spline_init(&spline, time, s->value, n);
        for (size_t i = 0; i < n; i++) {
            double at = fmin(fmax(time[i] - late, time[0]), time[n - 1]);
            darc_spline_eval(&spline, at, y);
            s->value[i] = y[0];
        }
        darc_spline_clear(&spline);
    }
    darc_free(time);
}

/* Add noise * RMS times a normal number to every sample of output j; every
 * output has a stream of its own. */
static void add_output_noise(darc_table *table, int outputs, double noise,
                             uint64_t seed)
{
    for (int j = 0; j < outputs && noise > 0; j++) {
        double *x = table->signal[table->signals - outputs + j].value, sum = 0;
        for (size_t i = 0; i < table->samples; i++)
            sum += x[i] * x[i];
        double sd = noise * sqrt(sum / (double)table->samples);
        darc_random r;
        darc_random_init(&r, seed, UINT64_C(1000000) + (uint64_t)j);
        for (size_t i = 0; i < table->samples; i++)
            x[i] += sd * darc_random_normal(&r);
    }
}

/* Fill the table of rec. */
static darc_status record(recorder *rec, darc_run *r, darc_err *err)
{
    darc_status status;
    darc_err why = {DARC_OK, ""};
    size_t n = (size_t)r->plant->layout.n;
    r->atol = darc_calloc(n, sizeof *r->atol);
    rec->out = darc_calloc((size_t)r->plant->outputs, sizeof *rec->out);
    if (n > 0)
        DARC_TRY(darc_run_sizes(r, &why));
    status = darc_run_all(r, "simulating", visit_record, rec, &why);
done:
    if (status == DARC_DOMAIN && r->plant->lost != NULL)
        darc_fail(err, status,
                  "'%s' has no value at t = %.6g s: its argument lies outside "
                  "the table, or no real number comes of it",
                  r->plant->lost, r->plant->lost_at);
    else
        darc_fail_as(err, status, &why);
    DARC_FREE(r->atol, rec->out);
    return status;
}

darc_status darc_simulate(darc_table **table, const darc_model *model,
                          const darc_simulate_options *o,
                          const darc_budget *budget, darc_err *err)
{
    *table = NULL;
    darc_run r = {.rate = o->rate, .rtol = o->rtol, .budget = budget};
    assert(o->t_end > 0 && o->rate > 0 && o->noise >= 0);
    double all = o->t_end * o->rate, whole = round(all);
    all = fabs(all - whole) <= DARC_WHOLE_PERIODS * whole ? whole : ceil(all);
    all = fmax(all, 1);
    if (all > DARC_MAX_SAMPLES)
        return darc_fail(err, DARC_LIMIT,
                         "%.0f samples are more than the limit of %ld", all,
                         (long)DARC_MAX_SAMPLES);
    r.samples = (size_t)all;
    darc_status status;
    darc_plant plant;
    size_t names = (size_t)darc_model_names(model)->count;
    double *value = darc_calloc(names, sizeof *value), *y = NULL;
    bool made = false;
    DARC_TRY(setup_parameters(value, model, &o->param, err));
    DARC_TRY(darc_plant_init(&plant, model, value, err));
    made = true;
    DARC_TRY(setup_inputs(&plant, model, o, (all - 1) / o->rate, err));
    size_t n = (size_t)plant.layout.n;
    y = darc_calloc(2 * n, sizeof *y);
    DARC_TRY(setup_states(y, y + n, &plant, model, &o->init, err));
    darc_adjoined_source source = {model, value, &o->init};
    DARC_TRY(darc_adjoined_states(y, &plant, &source, err));
    darc_adjoined_keep(&source, &plant);
    r.plant = &plant;
    r.start = y;
    r.guess = y + n;
    *table = new_table(model, r.samples, 1 / r.rate);
    recorder rec = {.plant = &plant, .table = *table, .source = &source};
    DARC_TRY(record(&rec, &r, err));
    delay_outputs(*table, model, value);
    add_output_noise(*table, plant.outputs, o->noise, o->seed);
done:
    if (status != DARC_OK) {
        darc_table_free(*table);
        *table = NULL;
    }
    if (made)
        darc_plant_clear(&plant);
    DARC_FREE(value, y);
    return status;
}
