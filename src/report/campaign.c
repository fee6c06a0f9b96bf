#include "report/campaign.h"

#include "base/mem.h"
#include "emit/json.h"
#include "report/report.h"
#include "report/thresholds.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static void set_recording(darc_campaign_recording *to, const darc_drift *drift,
                          int i)
{
    const darc_drift_recording *r = &drift->recording[i];
    bool used = !r->damaged && !r->pending;
    to->damage = r->damaged ? r->error : NULL;
    DARC_SAME(to, r, fault, pending);
    to->verdict = r->pending ? DARC_CONSISTENT : r->verdict;
    to->structure = used ? r->structure : DARC_UNDECIDED;
    to->p_value = used ? r->p_value : NAN;
    to->change = r->change;
}

void darc_campaign_judge(darc_campaign *c)
{
    c->verdict =
        c->points + c->trends > 0 ? DARC_INCONSISTENT : DARC_CONSISTENT;
    /* Inconsistent is worse than undecided, and this than consistent. */
    for (int i = 0; i < c->recordings; i++)
        if (c->recording[i].verdict == DARC_INCONSISTENT ||
            c->verdict == DARC_CONSISTENT)
            c->verdict = c->recording[i].verdict;
    if (c->doubts > 0 && c->verdict == DARC_CONSISTENT)
        c->verdict = DARC_UNDECIDED;
}

void darc_campaign_set(darc_campaign *c, const darc_drift *drift,
                       const char *const *file, const char *const *group)
{
    darc_campaign_clear(c);
    size_t n = (size_t)drift->recordings;
    darc_campaign_recording *list = darc_calloc(n, sizeof *list);
    int *baseline = darc_calloc(n, sizeof *baseline);
    for (int i = 0; i < drift->recordings; i++) {
        list[i].file = file[i];
        baseline[i] = drift->recording[i].baseline;
        set_recording(&list[i], drift, i);
    }
    c->baseline = drift->reference;
    c->functions = drift->functions;
    c->function = (const char *const *)drift->function;
    c->relation = drift->equation;
    c->group = group;
    c->held_against = baseline;
    c->recordings = drift->recordings;
    c->recording = list;
    DARC_SAME(c, drift, points, point, trends, trend, trend_baseline, slopes,
              slope, doubts);
    c->doubt = drift->doubt;
    darc_campaign_judge(c);
}

void darc_campaign_clear(darc_campaign *c)
{
    DARC_FREE((void *)c->recording, (void *)c->held_against);
    const darc_campaign head = *c;
    *c = (darc_campaign){.covariates = head.covariates,
                         .covariate = head.covariate};
    DARC_SAME(c, &head, command_line, model_name, model_file, relations, notes,
              note, detail, group_column);
}

static const char *group_of(const darc_campaign *c, int i)
{
    return c->group != NULL ? c->group[i] : NULL;
}

static void json_recording(darc_json *j, const darc_campaign *c, int i)
{
    const darc_campaign_recording *r = &c->recording[i];
    darc_json_put(j, "{file:s verdict:s *:S group:S baseline:b", r->file,
                  darc_verdict_text(r->verdict),
                  r->fault == DARC_OK ? "damaged" : "not_read", r->damage,
                  group_of(c, i), i == c->held_against[i]);
    if (r->damage == NULL)
        darc_json_put(j, "structure:s p_value:d",
                      darc_verdict_text(r->structure), r->p_value);
    darc_report_json_changes(j, r->change, c->function, c->functions);
    darc_json_put(j, "}");
}

/* The unit of a column "load [kg]" turned round: "1/(kg)"; "": it has none. */
static void put_unit(darc_text_t out, const char *column)
{
    const char *open = strrchr(column, '['), *close = strrchr(column, ']');
    if (open != NULL && close != NULL && close > open + 1 && close[1] == '\0')
        darc_text_printf(out, "1/(%.*s)", (int)(close - open - 1), open + 1);
}

static void json_covariates(darc_json *j, const darc_campaign *c)
{
    darc_json_put(j, "covariates[");
    for (int k = 0; k < c->slopes; k++) {
        const darc_covariate_slope *x = c->slope + k;
        darc_text_t unit = DARC_TEXT;
        put_unit(unit, c->covariate[x->covariate]);
        darc_json_put(j, "{" DARC_JSON_SLOPE "}", c->function[x->function],
                      c->covariate[x->covariate], x->relative, x->sd,
                      unit->len > 0 ? unit->s : "1", group_of(c, x->baseline));
        darc_text_clear(unit);
    }
    darc_json_put(j, "] undecided_changes[");
    for (int k = 0; k < c->doubts; k++) {
        const darc_change_doubt *x = c->doubt + k;
        bool step = x->recording >= 0;
        darc_json_put(j, "{function:s file:S *:d sd:d group:S}",
                      c->function[x->function],
                      step ? c->recording[x->recording].file : NULL,
                      step ? "relative" : "per_recording", x->relative, x->sd,
                      group_of(c, x->baseline));
    }
    darc_json_put(j, "]");
}

void darc_campaign_json(darc_text_t out, const darc_campaign *c)
{
    darc_json j;
    darc_json_begin(&j, out, "drift", c->command_line);
    darc_json_put(&j,
                  "model{" DARC_JSON_MODEL "} " DARC_JSON_REPORT_DRIFT_THEN
                  " recordings[",
                  c->model_name, c->model_file, c->recording[c->baseline].file,
                  c->group != NULL ? c->group_column : NULL);
    for (int i = 0; i < c->recordings; i++)
        json_recording(&j, c, i);
    darc_json_put(&j, "]");
    const darc_change_point *p = c->point;
    DARC_JSON_LIST(&j, "change_points", k, c->points, "{" DARC_JSON_POINT "}",
                   c->function[p[k].function],
                   c->recording[p[k].recording].file, p[k].relative, p[k].sd,
                   group_of(c, p[k].recording));
    const darc_trend *t = c->trend;
    DARC_JSON_LIST(&j, "trends", k, c->trends, "{" DARC_JSON_TREND "}",
                   c->function[t[k].function], t[k].per_recording, t[k].sd,
                   group_of(c, c->trend_baseline[k]));
    if (c->covariates > 0)
        json_covariates(&j, c);
    darc_json_put(&j, "verdict:s notes:a", darc_verdict_text(c->verdict),
                  c->note, c->notes);
    darc_json_end(&j);
}

/* A star marks what moved. */
static darc_percent_measure cell_of(const darc_change *v)
{
    darc_percent_measure cell =
        darc_percent_change(v->relative, v->relative_sd);
    strcat(cell.text, v->moved ? " *" : "  ");
    return cell;
}

/* The changes of a recording, or the names of the functions for NULL. */
static void print_cells(darc_text_t out, const darc_campaign *c,
                        const darc_change *change)
{
    for (int k = 0; k < c->functions; k++)
        darc_text_printf(out, DARC_CELL "%s",
                         change != NULL ? cell_of(&change[k]).text
                                        : c->function[k]);
    while (out->len > 0 && out->s[out->len - 1] == ' ')
        out->s[--out->len] = '\0';
}

/* Begin the line of a recording, or the heading. */
static void print_name(darc_text_t out, const darc_campaign *c,
                       const char *file, const char *group)
{
    darc_text_printf(out, "  %-9s" DARC_CELL, file);
    if (c->group != NULL)
        darc_text_printf(out, "%-*s" DARC_CELL, (int)strlen(c->group_column),
                         group);
}

static const char *const loud[] = {"CONSISTENT", "INCONSISTENT", "UNDECIDED"};

static void print_row(darc_text_t out, const darc_campaign *c, int i,
                      bool quiet)
{
    const darc_campaign_recording *r = &c->recording[i];
    bool baseline = i == c->held_against[i];
    print_name(out, c, r->file, group_of(c, i));
    darc_text_printf(out, baseline ? "%s" : "%-12s",
                     baseline ? "(baseline)"
                     : quiet  ? darc_verdict_text(r->verdict)
                              : loud[r->verdict]);
    if (r->damage != NULL)
        darc_text_printf(out, DARC_CELL "%s: %s",
                         r->fault == DARC_OK ? "damaged" : "not read",
                         r->damage);
    else if (!quiet && !baseline)
        print_cells(out, c, r->change);
    darc_text_printf(
        out, "%s\n",
        !quiet && r->structure == DARC_INCONSISTENT ? "  structure fails" : "");
}

/* End a line: " (vehicle 7)". */
static void print_group(darc_text_t out, const darc_campaign *c, int i)
{
    if (c->group != NULL)
        darc_text_printf(out, " (%s %s)", c->group_column, c->group[i]);
    darc_text_putc(out, '\n');
}

static bool is_doubted(const darc_campaign *c, const darc_covariate_slope *x)
{
    bool any = false;
    for (int k = 0; k < c->doubts; k++)
        any = any || (c->doubt[k].function == x->function &&
                      c->doubt[k].baseline == x->baseline);
    return any;
}

/* What covariates move for certain, and what they may have moved. */
static void print_covariates(darc_text_t out, const darc_campaign *c)
{
    for (int k = 0; k < c->doubts; k++) {
        const darc_change_doubt *x = c->doubt + k;
        darc_text_printf(out, DARC_LABEL "%s moves by %s %s%s, or goes with",
                         "undecided", c->function[x->function],
                         darc_percent_change(x->relative, x->sd).text,
                         x->recording < 0 ? "a recording" : "from ",
                         x->recording < 0 ? ""
                                          : c->recording[x->recording].file);
        for (int r = 0; r < c->covariates; r++)
            darc_text_printf(out, "%s %s", r > 0 ? "," : "", c->covariate[r]);
        darc_text_puts(out, ": not to be told apart");
        print_group(out, c, x->baseline);
    }
    for (int k = 0; k < c->slopes; k++) {
        const darc_covariate_slope *x = c->slope + k;
        if (!(fabs(x->relative) > DARC_SURE_SLOPE * x->sd) || is_doubted(c, x))
            continue;
        darc_text_printf(out, DARC_LABEL "%s goes with %s: %s a unit",
                         "covariate", c->function[x->function],
                         c->covariate[x->covariate],
                         darc_percent_change(x->relative, x->sd).text);
        print_group(out, c, x->baseline);
    }
}

/* What was found: when which function moved. */
static void print_findings(darc_text_t out, const darc_campaign *c)
{
    for (int k = 0; k < c->points; k++) {
        const darc_change_point *p = &c->point[k];
        darc_text_printf(out, DARC_LABEL "%s moves by %s from %s on", "change",
                         c->function[p->function],
                         darc_percent_change(p->relative, p->sd).text,
                         c->recording[p->recording].file);
        print_group(out, c, p->recording);
    }
    for (int k = 0; k < c->trends; k++) {
        const darc_trend *t = &c->trend[k];
        darc_text_printf(out, DARC_LABEL "%s moves by %s a recording", "trend",
                         c->function[t->function],
                         darc_percent_change(t->per_recording, t->sd).text);
        print_group(out, c, c->trend_baseline[k]);
    }
    print_covariates(out, c);
}

/* "b/J moves by +4.04 % from run18.csv on (and 2 more changes); ": the step
 * that is most standard deviations, or a trend. */
static void put_largest(darc_text_t out, const darc_campaign *c)
{
    int most = 0, more = c->points + c->trends - 1;
    for (int k = 1; k < c->points; k++)
        if (fabs(c->point[k].relative) * c->point[most].sd >
            fabs(c->point[most].relative) * c->point[k].sd)
            most = k;
    if (more < 0)
        return;
    if (c->points > 0)
        darc_text_printf(out, "%s moves by %+.3g %% from %s on",
                         c->function[c->point[most].function],
                         100 * c->point[most].relative,
                         c->recording[c->point[most].recording].file);
    else
        darc_text_printf(out, "%s moves by %+.3g %% a recording",
                         c->function[c->trend->function],
                         100 * c->trend->per_recording);
    if (more > 0)
        darc_text_printf(out, " (and %d more change%s)", more,
                         more > 1 ? "s" : "");
    darc_text_puts(out, "; ");
}

void darc_campaign_say(darc_text_t out, const darc_campaign *c)
{
    int count[3] = {0}, damaged = 0, held = 0;
    put_largest(out, c);
    for (int i = 0; i < c->recordings; i++) {
        if (c->group != NULL ? c->held_against[i] == i : c->baseline == i)
            continue;
        held++;
        count[c->recording[i].verdict]++;
        damaged += c->recording[i].damage != NULL;
    }
    if (count[DARC_INCONSISTENT] > 0)
        darc_text_printf(out, "%d of %d recordings differ from the baseline",
                         count[DARC_INCONSISTENT], held);
    else if (c->points + c->trends > 0)
        darc_text_puts(out, "no recording by itself, but their course "
                            "departs from the baseline");
    else if (count[DARC_UNDECIDED] > 0)
        darc_text_puts(out, "no recording is known to differ from the "
                            "baseline");
    else
        darc_text_printf(out, "all %d recordings agree with the baseline",
                         held);
    if (count[DARC_UNDECIDED] > damaged)
        darc_text_printf(out, "; %d undecided",
                         count[DARC_UNDECIDED] - damaged);
    if (damaged > 0)
        darc_text_printf(out, "; %d could not be used", damaged);
}

void darc_campaign_print(darc_text_t out, const darc_campaign *c, bool quiet,
                         bool verbose)
{
    int pending = 0;
    for (int i = 0; i < c->recordings; i++)
        pending += c->recording[i].pending;
    if (!quiet && pending == 0) {
        darc_text_printf(out, "%s: ", loud[c->verdict]);
        darc_campaign_say(out, c);
        darc_text_putc(out, '\n');
    }
    if (!quiet) {
        darc_text_printf(out,
                         c->group == NULL
                             ? "%s: drift against %s (+-: 1 sd)\n"
                             : "%s: drift of each %s against its own baseline "
                               "(+-: 1 sd)\n",
                         c->model_name,
                         c->group == NULL ? c->recording[c->baseline].file
                                          : c->group_column);
        print_findings(out, c);
    }
    size_t begin = out->len;
    if (!quiet) {
        print_name(out, c, "recording", c->group_column);
        darc_text_printf(out, "%-12s", "verdict");
        print_cells(out, c, NULL);
        darc_text_putc(out, '\n');
    }
    for (int i = 0; i < c->recordings; i++)
        if (!c->recording[i].pending)
            print_row(out, c, i, quiet);
    darc_text_align(out, begin, 2);
    if (!quiet)
        darc_report_print_notes(out, c->note, c->detail, c->notes,
                                verbose ? INT_MAX : DARC_TOLD_NOTES);
}

static void csv_text(darc_text_t out, const char *s)
{
    darc_text_cell(out, s, ",\"\r\n", "\"\"");
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
                        "p_value,moved");
    darc_text_puts(out, c->group != NULL ? ",group\n" : "\n");
    for (int i = 0; i < c->recordings; i++) {
        const darc_change *v = c->recording[i].change;
        for (int k = 0; v != NULL && k < c->functions; k++, v++) {
            csv_text(out, c->recording[i].file);
            darc_text_putc(out, ',');
            csv_text(out, c->function[k]);
            csv_number(out, v->value);
            csv_number(out, v->sd);
            csv_number(out, v->relative);
            csv_number(out, v->relative_sd);
            csv_number(out, v->p_value);
            darc_text_printf(out, ",%d", v->moved);
            if (c->group != NULL) {
                darc_text_putc(out, ',');
                csv_text(out, c->group[i]);
            }
            darc_text_putc(out, '\n');
        }
    }
}
