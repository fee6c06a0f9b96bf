#include "darc/campaign.h"

#include "darc.h"
#include "darc/json.h"

#include <math.h>
#include <string.h>

static const darc_drift_recording *recording(const darc_campaign *c, int e,
                                             int i)
{
    return &c->drift[e].recording[i];
}

darc_verdict darc_campaign_of(const darc_campaign *c, int i)
{
    darc_verdict verdict = DARC_CONSISTENT;
    for (int e = 0; e < c->equations; e++) {
        const darc_drift_recording *r = recording(c, e, i);
        if (!r->damaged && r->verdict == DARC_INCONSISTENT)
            return DARC_INCONSISTENT;
        if (r->damaged || r->verdict == DARC_UNDECIDED)
            verdict = DARC_UNDECIDED;
    }
    return verdict;
}

darc_verdict darc_campaign_verdict(const darc_campaign *c)
{
    darc_verdict verdict = DARC_CONSISTENT;
    for (int i = 0; i < c->files; i++) {
        darc_verdict one = darc_campaign_of(c, i);
        if (one == DARC_INCONSISTENT)
            return one;
        if (one == DARC_UNDECIDED)
            verdict = one;
    }
    return verdict;
}

static const char *damage(const darc_campaign *c, int i)
{
    for (int e = 0; e < c->equations; e++)
        if (recording(c, e, i)->damaged)
            return recording(c, e, i)->error;
    return NULL;
}

/* ---- JSON --------------------------------------------------------------- */

static void json_moved(darc_json *j, const darc_campaign *c, int i)
{
    darc_json_array(j, "moved");
    for (int e = 0; e < c->equations; e++)
        for (int k = 0;
             !recording(c, e, i)->damaged && k < c->drift[e].functions; k++)
            if (recording(c, e, i)->change[k].moved)
                darc_json_string(j, NULL, c->drift[e].function[k]);
    darc_json_end_array(j);
}

static void json_change(darc_json *j, const char *function,
                        const darc_drift_change *v)
{
    darc_json_object(j, NULL);
    darc_json_string(j, "function", function);
    darc_json_double(j, "relative", v->relative);
    darc_json_double(j, "sd", v->relative_sd);
    darc_json_double(j, "value", v->value);
    darc_json_double(j, "p_value", v->p_value);
    darc_json_bool(j, "moved", v->moved);
    darc_json_end_object(j);
}

static void json_recording(darc_json *j, const darc_campaign *c, int i)
{
    darc_json_object(j, NULL);
    darc_json_string(j, "file", c->file[i]);
    darc_json_string(j, "verdict", darc_verdict_text(darc_campaign_of(c, i)));
    if (damage(c, i) != NULL)
        darc_json_string(j, "damaged", damage(c, i));
    json_moved(j, c, i);
    darc_json_array(j, "change");
    for (int e = 0; e < c->equations; e++)
        for (int k = 0;
             !recording(c, e, i)->damaged && k < c->drift[e].functions; k++)
            json_change(j, c->drift[e].function[k],
                        &recording(c, e, i)->change[k]);
    darc_json_end_array(j);
    darc_json_end_object(j);
}

static void json_points(darc_json *j, const darc_campaign *c)
{
    darc_json_array(j, "change_points");
    for (int e = 0; e < c->equations; e++)
        for (int k = 0; k < c->drift[e].points; k++) {
            const darc_drift_point *p = &c->drift[e].point[k];
            darc_json_object(j, NULL);
            darc_json_string(j, "function", c->drift[e].function[p->function]);
            darc_json_string(j, "file", c->file[p->recording]);
            darc_json_double(j, "relative", p->relative);
            darc_json_double(j, "sd", p->sd);
            darc_json_end_object(j);
        }
    darc_json_end_array(j);
}

void darc_campaign_json(darc_text_t out, const darc_campaign *c)
{
    darc_json j;
    darc_json_init(&j, out);
    darc_json_object(&j, NULL);
    darc_json_string(&j, "darc", DARC_VERSION);
    darc_json_string(&j, "command", "drift");
    darc_json_string(&j, "arguments", c->command_line);
    darc_json_object(&j, "model");
    darc_json_string(&j, "name", darc_model_name(c->model));
    darc_json_string(&j, "file", darc_model_file(c->model));
    darc_json_end_object(&j);
    darc_json_string(&j, "baseline", c->file[c->drift[0].reference]);
    darc_json_array(&j, "recordings");
    for (int i = 0; i < c->files; i++)
        json_recording(&j, c, i);
    darc_json_end_array(&j);
    json_points(&j, c);
    darc_json_string(&j, "verdict",
                     darc_verdict_text(darc_campaign_verdict(c)));
    darc_json_array(&j, "notes");
    for (int i = 0; i < c->notes; i++)
        darc_json_string(&j, NULL, c->note[i]);
    darc_json_end_array(&j);
    darc_json_end_object(&j);
    darc_text_putc(out, '\n');
}

/* ---- text --------------------------------------------------------------- */

static int file_width(const darc_campaign *c)
{
    size_t width = 9;
    for (int i = 0; i < c->files; i++)
        width = strlen(c->file[i]) > width ? strlen(c->file[i]) : width;
    return (int)width;
}

/* "c/m -1.60 +- 0.02 % *", one cell a function; a star marks what moved. */
static void print_changes(darc_text_t out, const darc_campaign *c, int i)
{
    for (int e = 0; e < c->equations; e++)
        for (int k = 0;
             !recording(c, e, i)->damaged && k < c->drift[e].functions; k++) {
            const darc_drift_change *v = &recording(c, e, i)->change[k];
            darc_text_printf(out, "  %s %+.3g +- %.2g %%%s",
                             c->drift[e].function[k], 100 * v->relative,
                             100 * v->relative_sd, v->moved ? " *" : "");
        }
}

static void print_points(darc_text_t out, const darc_campaign *c)
{
    for (int e = 0; e < c->equations; e++)
        for (int k = 0; k < c->drift[e].points; k++) {
            const darc_drift_point *p = &c->drift[e].point[k];
            darc_text_printf(out,
                             "  change      %s moves by %+.3g +- %.2g %% "
                             "from %s on\n",
                             c->drift[e].function[p->function],
                             100 * p->relative, 100 * p->sd,
                             c->file[p->recording]);
        }
}

void darc_campaign_print(darc_text_t out, const darc_campaign *c, bool quiet)
{
    int width = file_width(c);
    if (!quiet)
        darc_text_printf(out, "%s: drift against %s\n",
                         darc_model_name(c->model),
                         c->file[c->drift[0].reference]);
    for (int i = 0; i < c->files; i++) {
        darc_text_printf(out, "  %-*s  %-12s", width, c->file[i],
                         darc_verdict_text(darc_campaign_of(c, i)));
        if (damage(c, i) != NULL)
            darc_text_printf(out, "  damaged: %s", damage(c, i));
        else if (i == c->drift[0].reference)
            darc_text_puts(out, "  (baseline)");
        else if (!quiet)
            print_changes(out, c, i);
        darc_text_putc(out, '\n');
    }
    if (quiet)
        return;
    print_points(out, c);
    for (int i = 0; i < c->notes; i++)
        darc_text_printf(out, "  note        %s\n", c->note[i]);
}

/* ---- CSV ---------------------------------------------------------------- */

static void csv_number(darc_text_t out, double x)
{
    darc_text_putc(out, ',');
    if (isfinite(x))
        darc_text_double(out, x);
}

void darc_campaign_csv(darc_text_t out, const darc_campaign *c)
{
    darc_text_puts(out, "recording,function,value,sd,relative,relative_sd,"
                        "p_value,moved\n");
    for (int i = 0; i < c->files; i++)
        for (int e = 0; e < c->equations; e++)
            for (int k = 0;
                 !recording(c, e, i)->damaged && k < c->drift[e].functions;
                 k++) {
                const darc_drift_change *v = &recording(c, e, i)->change[k];
                darc_text_printf(out, "%s,%s", c->file[i],
                                 c->drift[e].function[k]);
                csv_number(out, v->value);
                csv_number(out, v->sd);
                csv_number(out, v->relative);
                csv_number(out, v->relative_sd);
                csv_number(out, v->p_value);
                darc_text_printf(out, ",%d\n", v->moved);
            }
}
