#include "darc/fulfil.h"

#include "base/mem.h"
#include "fulfil/meeting.h"
#include "fulfil/nearest.h"
#include "library/result.h"
#include "model/model.h"
#include "page/page.h"
#include "report/report.h"
#include "session/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    darc_meeting by; /* first: what the caller sees is its first */
    const darc_options *options;
    bool has_nearest;
    darc_nearest nearest; /* over the band of the options, and */
    char **name; /* of its parameters of the target that the model has; owned */
} task;

static int find_parameter(const darc_model *model, const char *name)
{
    const darc_names_struct *names = darc_model_names(model);
    int u = darc_names_find(names, name, strlen(name));
    return u >= 0 && names->symbol[u].kind == DARC_PARAMETER ? u : -1;
}

/* Set the models, with the numbers of --param in both. */
static darc_status set_models(task *t, const darc_model *const *given,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    darc_pairs p;
    darc_option_pairs(&p, t->options, DARC_OPT_PARAM);
    for (int i = 0; i < p.count; i++) {
        char *end;
        if (!isfinite(strtod(p.value[i], &end)) || *end != '\0')
            DARC_TRY(darc_fail(err, DARC_USAGE,
                               "--param: '%s' of '%s' is not a number",
                               p.value[i], p.name[i]));
        if (find_parameter(given[0], p.name[i]) < 0 &&
            find_parameter(given[1], p.name[i]) < 0)
            DARC_TRY(darc_fail(err, DARC_USAGE,
                               "--param: '%s' is a parameter of neither model",
                               p.name[i]));
    }
    for (int k = 0; k < 2; k++) {
        size_t n = (size_t)darc_model_names(given[k])->count + 1;
        const char **value = darc_calloc(n, sizeof *value);
        for (int i = 0; i < p.count; i++)
            if (find_parameter(given[k], p.name[i]) >= 0)
                value[find_parameter(given[k], p.name[i])] = p.value[i];
        status = darc_model_fix(&t->by.model[k], given[k], value, err);
        darc_free((void *)value);
        DARC_TRY(status);
    }
done:
    darc_pairs_clear(&p);
    return status;
}

/* Mark what a name of --free stands for: a parameter of the model, or else of
 * the target. */
static bool mark_free(task *t, const char *name)
{
    static const char suffix[] = "_target";
    size_t n = strlen(name), less = n - (sizeof suffix - 1);
    int k = find_parameter(t->by.model[0], name) >= 0 ? 0 : 1;
    int u = find_parameter(t->by.model[k], name);
    if (u < 0 && n >= sizeof suffix && strcmp(name + less, suffix) == 0) {
        char *base = darc_strndup(name, less);
        u = find_parameter(t->by.model[1], base);
        darc_free(base);
    }
    if (u >= 0)
        t->by.free[k][u] = true;
    return u >= 0;
}

/* Mark what is sought: the names of --free, else all parameters of the model.
 */
static darc_status set_free(task *t, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_pairs p, numbers;
    darc_option_pairs(&p, t->options, DARC_OPT_FREE);
    darc_option_pairs(&numbers, t->options, DARC_OPT_PARAM);
    for (int k = 0; k < 2; k++) {
        const darc_names_struct *names = darc_model_names(t->by.model[k]);
        t->by.free[k] = darc_calloc((size_t)names->count + 1, sizeof(bool));
        for (int u = 0; u < names->count && k == 0 && p.count == 0; u++)
            t->by.free[k][u] = names->symbol[u].kind == DARC_PARAMETER;
    }
    for (int i = 0; i < p.count && status == DARC_OK; i++)
        if (!mark_free(t, p.name[i]))
            status =
                darc_fail(err, DARC_USAGE,
                          darc_pairs_has(&numbers, p.name[i])
                              ? "--free: '%s' has a number, by --param"
                              : "--free: '%s' is a parameter of neither model",
                          p.name[i]);
    DARC_EACH(darc_pairs_clear, &p, &numbers);
    return status;
}

/* Are numbers there for all that is not sought? */
static darc_status check_numbers(darc_model *const model[2],
                                 bool *const sought[2], darc_err *err)
{
    for (int k = 0; k < 2; k++) {
        const darc_names_struct *names = darc_model_names(model[k]);
        for (int u = 0; u < names->count; u++)
            if (names->symbol[u].kind == DARC_PARAMETER && !sought[k][u])
                return darc_fail(err, DARC_USAGE,
                                 "--band: '%s' of %s needs a number, as "
                                 "--param %s=..., or is to be sought, with "
                                 "--free",
                                 names->symbol[u].name,
                                 darc_model_file(model[k]),
                                 names->symbol[u].name);
    }
    return DARC_OK;
}

/* Set the band and the tolerance of the options; NAN where none is given. */
static darc_status set_band(darc_fulfilled *s, const darc_options *o,
                            darc_model *const model[2], bool *const sought[2],
                            darc_err *err)
{
    const char *text = darc_option_text(o, DARC_OPT_BAND);
    char *end;
    s->low_hz = s->high_hz = s->defect = NAN;
    s->tolerance = darc_option_real(o, DARC_OPT_TOLERANCE);
    if (text == NULL)
        return !darc_option_given(o, DARC_OPT_TOLERANCE)
                   ? DARC_OK
                   : darc_fail(err, DARC_USAGE,
                               "--tolerance: a deviation needs frequencies; "
                               "add --band HZ0,HZ1");
    s->low_hz = strtod(text, &end);
    s->high_hz = *end == ',' ? strtod(end + 1, &end) : NAN;
    if (*end != '\0' || !(s->low_hz > 0 && s->high_hz > s->low_hz) ||
        !isfinite(s->high_hz))
        return darc_fail(err, DARC_USAGE,
                         "--band: '%s' is not two frequencies HZ0,HZ1 with "
                         "0 < HZ0 < HZ1",
                         text);
    return check_numbers(model, sought, err);
}

/* Set the verdict by what is nearest, where there is a tolerance. */
static void judge_band(darc_fulfilled *s, const darc_nearest *n)
{
    if (s->tolerance == 0)
        return;
    s->verdict = n->within         ? DARC_IS_FULFILLED
                 : n->none != NULL ? DARC_IS_IMPOSSIBLE
                                   : DARC_IS_OPEN;
    s->certificate = n->none != NULL ? darc_strdup(n->none) : NULL;
    s->reason =
        n->within ? "the nearest behaviour is stable, and within the tolerance "
                    "in all of the band"
        : n->none != NULL
            ? "whatever the parameters are, some frequency of the band exceeds "
              "the tolerance"
        : isnan(n->defect) ? "no parameters were found with a response"
        : !n->stable
            ? "the nearest behaviour found is not stable, or divides by 0"
        : n->defect > s->tolerance
            ? "the nearest behaviour found misses the target by more than the "
              "tolerance; no proof that none is nearer"
            : "that no frequency of the band exceeds the tolerance is not "
              "proved";
}

/* Does a response, or what may not vanish, depend on parameter v? */
static bool occurs(const darc_transfer *r, int v)
{
    bool any = false;
    for (int k = 0; k < r->terms; k++)
        any = any || r->power[k * r->parameters + v] > 0;
    return any;
}

/* List the parameters of both models, those of the target behind. */
static void list_nearest(task *t)
{
    const darc_nearest *n = &t->nearest;
    int own = n->of[0].parameters, all = own + n->of[1].parameters;
    t->by.shown.parameters = all;
    t->by.shown.parameter = t->by.parameter =
        darc_calloc((size_t)all + 1, sizeof *t->by.parameter);
    t->name = darc_calloc((size_t)all + 1, sizeof *t->name);
    for (int v = 0; v < all; v++) {
        const darc_transfer *r = &n->of[v < own ? 0 : 1];
        int at = v < own ? v : v - own;
        const char *name = r->parameter[at];
        if (v >= own && find_parameter(t->by.model[0], name) >= 0)
            name = t->name[v] = darc_text_of("%s_target", name);
        t->by.parameter[v] = (darc_fulfilling){
            name, NULL, false, occurs(r, at) ? n->value[v] : NAN};
    }
}

static darc_status set_nearest(task *t, darc_err *err)
{
    darc_fulfilled *s = &t->by.shown;
    darc_nearest *n = &t->nearest;
    *n = (darc_nearest){
        .low = s->low_hz,
        .high = s->high_hz,
        .tolerance = s->tolerance,
        .seed = (uint64_t)darc_option_whole(t->options, DARC_OPT_SEED)};
    DARC_NEED(darc_nearest_find(n, t->by.model[0], t->by.model[1], t->by.budget,
                                err));
    t->has_nearest = true;
    darc_meeting_forget(&t->by);
    list_nearest(t);
    s->defect = n->defect;
    s->defect_hz = n->hz;
    s->defect_output = n->of[1].output[n->output];
    s->defect_input = n->of[1].input[n->input];
    s->stable = n->stable;
    judge_band(s, n);
    return DARC_OK;
}

static darc_status fulfil(void *result, const darc_request *q,
                          const darc_budget *budget, darc_err *err)
{
    task *t = result;
    darc_fulfilled *s = &t->by.shown;
    t->options = q->options;
    t->by.budget = budget;
    DARC_NEED(set_models(t, q->model, err));
    s->command_line = t->options->command_line;
    s->model_name = darc_model_name(t->by.model[0]);
    s->model_file = darc_model_file(t->by.model[0]);
    s->target_name = darc_model_name(t->by.model[1]);
    s->target_file = darc_model_file(t->by.model[1]);
    DARC_NEED(set_free(t, err));
    DARC_NEED(set_band(s, t->options, t->by.model, t->by.free, err));
    if (s->tolerance == 0)
        DARC_NEED(darc_meeting_decide(&t->by, err));
    if (isnan(s->low_hz))
        return DARC_OK;
    if (s->verdict != DARC_IS_FULFILLED || s->tolerance != 0)
        return set_nearest(t, err);
    s->defect = 0;
    return DARC_OK;
}

static void clear_task(void *result)
{
    task *t = result;
    for (int v = 0; v < t->by.shown.parameters && t->name != NULL; v++)
        darc_free(t->name[v]);
    darc_free(t->name);
    if (t->has_nearest)
        darc_nearest_clear(&t->nearest);
    darc_meeting_clear(&t->by);
}

static void put_task(darc_text_t out, void *result, const char *format)
{
    task *t = result;
    const darc_fulfilled *found = &t->by.shown;
    darc_page page;
    if (*format == 'j') {
        darc_fulfilment_json(out, found);
    } else if (*format == 't') {
        darc_fulfilment_print(out, found,
                              darc_option_given(t->options, DARC_OPT_QUIET));
    } else {
        darc_settings_page(&page, t->options, format);
        darc_page_fulfilment(out, found, t->has_nearest ? &t->nearest : NULL,
                             &page);
        darc_settings_clear(&page);
    }
}

darc_status darc_fulfil(darc_fulfilled **found, const darc_model *model,
                        const darc_model *target, const darc_options *options,
                        const darc_budget *budget, darc_err *err)
{
    static const darc_result_kind kind =
        DARC_RESULT_KIND(task, FULFIL, fulfil, darc_carry_fulfilled, NULL,
                         put_task, clear_task, DARC_RESULT_PAGED);
    return darc_result_new(found, &kind,
                           &(darc_request){{model, target}, options, NULL},
                           budget, err);
}

DARC_RESULT_OF(darc_fulfilled, darc_fulfilled)
