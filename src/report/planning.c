#include "report/planning.h"

#include "emit/json.h"
#include "report/report.h"

#include <limits.h>
#include <math.h>

static void put_from(darc_text_t out, double share)
{
    if (isfinite(share))
        darc_text_printf(out, "from %.2g %% on", 100 * share);
    else
        darc_text_puts(out, "never");
}

static void print_found(darc_text_t out, const darc_planned *p,
                        const darc_planned_test *t)
{
    for (int i = 0; i < p->functions; i++) {
        darc_text_printf(out, DARC_LABEL "%s: ", i == 0 ? "found" : "",
                         t->found[i].function);
        put_from(out, t->found[i].relative);
        darc_text_printf(out, ", against %s ", p->file);
        put_from(out, t->found[i].relative_to_a);
        darc_text_puts(out, "\n");
    }
}

static void print_apart(darc_text_t out, const darc_planned *p,
                        const darc_planned_test *t)
{
    for (int i = 0; i < p->pairs; i++) {
        const darc_told_apart *a = &t->apart[i];
        darc_text_printf(out, DARC_LABEL "%s from %s: ", i == 0 ? "apart" : "",
                         a->changed, a->other);
        put_from(out, a->relative);
        darc_text_puts(out, "\n");
    }
}

static void print_best(darc_text_t out, const darc_planned *p)
{
    if (p->tests < 2 || p->best < 0)
        return;
    const darc_planned_test *t = &p->test[p->best];
    darc_text_printf(out, DARC_LABEL "%s: all %s ", "best", t->input,
                     p->tells ? "are told apart" : "are found");
    put_from(out, t->worst);
    darc_text_puts(out, "\n");
}

void darc_planning_print(darc_text_t out, const darc_planned *p, bool quiet)
{
    if (!quiet)
        darc_text_printf(out,
                         "%s: changes found with probability 0.9 at alpha = "
                         "%.4g, by %zu samples at %.6g Hz\n",
                         p->model_name, p->alpha, p->samples, p->rate);
    for (int k = 0; k < p->tests && !quiet; k++) {
        const darc_planned_test *t = &p->test[k];
        darc_text_printf(out, DARC_LABEL "%s\n", "test",
                         t->input[0] != '\0' ? t->input : "no input");
        if (t->failure != NULL)
            darc_text_printf(out, DARC_LABEL "nothing: %s\n", "found",
                             t->failure);
        else
            print_found(out, p, t);
        if (t->failure == NULL)
            print_apart(out, p, t);
    }
    print_best(out, p);
    if (!quiet)
        darc_report_print_notes(out, p->note, NULL, p->notes, INT_MAX);
}

static void json_found(darc_json *j, const darc_planned *p,
                       const darc_planned_test *t)
{
    darc_json_array(j, "detectable");
    for (int i = 0; i < p->functions && t->failure == NULL; i++)
        darc_json_put_object(j, NULL, "function:s relative:d relative_to_a:d",
                             t->found[i].function, t->found[i].relative,
                             t->found[i].relative_to_a);
    darc_json_end_array(j);
}

static void json_test(darc_json *j, const darc_planned *p,
                      const darc_planned_test *t)
{
    darc_json_object(j, NULL);
    darc_json_put(j, "input:s failure:s", t->input, t->failure);
    json_found(j, p, t);
    darc_json_array(j, "apart");
    for (int i = 0; i < p->pairs && t->failure == NULL; i++)
        darc_json_put_object(j, NULL, "changed:s other:s relative:d",
                             t->apart[i].changed, t->apart[i].other,
                             t->apart[i].relative);
    darc_json_end_array(j);
    darc_json_double(j, "worst", t->worst);
    darc_json_end_object(j);
}

void darc_planning_json(darc_text_t out, const darc_planned *p)
{
    darc_json j;
    const darc_planned_test *best = p->best < 0 ? p->test : p->test + p->best;
    darc_json_begin(&j, out, "plan", p->command_line);
    darc_json_model(&j, p->model_name, p->model_file);
    darc_json_put(&j, "values:s alpha:d samples:l rate_hz:d", p->file, p->alpha,
                  (long)p->samples, p->rate);
    json_found(&j, p, best);
    darc_json_string(&j, "best", p->best < 0 ? NULL : best->input);
    darc_json_array(&j, "tests");
    for (int k = 0; k < p->tests; k++)
        json_test(&j, p, &p->test[k]);
    darc_json_end_array(&j);
    darc_json_strings(&j, "notes", p->note, p->notes);
    darc_json_end(&j);
}
