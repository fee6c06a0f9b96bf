#include "commands/recordings.h"

#include "base/mem.h"
#include "commands/results.h"
#include "commands/thresholds.h"
#include "data/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static darc_status check_name(const char *option, const char *name,
                              const darc_names_struct *names, darc_err *err)
{
    if (names == NULL || darc_names_find(names, name, strlen(name)) >= 0)
        return DARC_OK;
    return darc_fail(err, DARC_USAGE,
                     "%s: the model has no signal '%s'; write "
                     "MODEL-NAME=VALUE",
                     option, name);
}

static darc_status read_number(double *x, const char *option, const char *name,
                               const char *text, darc_err *err)
{
    char *end;
    *x = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*x))
        return DARC_OK;
    return darc_fail(err, DARC_USAGE, "%s: %s: expected a number, not '%s'",
                     option, name, text);
}

/* The names that options may use; NULL: any. */
static const darc_names_struct *names_of(const darc_run *r)
{
    return r->model != NULL ? darc_model_names(r->model) : NULL;
}

static darc_status set_scales(darc_run *r, darc_err *err)
{
    const darc_pairs *p = &r->scales;
    const darc_names_struct *names = names_of(r);
    r->factor = darc_calloc((size_t)p->count, sizeof *r->factor);
    for (int i = 0; i < p->count; i++) {
        DARC_NEED(check_name("--scale", p->name[i], names, err));
        DARC_NEED(read_number(&r->factor[i], "--scale", p->name[i], p->value[i],
                              err));
        if (r->factor[i] == 0)
            return darc_fail(err, DARC_USAGE, "--scale: %s: factor is 0",
                             p->name[i]);
    }
    return DARC_OK;
}

static darc_status set_noise(darc_run *r, darc_err *err)
{
    const darc_pairs *p = &r->noises;
    const darc_names_struct *names = darc_model_names(r->model);
    r->sd = darc_calloc((size_t)p->count, sizeof *r->sd);
    for (int i = 0; i < p->count; i++) {
        DARC_NEED(check_name("--noise", p->name[i], names, err));
        DARC_NEED(
            read_number(&r->sd[i], "--noise", p->name[i], p->value[i], err));
        if (r->sd[i] < 0)
            return darc_fail(err, DARC_USAGE,
                             "--noise: %s: a standard deviation is not "
                             "negative",
                             p->name[i]);
    }
    r->set.noises = p->count;
    r->set.noise_name = (const char *const *)p->name;
    r->set.noise_sd = r->sd;
    return DARC_OK;
}

static darc_status set_range(darc_load_options *load, const darc_options *o,
                             darc_err *err)
{
    load->time_column = darc_option_text(o, DARC_OPT_TIME);
    double rate = darc_option_real(o, DARC_OPT_RATE);
    load->rate = isnan(rate) ? 0 : rate;
    load->from = darc_option_real(o, DARC_OPT_FROM);
    load->to = darc_option_real(o, DARC_OPT_TO);
    if (load->from >= load->to)
        return darc_fail(err, DARC_USAGE, "--from %g lies behind --to %g",
                         load->from, load->to);
    return DARC_OK;
}

/* Return how many bytes of a recording stay in memory: a share of --memory, at
 * most DARC_TABLE_MEMORY. */
static size_t kept_in_memory(const darc_options *o)
{
    double megabytes = darc_option_real(o, DARC_OPT_MEMORY);
    double share = megabytes * 1048576 * DARC_MEMORY_SHARE;
    return share < (double)DARC_TABLE_MEMORY ? (size_t)share
                                             : DARC_TABLE_MEMORY;
}

static darc_status set_load(darc_run *r, const darc_options *o, darc_err *err)
{
    darc_load_options *load = &r->set.load;
    darc_option_pairs(&r->maps, o, DARC_OPT_MAP);
    darc_option_pairs(&r->scales, o, DARC_OPT_SCALE);
    DARC_NEED(set_range(load, o, err));
    for (int i = 0; i < r->maps.count; i++)
        DARC_NEED(check_name("--map", r->maps.name[i], names_of(r), err));
    DARC_NEED(set_scales(r, err));
    load->maps = r->maps.count;
    load->map_name = (const char *const *)r->maps.name;
    load->map_column = (const char *const *)r->maps.value;
    load->scales = r->scales.count;
    load->scale_name = (const char *const *)r->scales.name;
    load->scale = r->factor;
    load->memory = kept_in_memory(o);
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
    set->noise_file = darc_option_text(o, DARC_OPT_NOISE_FROM);
    set->threads = (int)darc_option_whole(o, DARC_OPT_THREADS);
    set->series = darc_option_given(o, DARC_OPT_CSV) ||
                  darc_option_given(o, DARC_OPT_HTML);
    set->verify = darc_option_given(o, DARC_OPT_VERBOSE);
}

darc_status darc_run_open(darc_run *r, const char *model_file,
                          const darc_options *o, const darc_budget *budget,
                          darc_err *err)
{
    darc_status status;
    *r = (darc_run){0};
    darc_session_settings_init(&r->set);
    DARC_TRY(darc_model_read(&r->model, model_file, err));
    darc_results_rewritten(o, r->model);
    set_decision(&r->set, o);
    darc_option_pairs(&r->noises, o, DARC_OPT_NOISE);
    DARC_TRY(set_noise(r, err));
    DARC_TRY(set_load(r, o, err));
    DARC_TRY(darc_session_new(&r->session, r->model, &r->set, budget, err));
done:
    if (status != DARC_OK)
        darc_run_close(r);
    return status;
}

darc_status darc_run_load(darc_run *r, const darc_options *o, darc_err *err)
{
    *r = (darc_run){0};
    darc_session_settings_init(&r->set);
    darc_status status = set_load(r, o, err);
    if (status != DARC_OK)
        darc_run_close(r);
    return status;
}

void darc_run_close(darc_run *r)
{
    darc_session_free(r->session);
    darc_model_free(r->model);
    darc_pairs_clear(&r->maps);
    darc_pairs_clear(&r->scales);
    darc_pairs_clear(&r->noises);
    darc_free(r->factor);
    darc_free(r->sd);
    *r = (darc_run){0};
}
