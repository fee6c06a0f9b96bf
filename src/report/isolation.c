#include "report/isolation.h"

#include "darc.h"
#include "emit/json.h"

#include <math.h>

darc_verdict darc_isolation_verdict(const darc_isolate *result)
{
    if (result->equal.verdict != DARC_INCONSISTENT)
        return result->equal.verdict;
    if (result->diagnosis == 0)
        return DARC_INCONSISTENT;
    const darc_isolate_candidate *best = &result->candidate[0];
    bool clear =
        result->diagnosis == 1 && best->decision.verdict == DARC_CONSISTENT;
    return clear ? DARC_CONSISTENT : DARC_UNDECIDED;
}

/* ---- JSON --------------------------------------------------------------- */

static void json_set(darc_json *j, const char *key, const darc_parameter_set *s,
                     const darc_names_t names)
{
    darc_json_array(j, key);
    for (int i = 0; i < s->count; i++)
        darc_json_string(j, NULL, names->symbol[s->parameter[i]].name);
    darc_json_end_array(j);
}

static void json_candidate(darc_json *j, const darc_isolate_candidate *c,
                           const darc_names_t names)
{
    darc_json_object(j, NULL);
    json_set(j, "changed", &c->changed, names);
    darc_json_string(j, "verdict", darc_verdict_text(c->decision.verdict));
    darc_json_double(j, "p_value", c->decision.p_value);
    darc_json_double(j, "defect", c->decision.defect);
    darc_json_bool(j, "explains_any_change", c->free);
    darc_json_array(j, "equivalent");
    for (int i = 0; i < c->equivalents; i++)
        json_set(j, NULL, &c->equivalent[i], names);
    darc_json_end_array(j);
    darc_json_end_object(j);
}

static void json_head(darc_json *j, const darc_isolation *r)
{
    darc_json_string(j, "darc", DARC_VERSION);
    darc_json_string(j, "command", "isolate");
    darc_json_string(j, "arguments", r->command_line);
    darc_json_object(j, "model");
    darc_json_string(j, "name", darc_model_name(r->model));
    darc_json_string(j, "file", darc_model_file(r->model));
    darc_json_end_object(j);
    darc_report_json_data(j, r->data, 2);
}

void darc_isolation_json(darc_text_t out, const darc_isolation *r)
{
    const darc_names_struct *names = darc_model_names(r->model);
    const darc_isolate *result = r->result;
    darc_json j;
    darc_json_init(&j, out);
    darc_json_object(&j, NULL);
    json_head(&j, r);
    darc_report_json_decision(&j, "equal", &result->equal);
    darc_report_json_estimates(&j, result->estimate, result->estimates, true);
    darc_json_array(&j, "candidates");
    for (int i = 0; i < result->candidates; i++)
        json_candidate(&j, &result->candidate[i], names);
    darc_json_end_array(&j);
    darc_json_array(&j, "diagnosis");
    for (int i = 0; i < result->diagnosis; i++)
        json_set(&j, NULL, &result->candidate[i].changed, names);
    darc_json_end_array(&j);
    darc_json_array(&j, "unseen");
    for (int i = 0; i < result->unseen; i++)
        darc_json_string(&j, NULL,
                         names->symbol[result->unseen_parameter[i]].name);
    darc_json_end_array(&j);
    darc_json_string(&j, "verdict",
                     darc_verdict_text(darc_isolation_verdict(result)));
    darc_json_strings(&j, "notes", r->note, r->notes);
    darc_json_end_object(&j);
    darc_text_putc(out, '\n');
}

/* ---- text --------------------------------------------------------------- */

static void print_candidate(darc_text_t out, const darc_isolate_candidate *c,
                            bool diagnosed, const darc_names_t names)
{
    darc_text_printf(out, "  %s ", diagnosed ? "*" : " ");
    size_t begin = out->len;
    darc_parameter_set_print(out, &c->changed, names);
    int width = (int)(out->len - begin);
    darc_text_printf(out, "%*s  %-12s", width < 20 ? 20 - width : 0, "",
                     darc_verdict_text(c->decision.verdict));
    if (isfinite(c->decision.p_value))
        darc_text_printf(out, "  p = %-8.2g", c->decision.p_value);
    if (isfinite(c->decision.defect))
        darc_text_printf(out, "  others move %.2g %%",
                         100 * c->decision.defect);
    darc_text_putc(out, '\n');
    for (int i = 0; i < c->equivalents; i++) {
        darc_text_puts(out, "        no data can tell it from ");
        darc_parameter_set_print(out, &c->equivalent[i], names);
        darc_text_putc(out, '\n');
    }
    if (c->free)
        darc_text_puts(out, "        explains any change: nothing is "
                            "tested\n");
}

static void print_diagnosis(darc_text_t out, const darc_isolate *result,
                            const darc_names_t names)
{
    darc_text_puts(out, "  diagnosis   ");
    if (result->equal.verdict != DARC_INCONSISTENT)
        darc_text_puts(out, result->equal.verdict == DARC_CONSISTENT
                                ? "no change"
                                : "undecided");
    else if (result->diagnosis == 0)
        darc_text_puts(out, "no set of parameters explains the change");
    for (int i = 0; i < result->diagnosis; i++) {
        darc_text_puts(out, i > 0 ? " or " : "");
        darc_parameter_set_print(out, &result->candidate[i].changed, names);
    }
    if (result->diagnosis > 1)
        darc_text_puts(out, " (the recordings do not tell which)");
    darc_text_putc(out, '\n');
}

void darc_isolation_print(darc_text_t out, const darc_isolation *r, bool quiet)
{
    const darc_names_struct *names = darc_model_names(r->model);
    const darc_isolate *result = r->result;
    if (quiet) {
        print_diagnosis(out, result, names);
        return;
    }
    darc_text_printf(out, "%s: isolate\n", darc_model_name(r->model));
    darc_report_print_data(out, r->data, 2);
    darc_text_printf(out, "  equal       %s: %s\n",
                     darc_verdict_text(result->equal.verdict),
                     result->equal.reason);
    for (int i = 0; i < result->candidates; i++)
        print_candidate(out, &result->candidate[i], i < result->diagnosis,
                        names);
    for (int i = 0; i < result->unseen; i++)
        darc_text_printf(out,
                         "  note        a change of %s shows in no "
                         "signal\n",
                         names->symbol[result->unseen_parameter[i]].name);
    for (int i = 0; i < r->notes; i++)
        darc_text_printf(out, "  note        %s\n", r->note[i]);
    print_diagnosis(out, result, names);
}
