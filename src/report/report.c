#include "report/report.h"

#include "darc.h"
#include "report/measure.h"
#include "report/thresholds.h"
#include "stats/stats.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void darc_name_list_print(darc_text_t out, const darc_name_list *s)
{
    darc_text_putc(out, '{');
    for (int i = 0; i < s->count; i++)
        darc_text_printf(out, "%s%s", i > 0 ? ", " : "", s->name[i]);
    darc_text_putc(out, '}');
}

void darc_report_json_data(darc_json *j, const darc_report_data *data,
                           int recordings)
{
    DARC_JSON_LIST(j, "data", i, recordings, "{" DARC_JSON_DATA "}",
                   data[i].file, data[i].samples, data[i].rate, data[i].used);
}

static void json_relation(darc_json *j, const darc_report_relation *l)
{
    const darc_residual_summary *s = &l->residual;
    darc_json_put(
        j, "relation{" DARC_JSON_RELATION "} residual{" DARC_JSON_RESIDUAL "}",
        l->form, l->terms, l->order, l->equation, l->weak, l->inequation,
        l->inequations, s->rms, s->max, s->relative_rms, s->unit);
}

static void json_decision(darc_json *j, const char *key, const darc_decision *d)
{
    darc_json_put(j, "*{" DARC_JSON_DECISION, key, d->method, d->statistic,
                  d->dof, d->p_value, d->alpha, d->defect, d->defect_low,
                  d->defect_high, d->tolerance, d->detectable, d->noise,
                  darc_verdict_text(d->verdict), d->reason);
}

void darc_report_json_decision(darc_json *j, const char *key,
                               const darc_decision *d)
{
    json_decision(j, key, d);
    darc_json_put(j, "}");
}

/* The decision on all, and the noise that it found. */
static void json_verdict(darc_json *j, const darc_report *r)
{
    json_decision(j, "decision", &r->decision);
    darc_json_put(j, r->noises > 0 ? "noise[" : "");
    for (int i = 0; i < r->noises; i++) {
        const darc_noise_found *n = r->noise + i;
        const darc_noise_point *last = n->spectrum + n->points - 1;
        darc_json_put(j, "{" DARC_JSON_NOISE, n->signal, n->level, n->grows,
                      n->heavy ? "heavy" : "normal");
        DARC_JSON_LIST(j, "lines", k, n->lines, "{" DARC_JSON_LINE "}",
                       n->line[k].hz, n->line[k].level);
        DARC_JSON_LIST(j, "spectrum", k, n->points, "[:d :d]", last[-k].hz,
                       last[-k].level);
        darc_json_put(j, "}");
    }
    darc_json_put(j, r->noises > 0 ? "]}" : "}");
}

void darc_report_json_estimates(darc_json *j, const darc_estimate *e, int n,
                                bool two)
{
    DARC_JSON_LIST(j, "estimates", i, n,
                   two ? "{" DARC_JSON_ESTIMATE " " DARC_JSON_ESTIMATE_MORE "}"
                       : "{" DARC_JSON_ESTIMATE "}",
                   e[i].function, e[i].value_a, e[i].sd_a, e[i].value_b,
                   e[i].sd_b);
}

void darc_report_json_values(darc_json *j, const darc_estimate *v, int n,
                             bool two)
{
    darc_json_put(j, "values[");
    for (int i = 0; i < n; i++, v++) {
        darc_json_put(j, "{" DARC_JSON_VALUE, v->function, v->value_a, v->sd_a,
                      v->unit != NULL ? v->unit : "", v->low_a, v->high_a,
                      v->local);
        darc_json_put(j, two ? DARC_JSON_VALUE_MORE "}" : "}", v->value_b,
                      v->sd_b, v->low_b, v->high_b);
    }
    darc_json_put(j, "]");
}

static void json_overlay(darc_json *j, const darc_report *r)
{
    if (r->overlays > 0)
        DARC_JSON_LIST(j, "outputs", i, r->overlays, "{" DARC_JSON_OUTPUT "}",
                       r->overlay[i].file, r->overlay[i].output,
                       r->overlay[i].fit_percent);
}

static void json_profiles(darc_json *j, const darc_report *r)
{
    darc_json_put(j, r->profiles > 0 ? "profile[" : "");
    for (int i = 0; i < r->profiles; i++) {
        const darc_profile_curve *p = r->profile + i;
        darc_json_put(j, "{" DARC_JSON_CURVE, p->name, p->limit);
        DARC_JSON_LIST(j, "points", k, p->points, "{" DARC_JSON_PLACE "}",
                       p->value[k], p->fall[k]);
        darc_json_put(j, "}");
    }
    darc_json_put(j, r->profiles > 0 ? "]" : "");
}

static void print_overlay(darc_text_t out, const darc_report *r)
{
    for (int i = 0; i < r->overlays; i++) {
        const darc_overlay *x = &r->overlay[i];
        bool first = i == 0 || strcmp(x->file, x[-1].file) != 0;
        darc_text_printf(out, first ? DARC_LABEL "%s: " : ", ",
                         i == 0 ? "fit" : "", x->file);
        darc_text_printf(out, "%s %.4g %%", x->output, x->fit_percent);
        if (i + 1 == r->overlays || strcmp(x->file, x[1].file) != 0)
            darc_text_putc(out, '\n');
    }
}

void darc_report_json_changes(darc_json *j, const darc_change *v,
                              const char *const *function, int functions)
{
    int n = v != NULL ? functions : 0;
    DARC_JSON_LIST(j, "moved", k, n, v[k].moved ? ":s" : "", function[k]);
    DARC_JSON_LIST(j, "change", k, n, "{" DARC_JSON_CHANGE "}", function[k],
                   v[k].relative, v[k].relative_sd, v[k].value, v[k].sd,
                   v[k].p_value, v[k].moved);
}

static void json_stretches(darc_json *j, const darc_report *r)
{
    if (r->stretches == 0)
        return;
    darc_json_put(j, "stretches[");
    for (int i = 0; i < r->stretches; i++) {
        const darc_stretch *s = &r->stretch[i];
        darc_json_put(j, "{from:d to:d verdict:s", s->from, s->to,
                      darc_verdict_text(s->verdict));
        darc_report_json_changes(j, s->change, r->function, r->functions);
        darc_json_put(j, "}");
    }
    darc_json_put(j, "]");
}

static void json_each(darc_json *j, const darc_report *r)
{
    darc_json_put(j, r->eaches > 0 ? "each[" : "");
    for (int i = 0; i < r->eaches; i++) {
        darc_json_put(j, "{file:s", r->each[i].file);
        darc_report_json_decision(j, "decision", &r->each[i].decision);
        darc_json_put(j, "}");
    }
    darc_json_put(j, r->eaches > 0 ? "]" : "");
}

static void json_missing(darc_json *j, const darc_report *r)
{
    darc_json_put(j, "missing[");
    for (int i = 0; i < r->relations; i++)
        for (int k = 0; k < r->relation[i].missing; k++) {
            const darc_missing_term *m = &r->relation[i].missing_term[k];
            darc_json_put(j, "{" DARC_JSON_MISSING "}", m->term, m->explains,
                          m->p_value, m->value, m->sd);
        }
    darc_json_put(j, "]");
}

/* What was decided, and by what. */
static void json_held(darc_json *j, const darc_report *r, bool two)
{
    json_relation(j, &r->relation[r->deciding]);
    json_verdict(j, r);
    darc_report_json_estimates(j, r->estimate, r->estimates, two);
}

/* Of several relations every one, the top level holding the deciding; what else
 * a check tells. */
static void json_more(darc_json *j, const darc_report *r)
{
    darc_json_put(j, r->relations > 1 ? "relations[" : "");
    for (int i = 0; i < r->relations && r->relations > 1; i++) {
        darc_json_put(j, "{");
        json_relation(j, &r->relation[i]);
        darc_report_json_decision(j, "decision", &r->relation[i].decision);
        darc_json_put(j, "}");
    }
    darc_json_put(j, r->relations > 1 ? "]" : "");
    json_stretches(j, r);
    json_each(j, r);
    json_missing(j, r);
    darc_json_put(j, "held:a", r->held, r->helds);
}

void darc_report_json(darc_text_t out, const darc_report *r)
{
    bool check = r->relations > 0, two = check && r->recordings > 1;
    darc_json j;
    darc_json_init(&j, out);
    if (check)
        darc_json_put(&j, "{" DARC_JSON_REPORT_CHECK, DARC_VERSION, r->command,
                      r->test, r->command_line, r->changed);
    else
        darc_json_put(&j, "{" DARC_JSON_REPORT_VALUES, DARC_VERSION, r->command,
                      r->command_line);
    darc_json_put(&j, "model{" DARC_JSON_MODEL "}", r->model_name,
                  r->model_file);
    darc_report_json_data(&j, r->data, r->recordings);
    if (check)
        json_held(&j, r, two);
    else
        darc_json_put(&j, DARC_JSON_REPORT_VALUES_THEN, r->decision.alpha);
    darc_report_json_values(&j, r->value, r->values, two);
    json_overlay(&j, r);
    json_profiles(&j, r);
    if (check)
        json_more(&j, r);
    darc_json_put(&j, "notes:a", r->note, r->notes);
    darc_json_end(&j);
}

void darc_report_print_data(darc_text_t out, const darc_report_data *data,
                            int recordings)
{
    for (int i = 0; i < recordings; i++) {
        const darc_report_data *d = &data[i];
        darc_text_printf(out, DARC_LABEL "%s: %zu samples",
                         recordings != 2 ? "recording"
                         : i == 0        ? "A"
                                         : "B",
                         d->file, d->samples);
        if (isfinite(d->rate))
            darc_text_printf(out, " at %.6g Hz", d->rate);
        if (d->used > 0 && d->used < d->samples)
            darc_text_printf(out, ", %zu used", d->used);
        darc_text_putc(out, '\n');
    }
}

void darc_report_print_notes(darc_text_t out, const char *const *note,
                             const bool *detail, int notes, int most)
{
    int left = 0, told = 0;
    for (int i = 0; i < notes; i++) {
        bool tell = most == INT_MAX || (!detail[i] && told < most);
        left += !tell;
        told += tell;
        if (tell)
            darc_text_printf(out, DARC_LABEL "%s\n", "note", note[i]);
    }
    if (left > 0)
        darc_text_printf(out, DARC_LABEL "--verbose tells more\n", "");
}

static void print_relation(darc_text_t out, const darc_report_relation *l)
{
    const darc_residual_summary *r = &l->residual;
    darc_text_printf(out, DARC_LABEL "%s form, order %d, %ld %s\n", "relation",
                     l->form, l->order, l->terms,
                     strcmp(l->form, "matrix") == 0 ? "entries" : "terms");
    darc_text_printf(out, DARC_LABEL "%s\n", "", l->equation);
    for (int i = 0; i < l->inequations; i++)
        darc_text_printf(out, DARC_LABEL "%s != 0\n",
                         i == 0 ? "provided" : "and", l->inequation[i]);
    if (l->weak != NULL)
        darc_text_printf(out, DARC_LABEL "%s = 0\n", "weak form", l->weak);
    if (!isfinite(r->rms))
        return;
    darc_text_printf(out, DARC_LABEL "rms %.3g%s%s, max %.3g", "residual",
                     r->rms, r->unit[0] ? " " : "", r->unit, r->max);
    /* Of the weak form what the terms leave is mostly noise under short test
     * functions, so that its share says little. */
    if (l->weak == NULL)
        darc_text_printf(out, "; %.2g of its terms", r->relative_rms);
    darc_text_putc(out, '\n');
}

static void print_test(darc_text_t out, const darc_decision *d)
{
    darc_text_printf(out, DARC_LABEL "%s", "test", d->method);
    if (isfinite(d->statistic))
        darc_text_printf(out, ", statistic %.4g", d->statistic);
    if (d->dof > 0 && isfinite(d->dof))
        darc_text_printf(out, " on %.4g degrees of freedom", d->dof);
    if (isfinite(d->p_value))
        darc_text_printf(out, ", %s", darc_stats_p_text(d->p_value).text);
    darc_text_printf(out, ", alpha = %g", d->alpha);
    if (d->noise != NULL)
        darc_text_printf(out, ", noise %s",
                         strcmp(d->noise, "any") == 0 ? "of any colour"
                                                      : d->noise);
    darc_text_putc(out, '\n');
}

static darc_percent share(double x)
{
    return x > 1 ? darc_percent_share(x) : darc_percent_of(x);
}

void darc_report_print_defect(darc_text_t out, const darc_decision *d)
{
    if (!isfinite(d->defect))
        return;
    darc_text_printf(out, DARC_LABEL, "defect");
    darc_text_puts(out, share(d->defect).text);
    if (isfinite(d->defect_low) && isfinite(d->defect_high)) {
        darc_text_printf(out, " (%s to %s)", share(d->defect_low).text,
                         share(d->defect_high).text);
    }
    if (d->detectable > 1)
        darc_text_puts(out, ", none below 100 % would be seen");
    else if (isfinite(d->detectable))
        darc_text_printf(out, ", detectable from %s",
                         share(d->detectable).text);
    if (d->tolerance > 0)
        darc_text_printf(out, ", tolerance %g %%", 100 * d->tolerance);
    darc_text_putc(out, '\n');
}

/* The stretches, and what moved between them, if that was looked for. */
static void print_stretches(darc_text_t out, const darc_report *r)
{
    static const char *const structure[] = {
        [DARC_CONSISTENT] = "",
        [DARC_INCONSISTENT] = "; structure fails",
        [DARC_UNDECIDED] = "; structure undecided"};
    for (int i = 0; i < r->stretches; i++) {
        const darc_stretch *s = &r->stretch[i];
        const char *sep = ": ";
        darc_text_printf(out, DARC_LABEL "%.6g to %.6g s",
                         i == 0 ? "over time" : "then", s->from, s->to);
        for (int k = 0; k < r->functions && s->change != NULL; k++) {
            const darc_change *c = &s->change[k];
            if (!c->moved)
                continue;
            darc_text_printf(
                out, "%s%s moves by %s (1 sd)", sep, r->function[k],
                darc_percent_change(c->relative, c->relative_sd).text);
            sep = ", ";
        }
        darc_text_printf(out, "%s\n", structure[s->verdict]);
    }
}

/* What each of several recordings tells. */
static void print_each(darc_text_t out, const darc_report *r, int rows)
{
    for (int i = 0; i < r->eaches && i < rows; i++) {
        const darc_report_each *x = &r->each[i];
        darc_text_printf(out, DARC_LABEL "%s: %s", i == 0 ? "each" : "",
                         x->file, darc_verdict_text(x->decision.verdict));
        if (isfinite(x->decision.p_value))
            darc_text_printf(out, ", p = %.2g", x->decision.p_value);
        if (isfinite(x->decision.defect) && isfinite(x->decision.defect_high))
            darc_text_printf(out, ", defect %s to %s",
                             darc_percent_of(x->decision.defect_low).text,
                             darc_percent_of(x->decision.defect_high).text);
        darc_text_puts(out, "\n");
    }
    if (r->eaches > rows)
        darc_text_printf(out, "    and %d more (--verbose)\n",
                         r->eaches - rows);
}

static void print_verdict(darc_text_t out, const darc_decision *d)
{
    for (const char *s = darc_verdict_text(d->verdict); *s != '\0'; s++)
        darc_text_putc(out, (char)(*s - 'a' + 'A'));
    if (d->reason[0] != '\0')
        darc_text_printf(out, ": %s", d->reason);
    darc_text_putc(out, '\n');
}

/* Relations, what is left of them, tests. */
static void print_proof(darc_text_t out, const darc_report *r)
{
    darc_text_printf(out, DARC_LABEL "%s: %s%s%s\n", "model", r->model_name,
                     r->test, r->changed != NULL ? " " : "",
                     r->changed != NULL ? r->changed : "");
    for (int i = 0; i < r->relations; i++) {
        const darc_report_relation *l = &r->relation[i];
        print_relation(out, l);
        if (r->relations < 2 || l->joint)
            continue;
        print_test(out, &l->decision);
        darc_report_print_defect(out, &l->decision);
        darc_text_printf(out, DARC_LABEL, "verdict");
        print_verdict(out, &l->decision);
    }
    print_test(out, &r->decision);
}

static void print_decided(darc_text_t out, const darc_report *r, int rows)
{
    const darc_decision *d = &r->decision;
    print_verdict(out, d);
    print_each(out, r, rows);
    if (r->recordings == 2 && strcmp(r->test, "structure") != 0)
        darc_report_print_changes(out, DARC_TOLD_VALUES(r), d->alpha,
                                  d->verdict == DARC_INCONSISTENT, rows);
    else
        darc_report_print_values(out, DARC_TOLD_VALUES(r), d->alpha, rows);
    darc_report_print_defect(out, d);
}

void darc_report_print(darc_text_t out, const darc_report *r, bool quiet,
                       bool verbose)
{
    bool check = r->relations > 0;
    if (quiet && check) {
        darc_text_printf(out, "%s\n", darc_verdict_text(r->decision.verdict));
        return;
    }
    if (check)
        print_decided(out, r, verbose ? INT_MAX : DARC_TOLD_ROWS);
    else if (r->values == 0)
        darc_text_puts(out, "no value is known\n");
    else
        darc_report_print_values(out, r->value, r->values, r->decision.alpha,
                                 INT_MAX);
    print_overlay(out, r);
    darc_report_print_data(out, r->data, r->recordings);
    print_stretches(out, r);
    for (int i = 0; i < r->relations; i++)
        if (r->relation[i].plot != NULL)
            darc_text_printf(out, DARC_LABEL "%s\n", "residual",
                             r->relation[i].plot);
    if (verbose && check)
        print_proof(out, r);
    darc_report_print_notes(out, r->note, r->detail, r->notes,
                            verbose ? INT_MAX : DARC_TOLD_NOTES);
}
