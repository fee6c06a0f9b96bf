#include "cli/recordings.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static darc_status check_name(const char *option, const char *name,
                              const darc_names_struct *names, darc_err *err)
{
    if (darc_names_find(names, name, strlen(name)) >= 0)
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

static darc_status set_scales(darc_recording_options *r,
                              const darc_names_struct *names, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_pairs *p = &r->scales;
    r->factor = darc_calloc((size_t)p->count, sizeof *r->factor);
    for (int i = 0; i < p->count; i++) {
        DARC_TRY(check_name("--scale", p->name[i], names, err));
        DARC_TRY(read_number(&r->factor[i], "--scale", p->name[i], p->value[i],
                             err));
        if (r->factor[i] == 0)
            DARC_TRY(darc_fail(err, DARC_USAGE, "--scale: %s: factor is 0",
                               p->name[i]));
    }
done:
    return status;
}

static void set_wanted(darc_recording_options *r,
                       const darc_names_struct *names, const bool *needed)
{
    r->want = darc_calloc((size_t)names->count, sizeof *r->want);
    for (int u = 0; u < names->count; u++)
        if (needed[u] && names->symbol[u].kind != DARC_TIME)
            r->want[r->load.wanted++] = names->symbol[u].name;
    r->load.want = r->want;
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

darc_status darc_recording_options_init(darc_recording_options *r,
                                        const darc_options *o,
                                        const darc_names_struct *names,
                                        const bool *needed, darc_err *err)
{
    darc_status status;
    *r = (darc_recording_options){0};
    darc_load_options_init(&r->load);
    darc_option_pairs(&r->maps, o, DARC_OPT_MAP);
    darc_option_pairs(&r->scales, o, DARC_OPT_SCALE);
    DARC_TRY(set_range(&r->load, o, err));
    for (int i = 0; i < r->maps.count; i++)
        DARC_TRY(check_name("--map", r->maps.name[i], names, err));
    DARC_TRY(set_scales(r, names, err));
    set_wanted(r, names, needed);
    r->load.maps = r->maps.count;
    r->load.map_name = (const char *const *)r->maps.name;
    r->load.map_column = (const char *const *)r->maps.value;
    r->load.scales = r->scales.count;
    r->load.scale_name = (const char *const *)r->scales.name;
    r->load.scale = r->factor;
done:
    if (status != DARC_OK)
        darc_recording_options_clear(r);
    return status;
}

void darc_recording_options_clear(darc_recording_options *r)
{
    darc_pairs_clear(&r->maps);
    darc_pairs_clear(&r->scales);
    darc_free(r->factor);
    darc_free((void *)r->want);
    r->factor = NULL;
    r->want = NULL;
}

darc_status darc_recording_noise(double *sd, const darc_options *o,
                                 const darc_names_struct *names, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_pairs p;
    darc_option_pairs(&p, o, DARC_OPT_NOISE);
    for (int u = 0; u < names->count; u++)
        sd[u] = NAN;
    for (int i = 0; i < p.count; i++) {
        DARC_TRY(check_name("--noise", p.name[i], names, err));
        int u = darc_names_find(names, p.name[i], strlen(p.name[i]));
        DARC_TRY(read_number(&sd[u], "--noise", p.name[i], p.value[i], err));
        if (sd[u] < 0)
            DARC_TRY(darc_fail(err, DARC_USAGE,
                               "--noise: %s: a standard deviation is not "
                               "negative",
                               p.name[i]));
    }
done:
    darc_pairs_clear(&p);
    return status;
}
