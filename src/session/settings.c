#include "session/settings.h"

#include "base/mem.h"
#include "data/thresholds.h"
#include "session/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void darc_session_settings_init(darc_session_settings *o)
{
    *o = (darc_session_settings){.method = DARC_METHOD_AUTO,
                                 .alpha = 0.01,
                                 .engine = DARC_ENGINE_AUTO,
                                 .seed = 1,
                                 .diff = "central4"};
    darc_load_options_init(&o->load);
}

static darc_status check_name(const char *option, const char *name,
                              const darc_names_struct *names, darc_err *err)
{
    if (names == NULL || darc_names_find(names, name, strlen(name)) >= 0)
        return DARC_OK;
    return darc_fail(err, DARC_USAGE,
                     "%s: the model has no signal '%s'; write %s", option, name,
                     strcmp(option, "--hold") == 0 ? "names of the model"
                                                   : "MODEL-NAME=VALUE");
}

/* Set *x to the numbers of pairs of an option. */
static darc_status read_numbers(double **x, const darc_pairs *p,
                                const char *option,
                                const darc_names_struct *names, darc_err *err)
{
    *x = darc_calloc((size_t)p->count, sizeof **x);
    for (int i = 0; i < p->count; i++) {
        char *end;
        DARC_NEED(check_name(option, p->name[i], names, err));
        (*x)[i] = strtod(p->value[i], &end);
        if (end == p->value[i] || *end != '\0' || !isfinite((*x)[i]))
            return darc_fail(err, DARC_USAGE,
                             "%s: %s: expected a number, not '%s'", option,
                             p->name[i], p->value[i]);
    }
    return DARC_OK;
}

static darc_status
set_asked_signals(darc_asked *c, const darc_names_struct *names, darc_err *err)
{
    const darc_pairs *p = &c->noises, *h = &c->holds;
    darc_option_pairs(&c->noises, &c->options, DARC_OPT_NOISE);
    darc_option_pairs(&c->holds, &c->options, DARC_OPT_HOLD);
    DARC_NEED(read_numbers(&c->sd, p, "--noise", names, err));
    for (int i = 0; i < p->count; i++)
        if (c->sd[i] < 0)
            return darc_fail(err, DARC_USAGE,
                             "--noise: %s: a standard deviation is not "
                             "negative",
                             p->name[i]);
    for (int i = 0; i < h->count; i++)
        DARC_NEED(check_name("--hold", h->name[i], names, err));
    c->set.noises = p->count;
    c->set.noise_name = (const char *const *)p->name;
    c->set.noise_sd = c->sd;
    c->set.holds = h->count;
    c->set.hold = (const char *const *)h->name;
    darc_option_pairs(&c->starts, &c->options, DARC_OPT_KNOWN_START);
    DARC_NEED(read_numbers(&c->start, &c->starts, "--init", NULL, err));
    c->set.starts = c->starts.count;
    c->set.start_name = (const char *const *)c->starts.name;
    c->set.start = c->start;
    return DARC_OK;
}

static darc_status set_load(darc_asked *c, const darc_names_struct *names,
                            darc_err *err)
{
    const darc_options *o = &c->options;
    darc_load_options *load = &c->set.load;
    darc_option_pairs(&c->maps, o, DARC_OPT_MAP);
    load->time_column = darc_option_text(o, DARC_OPT_TIME);
    load->each = darc_option_text(o, DARC_OPT_EACH);
    static const darc_stamp_form form[] = {
        {0, 0, 0}, {'d', 0, 0}, {'m', 0, 0}, {0, 'h', 0}, {0, 'm', 0}};
    load->stamps = form[darc_option_choice(o, DARC_OPT_STAMPS)];
    double rate = darc_option_real(o, DARC_OPT_RATE);
    load->rate = isnan(rate) ? 0 : rate;
    load->from = darc_option_real(o, DARC_OPT_FROM);
    load->to = darc_option_real(o, DARC_OPT_TO);
    if (load->from >= load->to)
        return darc_fail(err, DARC_USAGE, "--from %g lies behind --to %g",
                         load->from, load->to);
    for (int i = 0; i < c->maps.count; i++)
        DARC_NEED(check_name("--map", c->maps.name[i], names, err));
    darc_option_pairs(&c->scales, o, DARC_OPT_SCALE);
    DARC_NEED(read_numbers(&c->factor, &c->scales, "--scale", names, err));
    for (int i = 0; i < c->scales.count; i++)
        if (c->factor[i] == 0)
            return darc_fail(err, DARC_USAGE, "--scale: %s: factor is 0",
                             c->scales.name[i]);
    load->maps = c->maps.count;
    load->map_name = (const char *const *)c->maps.name;
    load->map_column = (const char *const *)c->maps.value;
    load->scales = c->scales.count;
    load->scale_name = (const char *const *)c->scales.name;
    load->scale = c->factor;
    double memory =
        darc_option_real(o, DARC_OPT_MEMORY) * 1048576 * DARC_MEMORY_SHARE;
    load->memory =
        memory < (double)DARC_TABLE_MEMORY ? (size_t)memory : DARC_TABLE_MEMORY;
    if (o->command == DARC_CMD_COMPARE)
        darc_option_pairs(&c->columns, o, DARC_OPT_COLUMNS);
    if (c->columns.count > 0)
        darc_option_more_pairs(&c->columns, o, DARC_OPT_INPUTS);
    load->wanted = c->columns.count;
    load->want = (const char *const *)c->columns.name;
    if (darc_option_given(o, DARC_OPT_TABLE)) { /* one run a row */
        load->rate = 1;
        load->label_column = "run";
    }
    return DARC_OK;
}

/* What the session decides; the rest are outputs. */
static void set_decision(darc_session_settings *set, const darc_options *o)
{
    set->method = (darc_method)darc_option_choice(o, DARC_OPT_METHOD);
    set->alpha = darc_option_real(o, DARC_OPT_ALPHA);
    set->tolerance = darc_option_real(o, DARC_OPT_TOLERANCE);
    set->engine = (darc_engine)darc_option_choice(o, DARC_OPT_ENGINE);
    set->ranking = darc_option_text(o, DARC_OPT_RANKING);
    set->diff = darc_option_text(o, DARC_OPT_DIFF);
    set->changed = darc_option_text(o, DARC_OPT_CHANGED);
    set->against = darc_option_text(o, DARC_OPT_AGAINST);
    set->colour = (darc_assumption)darc_option_choice(o, DARC_OPT_NOISE_COLOUR);
    set->noise_file = darc_option_text(o, DARC_OPT_NOISE_FROM);
    set->seed = (unsigned long)darc_option_whole(o, DARC_OPT_SEED);
    set->threads = (int)darc_option_whole(o, DARC_OPT_THREADS);
    set->over_time = darc_option_given(o, DARC_OPT_OVER_TIME);
    set->overlay = darc_option_given(o, DARC_OPT_OVERLAY);
    set->series = darc_option_given(o, DARC_OPT_CSV) ||
                  darc_option_given(o, DARC_OPT_HTML) ||
                  darc_option_given(o, DARC_OPT_SVG);
}

darc_status darc_asked_init(darc_asked *c, const darc_model *model,
                            const darc_options *options, unsigned command,
                            darc_err *err)
{
    darc_status status;
    const darc_names_struct *names =
        model != NULL ? darc_model_names(model) : NULL;
    *c = (darc_asked){0};
    darc_options_copy(&c->options, options, command);
    darc_session_settings_init(&c->set);
    c->set.load.sparse = names == NULL; /* darc data */
    if (names != NULL) {
        set_decision(&c->set, &c->options);
        DARC_TRY(set_asked_signals(c, names, err));
        c->set.load.bridge = c->set.method != DARC_METHOD_POINTWISE &&
                             c->set.method != DARC_METHOD_TRAJECTORY;
    }
    DARC_TRY(set_load(c, names, err));
done:
    if (status != DARC_OK)
        darc_asked_clear(c);
    return status;
}

void darc_asked_clear(darc_asked *c)
{
    DARC_EACH(darc_pairs_clear, &c->maps, &c->scales, &c->noises, &c->holds,
              &c->columns, &c->starts);
    DARC_FREE(c->factor, c->sd, c->start);
    darc_options_clear(&c->options);
    *c = (darc_asked){0};
}

bool darc_settings_write(const char *format)
{
    return strcmp(format, "text") == 0 || strcmp(format, "json") == 0 ||
           strcmp(format, "html") == 0 || strcmp(format, "svg") == 0;
}

void darc_settings_page(darc_page *p, const darc_options *o, const char *format)
{
    darc_page_setting *list = darc_calloc(DARC_OPT_COUNT, sizeof *list);
    *p = (darc_page){.command_line = o->command_line,
                     .setting = list,
                     .accept = NAN,
                     .plots = strcmp(format, "svg") == 0};
    for (int i = 0; i < DARC_OPT_COUNT; i++) {
        const darc_option_row *row = darc_option_row_at(i);
        const char *value = darc_option_text(o, row->id);
        /* Where results go and how much is said does not bear on them. */
        if ((row->commands & o->command) != 0 && value != NULL &&
            i != DARC_OPT_JSON && i != DARC_OPT_HTML && i != DARC_OPT_CSV &&
            i != DARC_OPT_SVG && i != DARC_OPT_QUIET && i != DARC_OPT_VERBOSE &&
            i != DARC_OPT_NO_PROGRESS)
            list[p->settings++] = (darc_page_setting){
                row->name, value, darc_option_given(o, row->id)};
    }
}

void darc_settings_clear(darc_page *p)
{
    darc_free((void *)p->setting);
    *p = (darc_page){0};
}
