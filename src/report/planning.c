#include "report/report.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* "from 2 % on" */
static darc_percent_measure from(double share)
{
    darc_percent_measure t = {"never"};
    if (isfinite(share))
        snprintf(t.text, sizeof t.text, "from %s on",
                 darc_percent_of(share).text);
    return t;
}

static void print_test(darc_text_t out, const darc_planned *p,
                       const darc_planned_test *t)
{
    darc_text_printf(out, DARC_LABEL "%s\n", "test",
                     t->input[0] != '\0' ? t->input : "no input");
    if (t->failure != NULL) {
        darc_text_printf(out, DARC_LABEL "nothing: %s\n", "found", t->failure);
        return;
    }
    for (int i = 0; i < p->functions; i++)
        darc_text_printf(out, DARC_LABEL "%s: %s, against %s %s\n",
                         i == 0 ? "found" : "", t->found[i].function,
                         from(t->found[i].relative).text, p->file,
                         from(t->found[i].relative_to_a).text);
    for (int i = 0; i < p->pairs; i++)
        darc_text_printf(out, DARC_LABEL "%s from %s: %s\n",
                         i == 0 ? "apart" : "", t->apart[i].changed,
                         t->apart[i].other, from(t->apart[i].relative).text);
}

void darc_planning_print(darc_text_t out, const darc_planned *p, bool quiet)
{
    if (!quiet)
        darc_text_printf(out,
                         "%s: changes found with probability 0.9 at alpha = "
                         "%.4g, by %zu samples at %.6g Hz\n",
                         p->model_name, p->alpha, p->samples, p->rate);
    for (int k = 0; k < p->tests && !quiet; k++)
        print_test(out, p, &p->test[k]);
    if (p->tests > 1 && p->best >= 0)
        darc_text_printf(out, DARC_LABEL "%s: all %s %s\n", "best",
                         p->test[p->best].input,
                         p->tells ? "are told apart" : "are found",
                         from(p->test[p->best].worst).text);
    if (!quiet)
        darc_report_print_notes(out, p->note, NULL, p->notes, INT_MAX);
}

static void json_found(darc_json *j, const darc_planned *p,
                       const darc_planned_test *t)
{
    DARC_JSON_LIST(j, "detectable", i, t->failure == NULL ? p->functions : 0,
                   "{" DARC_JSON_FORESEEN "}", t->found[i].function,
                   t->found[i].relative, t->found[i].relative_to_a);
}

void darc_planning_json(darc_text_t out, const darc_planned *p)
{
    darc_json j;
    const darc_planned_test *best = p->best < 0 ? p->test : p->test + p->best;
    darc_json_begin(&j, out, "plan", p->command_line);
    darc_json_put(&j, "model{" DARC_JSON_MODEL "} " DARC_JSON_REPORT_PLAN_THEN,
                  p->model_name, p->model_file, p->file, p->alpha, p->samples,
                  p->rate);
    json_found(&j, p, best);
    darc_json_put(&j, "best:s tests[", p->best < 0 ? NULL : best->input);
    for (int k = 0; k < p->tests; k++) {
        const darc_planned_test *t = &p->test[k];
        darc_json_put(&j, "{" DARC_JSON_PLANNED, t->input, t->failure);
        json_found(&j, p, t);
        DARC_JSON_LIST(&j, "apart", i, t->failure == NULL ? p->pairs : 0,
                       "{" DARC_JSON_APART "}", t->apart[i].changed,
                       t->apart[i].other, t->apart[i].relative);
        darc_json_put(&j, DARC_JSON_PLANNED_THEN "}", t->worst);
    }
    darc_json_put(&j, "] notes:a", p->note, p->notes);
    darc_json_end(&j);
}
