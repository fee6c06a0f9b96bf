#include "report/report.h"

#include <math.h>

const char *darc_fulfilment_text(darc_fulfilment f)
{
    static const char *const word[] = {"fulfilled", "impossible", "undecided"};
    return word[f];
}

static void print_lines(darc_text_t out, const char *label,
                        const char *const *line, int n)
{
    for (int i = 0; i < n; i++)
        darc_text_printf(out, DARC_LABEL "%s\n", i == 0 ? label : "", line[i]);
}

static void print_values(darc_text_t out, const char *label,
                         const darc_fulfilled *f, int digits)
{
    int n = 0;
    for (int i = 0; i < f->parameters; i++) {
        if (isnan(f->parameter[i].value))
            continue;
        darc_text_printf(out, n == 0 ? DARC_LABEL "%s = %.*g" : "%s, %s = %.*g",
                         label, f->parameter[i].name, digits,
                         f->parameter[i].value);
        label = "";
        n++;
    }
    darc_text_puts(out, n > 0 ? "\n" : "");
}

static void print_parameters(darc_text_t out, const darc_fulfilled *f)
{
    const char *label = "parameters";
    for (int i = 0; i < f->parameters; i++) {
        const darc_fulfilling *p = &f->parameter[i];
        if (p->given || (p->formula == NULL && f->relations > 0))
            continue;
        darc_text_printf(out, DARC_LABEL "%s = %s\n", label, p->name,
                         p->formula != NULL ? p->formula : "any value");
        label = "";
    }
    print_values(out, "witness", f, 6);
}

/* What was found over a band, and how it misses the target. */
static void print_nearest(darc_text_t out, const darc_fulfilled *f)
{
    if (f->defect_output != NULL)
        print_values(out, "nearest", f, 15);
    darc_text_printf(out, DARC_LABEL "%.6g to %.6g Hz\n", "band", f->low_hz,
                     f->high_hz);
    darc_text_printf(out, DARC_LABEL "%.3g %%", "defect", 100 * f->defect);
    if (f->defect_output != NULL)
        darc_text_printf(out, " at %.4g Hz, from %s to %s%s", f->defect_hz,
                         f->defect_input, f->defect_output,
                         f->stable ? "" : "; not stable");
    darc_text_puts(out, "\n");
}

void darc_fulfilment_print(darc_text_t out, const darc_fulfilled *f, bool quiet)
{
    const char *verdict = darc_fulfilment_text(f->verdict);
    if (quiet) {
        darc_text_printf(out, "%s\n", verdict);
        return;
    }
    darc_text_printf(out, "%s as %s: %s\n" DARC_LABEL "%s\n", f->model_name,
                     f->target_name, verdict, "reason", f->reason);
    if (f->verdict == DARC_IS_FULFILLED && f->defect_output == NULL)
        print_parameters(out, f);
    if (!isnan(f->defect))
        print_nearest(out, f);
    print_lines(out, "family", f->relation, f->relations);
    print_lines(out, "where", f->condition, f->conditions);
    print_lines(out, "cancelled", &f->modes, f->modes != NULL);
    print_lines(out, "certificate", &f->certificate, f->certificate != NULL);
}

static void put_values(darc_json *j, const darc_fulfilled *f, bool known)
{
    for (int i = 0; i < f->parameters && known; i++)
        if (!isnan(f->parameter[i].value))
            darc_json_put(j, "*:d", f->parameter[i].name,
                          f->parameter[i].value);
}

void darc_fulfilment_json(darc_text_t out, const darc_fulfilled *f)
{
    darc_json j;
    darc_json_begin(&j, out, "fulfil", f->command_line);
    darc_json_put(&j,
                  "model{" DARC_JSON_MODEL "} target{" DARC_JSON_MODEL
                  "} " DARC_JSON_REPORT_FULFIL_THEN " parameters{",
                  f->model_name, f->model_file, f->target_name, f->target_file,
                  darc_fulfilment_text(f->verdict), f->reason);
    bool near = f->defect_output != NULL;
    bool done = f->verdict == DARC_IS_FULFILLED;
    for (int i = 0; i < f->parameters && !near; i++)
        darc_json_put(&j, "*:S", f->parameter[i].name, f->parameter[i].formula);
    darc_json_put(&j, "} witness{");
    put_values(&j, f, done);
    darc_json_put(&j, "} conditions:a family:a cancelled:s certificate:s",
                  f->condition, f->conditions, f->relation, f->relations,
                  f->modes, f->certificate);
    if (!isnan(f->low_hz)) {
        darc_json_put(&j, "tolerance:d band[:d :d] nearest{", f->tolerance,
                      f->low_hz, f->high_hz);
        put_values(&j, f, done || near);
        darc_json_put(&j, "} defect:d", f->defect);
    }
    if (near)
        darc_json_put(&j, "defect_hz:d output:s input:s stable:b", f->defect_hz,
                      f->defect_output, f->defect_input, f->stable);
    darc_json_end(&j);
}
