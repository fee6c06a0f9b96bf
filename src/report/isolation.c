#include "report/report.h"

#include "base/mem.h"
#include "darc.h"
#include "report/measure.h"
#include "report/thresholds.h"
#include "stats/stats.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static void set_list(darc_name_list *to, int n, const int *unknown,
                     const darc_names_t names)
{
    const char **name = darc_calloc((size_t)n, sizeof *name);
    for (int i = 0; i < n; i++)
        name[i] = names->symbol[unknown[i]].name;
    *to = (darc_name_list){n, name};
}

void darc_isolation_set(darc_isolation *r, const darc_isolate *result,
                        const darc_names_t names)
{
    darc_suspect *list = darc_calloc((size_t)result->candidates, sizeof *list);
    for (int i = 0; i < result->candidates; i++) {
        const darc_isolate_candidate *c = &result->candidate[i];
        size_t n = (size_t)c->equivalents;
        darc_name_list *equivalent = darc_calloc(n, sizeof *equivalent);
        for (int k = 0; k < c->equivalents; k++)
            set_list(&equivalent[k], c->equivalent[k].count,
                     c->equivalent[k].parameter, names);
        list[i] = (darc_suspect){.decision = c->decision,
                                 .free = c->free,
                                 .equivalents = c->equivalents,
                                 .equivalent = equivalent};
        set_list(&list[i].changed, c->changed.count, c->changed.parameter,
                 names);
    }
    DARC_SAME(r, result, equal, candidates);
    r->candidate = list;
    r->diagnosis = result->diagnosis;
    r->verdict =
        r->equal.verdict != DARC_INCONSISTENT ? r->equal.verdict
        : r->diagnosis == 0                   ? DARC_INCONSISTENT
        : r->diagnosis == 1 && list->decision.verdict == DARC_CONSISTENT
            ? DARC_CONSISTENT
            : DARC_UNDECIDED;
    set_list(&r->unseen, result->unseen, result->unseen_parameter, names);
    DARC_SAME(r, result, estimates, estimate);
}

void darc_isolation_clear(darc_isolation *r)
{
    for (int i = 0; i < r->candidates; i++) {
        for (int k = 0; k < r->candidate[i].equivalents; k++)
            darc_free((void *)r->candidate[i].equivalent[k].name);
        DARC_FREE((void *)r->candidate[i].equivalent,
                  (void *)r->candidate[i].changed.name);
    }
    DARC_FREE((void *)r->candidate, (void *)r->unseen.name);
    *r = (darc_isolation){0};
}

void darc_isolation_json(darc_text_t out, const darc_isolation *r)
{
    darc_json j;
    darc_json_init(&j, out);
    darc_json_put(
        &j, "{" DARC_JSON_REPORT_ISOLATE " model{" DARC_JSON_MODEL "}",
        DARC_VERSION, "isolate", r->command_line, r->model_name, r->model_file);
    darc_report_json_data(&j, r->data, r->recordings);
    darc_report_json_decision(&j, "equal", &r->equal);
    darc_report_json_estimates(&j, r->estimate, r->estimates, true);
    darc_report_json_values(&j, r->value, r->values, true);
    darc_json_put(&j, "candidates[");
    for (int i = 0; i < r->candidates; i++) {
        const darc_suspect *c = &r->candidate[i];
        darc_json_put(&j, "{" DARC_JSON_CANDIDATE, c->changed.name,
                      c->changed.count, darc_verdict_text(c->decision.verdict),
                      c->decision.p_value, c->decision.defect, c->free);
        DARC_JSON_LIST(&j, "equivalent", k, c->equivalents, ":a",
                       c->equivalent[k].name, c->equivalent[k].count);
        darc_json_put(&j, "}");
    }
    darc_json_put(&j, "]");
    DARC_JSON_LIST(&j, "diagnosis", i, r->diagnosis, ":a",
                   r->candidate[i].changed.name, r->candidate[i].changed.count);
    darc_json_put(&j, DARC_JSON_REPORT_ISOLATE_THEN, r->unseen.name,
                  r->unseen.count, darc_verdict_text(r->verdict), r->note,
                  r->notes);
    darc_json_end(&j);
}

static void print_candidate(darc_text_t out, const darc_suspect *c,
                            bool diagnosed)
{
    darc_text_printf(out, "  %s ", diagnosed ? "*" : " ");
    size_t begin = out->len;
    darc_name_list_print(out, &c->changed);
    int width = (int)(out->len - begin);
    darc_text_printf(out, "%*s  %-12s", width < 20 ? 20 - width : 0, "",
                     darc_verdict_text(c->decision.verdict));
    if (isfinite(c->decision.p_value))
        darc_text_printf(out, "  %-12s",
                         darc_stats_p_text(c->decision.p_value).text);
    if (isfinite(c->decision.defect))
        darc_text_printf(out, "  others move %s",
                         darc_percent_of(c->decision.defect).text);
    darc_text_putc(out, '\n');
    for (int i = 0; i < c->equivalents; i++) {
        darc_text_puts(out, "        indistinguishable by any data: ");
        darc_name_list_print(out, &c->equivalent[i]);
        darc_text_putc(out, '\n');
    }
    if (c->free)
        darc_text_puts(out, "        explains any change: nothing is "
                            "tested\n");
}

static bool is_diagnosed(const darc_isolation *r, const char *name)
{
    for (int i = 0; i < r->diagnosis; i++)
        for (int k = 0; k < r->candidate[i].changed.count; k++)
            if (strcmp(r->candidate[i].changed.name[k], name) == 0)
                return true;
    return false;
}

void darc_isolation_print_moved(darc_text_t out, const darc_isolation *r)
{
    const darc_estimate *e = r->values != 0 ? r->value : r->estimate;
    int n = r->values != 0 ? r->values : r->estimates, told = 0;
    double change, sd;
    for (int named = 1; named >= 0 && told == 0; named--)
        for (int i = 0; i < n && told < DARC_TOLD_MOVED; i++) {
            darc_report_change(&change, &sd, &e[i]);
            if (!isfinite(change) ||
                !darc_report_moved(&e[i], r->equal.alpha) ||
                (named && !is_diagnosed(r, e[i].function)))
                continue;
            darc_text_printf(out, "%s%s %s%s", told++ == 0 ? " (" : ", ",
                             e[i].function, change > 0 ? "+" : "-",
                             darc_percent_fine(fabs(change)).text);
        }
    darc_text_puts(out, told > 0 ? ")" : "");
}

/* What was asked for. */
static void print_diagnosis(darc_text_t out, const darc_isolation *r)
{
    darc_text_puts(out, "diagnosis   ");
    if (r->equal.verdict != DARC_INCONSISTENT)
        darc_text_puts(out, r->equal.verdict == DARC_CONSISTENT ? "no change"
                                                                : "undecided");
    else if (r->diagnosis == 0)
        darc_text_puts(out, "none");
    for (int i = 0; i < r->diagnosis; i++) {
        darc_text_puts(out, i > 0 ? " or " : "");
        darc_name_list_print(out, &r->candidate[i].changed);
    }
}

/* The rest of the line: why, and by how much. */
static void print_reason(darc_text_t out, const darc_isolation *r)
{
    darc_text_printf(out, ": %s",
                     r->diagnosis > 1 ? "the recordings do not tell which"
                                      : r->equal.reason);
    if (r->equal.verdict == DARC_INCONSISTENT)
        darc_isolation_print_moved(out, r);
    darc_text_putc(out, '\n');
}

void darc_isolation_print(darc_text_t out, const darc_isolation *r, bool quiet,
                          bool verbose)
{
    print_diagnosis(out, r);
    if (quiet) {
        darc_text_puts(out, r->diagnosis > 1
                                ? " (the recordings do not tell which)\n"
                                : "\n");
        return;
    }
    print_reason(out, r);
    darc_report_print_changes(out, DARC_TOLD_VALUES(r), r->equal.alpha,
                              r->equal.verdict == DARC_INCONSISTENT,
                              verbose ? INT_MAX : DARC_TOLD_ROWS);
    /* Sets that may be, and rejected ones where these are asked for. */
    int told = r->diagnosis < DARC_TOLD_ROWS ? r->diagnosis : DARC_TOLD_ROWS;
    int left = verbose ? 0 : r->candidates - told;
    for (int i = 0; i < r->candidates - left; i++)
        print_candidate(out, &r->candidate[i], i < r->diagnosis);
    if (left > 0)
        darc_text_printf(out, "    and %d more, %srejected (--verbose)\n", left,
                         told < r->diagnosis ? "some of them " : "");
    darc_report_print_defect(out, &r->equal);
    darc_report_print_data(out, r->data, r->recordings);
    for (int i = 0; i < r->unseen.count; i++)
        darc_text_printf(out, DARC_LABEL "a change of %s shows in no signal\n",
                         "note", r->unseen.name[i]);
    darc_report_print_notes(out, r->note, r->detail, r->notes,
                            verbose ? INT_MAX : DARC_TOLD_NOTES);
}
