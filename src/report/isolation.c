#include "report/isolation.h"

#include "base/mem.h"
#include "darc.h"
#include "emit/json.h"
#include "report/measure.h"
#include "report/thresholds.h"
#include "stats/stats.h"

#include <limits.h>
#include <math.h>

static darc_verdict verdict_of(const darc_isolate *x)
{
    if (x->equal.verdict != DARC_INCONSISTENT)
        return x->equal.verdict;
    if (x->diagnosis == 0)
        return DARC_INCONSISTENT;
    darc_verdict best = x->candidate[0].decision.verdict;
    return x->diagnosis == 1 && best == DARC_CONSISTENT ? DARC_CONSISTENT
                                                        : DARC_UNDECIDED;
}

static void set_list(darc_name_list *to, int n, const int *unknown,
                     const darc_names_t names)
{
    const char **name = darc_calloc((size_t)n, sizeof *name);
    for (int i = 0; i < n; i++)
        name[i] = names->symbol[unknown[i]].name;
    *to = (darc_name_list){n, name};
}

static void set_suspect(darc_suspect *to, const darc_isolate_candidate *c,
                        const darc_names_t names)
{
    darc_name_list *list = darc_calloc((size_t)c->equivalents, sizeof *list);
    set_list(&to->changed, c->changed.count, c->changed.parameter, names);
    for (int i = 0; i < c->equivalents; i++)
        set_list(&list[i], c->equivalent[i].count, c->equivalent[i].parameter,
                 names);
    to->decision = c->decision;
    to->free = c->free;
    to->equivalents = c->equivalents;
    to->equivalent = list;
}

void darc_isolation_set(darc_isolation *r, const darc_isolate *result,
                        const darc_names_t names)
{
    darc_suspect *list = darc_calloc((size_t)result->candidates, sizeof *list);
    for (int i = 0; i < result->candidates; i++)
        set_suspect(&list[i], &result->candidate[i], names);
    r->equal = result->equal;
    r->candidates = result->candidates;
    r->candidate = list;
    r->diagnosis = result->diagnosis;
    r->verdict = verdict_of(result);
    set_list(&r->unseen, result->unseen, result->unseen_parameter, names);
    r->estimates = result->estimates;
    r->estimate = result->estimate;
}

void darc_isolation_clear(darc_isolation *r)
{
    for (int i = 0; i < r->candidates; i++) {
        for (int k = 0; k < r->candidate[i].equivalents; k++)
            darc_free((void *)r->candidate[i].equivalent[k].name);
        darc_free((void *)r->candidate[i].equivalent);
        darc_free((void *)r->candidate[i].changed.name);
    }
    darc_free((void *)r->candidate);
    darc_free((void *)r->unseen.name);
    *r = (darc_isolation){0};
}

static void json_list(darc_json *j, const char *key, const darc_name_list *s)
{
    darc_json_strings(j, key, s->name, s->count);
}

static void json_candidate(darc_json *j, const darc_suspect *c)
{
    darc_json_object(j, NULL);
    json_list(j, "changed", &c->changed);
    darc_json_put(j, "verdict:s p_value:d defect:d explains_any_change:b",
                  darc_verdict_text(c->decision.verdict), c->decision.p_value,
                  c->decision.defect, c->free);
    darc_json_array(j, "equivalent");
    for (int i = 0; i < c->equivalents; i++)
        json_list(j, NULL, &c->equivalent[i]);
    darc_json_end_array(j);
    darc_json_end_object(j);
}

void darc_isolation_json(darc_text_t out, const darc_isolation *r)
{
    darc_json j;
    darc_json_init(&j, out);
    darc_json_object(&j, NULL);
    darc_json_put(&j, "darc:s command:s arguments:s", DARC_VERSION, "isolate",
                  r->command_line);
    darc_json_model(&j, r->model_name, r->model_file);
    darc_report_json_data(&j, r->data, 2);
    darc_report_json_decision(&j, "equal", &r->equal);
    darc_report_json_estimates(&j, r->estimate, r->estimates, true);
    darc_report_json_values(&j, r->value, r->values, true);
    darc_json_array(&j, "candidates");
    for (int i = 0; i < r->candidates; i++)
        json_candidate(&j, &r->candidate[i]);
    darc_json_end_array(&j);
    darc_json_array(&j, "diagnosis");
    for (int i = 0; i < r->diagnosis; i++)
        json_list(&j, NULL, &r->candidate[i].changed);
    darc_json_end_array(&j);
    json_list(&j, "unseen", &r->unseen);
    darc_json_string(&j, "verdict", darc_verdict_text(r->verdict));
    darc_json_strings(&j, "notes", r->note, r->notes);
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
        darc_text_printf(out, "  others move %.2g %%",
                         100 * c->decision.defect);
    darc_text_putc(out, '\n');
    for (int i = 0; i < c->equivalents; i++) {
        darc_text_puts(out, "        no data can tell it from ");
        darc_name_list_print(out, &c->equivalent[i]);
        darc_text_putc(out, '\n');
    }
    if (c->free)
        darc_text_puts(out, "        explains any change: nothing is "
                            "tested\n");
}

/* What was asked for, in one line. */
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
    if (r->diagnosis > 1)
        darc_text_puts(out, " (the recordings do not tell which)");
}

/* Sets that may be, and rejected ones where these are asked for. */
static void print_candidates(darc_text_t out, const darc_isolation *r,
                             bool verbose)
{
    int told = r->diagnosis < DARC_TOLD_ROWS ? r->diagnosis : DARC_TOLD_ROWS;
    int left = verbose ? 0 : r->candidates - told;
    for (int i = 0; i < r->candidates - left; i++)
        print_candidate(out, &r->candidate[i], i < r->diagnosis);
    if (left > 0)
        darc_text_printf(out, "    and %d more, %srejected (--verbose)\n", left,
                         told < r->diagnosis ? "some of them " : "");
}

void darc_isolation_print(darc_text_t out, const darc_isolation *r, bool quiet,
                          bool verbose)
{
    print_diagnosis(out, r);
    if (quiet) {
        darc_text_putc(out, '\n');
        return;
    }
    darc_text_printf(out, ": %s\n", r->equal.reason);
    bool known = r->values != 0;
    darc_report_print_changes(out, known ? r->value : r->estimate,
                              known ? r->values : r->estimates, r->equal.alpha,
                              r->equal.verdict == DARC_INCONSISTENT,
                              verbose ? INT_MAX : DARC_TOLD_ROWS);
    print_candidates(out, r, verbose);
    darc_report_print_defect(out, &r->equal);
    darc_report_print_data(out, r->data, 2);
    for (int i = 0; i < r->unseen.count; i++)
        darc_text_printf(out, DARC_LABEL "a change of %s shows in no signal\n",
                         "note", r->unseen.name[i]);
    darc_report_print_notes(out, r->note, r->detail, r->notes,
                            verbose ? INT_MAX : DARC_TOLD_NOTES);
}
