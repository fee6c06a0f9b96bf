#include "report/campaign.h"

#include "base/mem.h"
#include "darc.h"
#include "emit/json.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
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

static darc_verdict structure_of(const darc_campaign *c, int i)
{
    darc_verdict verdict = DARC_CONSISTENT;
    for (int e = 0; e < c->equations; e++) {
        if (recording(c, e, i)->change == NULL)
            return DARC_UNDECIDED;
        darc_verdict one = recording(c, e, i)->structure;
        if (one == DARC_INCONSISTENT)
            return one;
        verdict = one == DARC_UNDECIDED ? one : verdict;
    }
    return verdict;
}

/* ---- JSON --------------------------------------------------------------- */

static void json_moved(darc_json *j, const darc_campaign *c, int i)
{
    darc_json_array(j, "moved");
    for (int e = 0; e < c->equations; e++)
        for (int k = 0;
             recording(c, e, i)->change != NULL && k < c->drift[e].functions;
             k++)
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
    darc_json_double(j, "value_sd", v->sd);
    darc_json_double(j, "p_value", v->p_value);
    darc_json_bool(j, "moved", v->moved);
    darc_json_end_object(j);
}

/* After Bonferroni over equations; NAN for the baseline. */
static double least_p(const darc_campaign *c, int i)
{
    double p = NAN;
    for (int e = 0; e < c->equations; e++)
        p = fmin(p, recording(c, e, i)->p_value);
    return isnan(p) ? p : fmin(1, p * c->equations);
}

static void json_recording(darc_json *j, const darc_campaign *c, int i)
{
    darc_json_object(j, NULL);
    darc_json_string(j, "file", c->file[i]);
    darc_json_string(j, "verdict", darc_verdict_text(darc_campaign_of(c, i)));
    if (damage(c, i) != NULL)
        darc_json_string(j, "damaged", damage(c, i));
    darc_json_bool(j, "baseline", i == c->drift[0].reference);
    if (damage(c, i) == NULL) {
        darc_json_string(j, "structure", darc_verdict_text(structure_of(c, i)));
        darc_json_double(j, "p_value", least_p(c, i));
    }
    json_moved(j, c, i);
    darc_json_array(j, "change");
    for (int e = 0; e < c->equations; e++)
        for (int k = 0;
             recording(c, e, i)->change != NULL && k < c->drift[e].functions;
             k++)
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
    darc_json_strings(&j, "notes", c->note, c->notes);
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

/* "-1.640 +- 0.021 %", to two digits of the standard deviation. */
static void print_percent(char *text, size_t size, double value, double sd)
{
    double x = 100 * value, s = 100 * sd;
    if (!isfinite(x) || !isfinite(s)) {
        snprintf(text, size, "unknown");
    } else if (s > 1e-6 && s < 1e6) {
        int digits = (int)fmax(0, 1 - floor(log10(s)));
        snprintf(text, size, "%+.*f +- %.*f %%", digits, x, digits, s);
    } else {
        snprintf(text, size, "%+.6g +- %.2g %%", x, s);
    }
}

/* A star marks what moved. */
static void print_cell(char *cell, size_t size, const darc_drift_change *v)
{
    char text[80];
    print_percent(text, sizeof text, v->relative, v->relative_sd);
    snprintf(cell, size, "%s%s", text, v->moved ? " *" : "  ");
}

/* The columns of a table, one a function of every equation. */
static int column_width(const darc_campaign *c, int e, int k)
{
    size_t width = strlen(c->drift[e].function[k]);
    char cell[96];
    for (int i = 0; i < c->files; i++) {
        if (recording(c, e, i)->change == NULL)
            continue;
        print_cell(cell, sizeof cell, &recording(c, e, i)->change[k]);
        width = strlen(cell) > width ? strlen(cell) : width;
    }
    return (int)width;
}

/* The row of recording i, or the names of the functions where i < 0. */
static void print_cells(darc_text_t out, const darc_campaign *c, int i,
                        const int *width)
{
    int column = 0;
    char cell[96];
    for (int e = 0; e < c->equations; e++)
        for (int k = 0; k < c->drift[e].functions; k++, column++) {
            const char *text = c->drift[e].function[k];
            if (i >= 0 && recording(c, e, i)->change != NULL) {
                print_cell(cell, sizeof cell, &recording(c, e, i)->change[k]);
                text = cell;
            }
            darc_text_printf(out, "  %-*s", width[column], text);
        }
    while (out->len > 0 && out->s[out->len - 1] == ' ')
        out->s[--out->len] = '\0';
}

static void print_points(darc_text_t out, const darc_campaign *c)
{
    for (int e = 0; e < c->equations; e++)
        for (int k = 0; k < c->drift[e].points; k++) {
            const darc_drift_point *p = &c->drift[e].point[k];
            char text[80];
            print_percent(text, sizeof text, p->relative, p->sd);
            darc_text_printf(out, "  change      %s moves by %s from %s on\n",
                             c->drift[e].function[p->function], text,
                             c->file[p->recording]);
        }
}

static void print_verdict(darc_text_t out, darc_verdict verdict, bool quiet)
{
    char text[16];
    snprintf(text, sizeof text, "%s", darc_verdict_text(verdict));
    for (char *s = text; !quiet && *s != '\0'; s++)
        *s = (char)toupper((unsigned char)*s);
    darc_text_printf(out, "  %-12s", text);
}

static void print_rows(darc_text_t out, const darc_campaign *c,
                       const int *width, bool quiet)
{
    int files = file_width(c);
    if (!quiet) {
        darc_text_printf(out, "  %-*s  %-12s", files, "recording", "verdict");
        print_cells(out, c, -1, width);
        darc_text_putc(out, '\n');
    }
    for (int i = 0; i < c->files; i++) {
        if (recording(c, 0, i)->pending)
            continue;
        darc_text_printf(out, "  %-*s", files, c->file[i]);
        if (i == c->drift[0].reference)
            darc_text_puts(out, "  (baseline)");
        else
            print_verdict(out, darc_campaign_of(c, i), quiet);
        if (damage(c, i) != NULL)
            darc_text_printf(out, "  damaged: %s", damage(c, i));
        else if (!quiet && i != c->drift[0].reference)
            print_cells(out, c, i, width);
        if (!quiet && structure_of(c, i) == DARC_INCONSISTENT)
            darc_text_puts(out, "  structure fails");
        darc_text_putc(out, '\n');
    }
}

void darc_campaign_print(darc_text_t out, const darc_campaign *c, bool quiet)
{
    int columns = 0;
    for (int e = 0; e < c->equations; e++)
        columns += c->drift[e].functions;
    int *width = darc_calloc((size_t)columns + 1, sizeof *width);
    for (int e = 0, x = 0; e < c->equations; e++)
        for (int k = 0; k < c->drift[e].functions; k++)
            width[x++] = column_width(c, e, k);
    if (!quiet)
        darc_text_printf(out, "%s: drift against %s\n",
                         darc_model_name(c->model),
                         c->file[c->drift[0].reference]);
    print_rows(out, c, width, quiet);
    darc_free(width);
    if (quiet)
        return;
    print_points(out, c);
    for (int i = 0; i < c->notes; i++)
        darc_text_printf(out, "  note        %s\n", c->note[i]);
}

/* ---- CSV ---------------------------------------------------------------- */

/* In quotes where it would be more than one cell; a quote is doubled. */
static void csv_text(darc_text_t out, const char *s)
{
    bool quote = strpbrk(s, ",\"\r\n") != NULL;
    darc_text_puts(out, quote ? "\"" : "");
    for (; *s != '\0'; s++)
        darc_text_puts(out, *s == '"' ? "\"\"" : (char[]){*s, '\0'});
    darc_text_puts(out, quote ? "\"" : "");
}

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
            for (int k = 0; recording(c, e, i)->change != NULL &&
                            k < c->drift[e].functions;
                 k++) {
                const darc_drift_change *v = &recording(c, e, i)->change[k];
                csv_text(out, c->file[i]);
                darc_text_putc(out, ',');
                csv_text(out, c->drift[e].function[k]);
                csv_number(out, v->value);
                csv_number(out, v->sd);
                csv_number(out, v->relative);
                csv_number(out, v->relative_sd);
                csv_number(out, v->p_value);
                darc_text_printf(out, ",%d\n", v->moved);
            }
}
