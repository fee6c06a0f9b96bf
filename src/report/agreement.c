#include "report/agreement.h"

#include "emit/json.h"

#include <math.h>

static void print_features(darc_text_t out, const darc_compare_output *o)
{
    for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
        if (!o->wanted[f])
            continue;
        darc_text_printf(out, "  %-20s", darc_feature_name((darc_feature)f));
        if (o->missing[f] != NULL)
            darc_text_printf(out, "left out: %s\n", o->missing[f]);
        else
            darc_text_printf(out,
                             "reference %.6g, simulation %.6g, consistency "
                             "%.4f\n",
                             o->reference[f], o->mean.feature[f],
                             o->mean.consistency[f]);
    }
}

static void print_interval(darc_text_t out, const darc_compare_output *o, int f)
{
    const darc_interval *v = &o->interval[f];
    if (!o->interval_known[f])
        return;
    darc_text_printf(
        out, "  %-20s%s, %.3g %%: difference %.4g in %.4g .. %.4g: %s",
        darc_feature_name((darc_feature)f), v->method, 100 * v->level,
        v->difference, v->low, v->high,
        v->zero_inside ? "no difference shown" : "a difference is shown");
    if (v->tolerance > 0)
        darc_text_printf(out, ", %s the tolerance %.4g",
                         v->within ? "within" : "not proved to be within",
                         v->tolerance);
    darc_text_putc(out, '\n');
}

static void print_spectra(darc_text_t out, const darc_spectra *s)
{
    if (s->bands == 0)
        return;
    darc_text_printf(out,
                     "  spectra: %d of %d bands agree at %.3g %% in all; "
                     "Burg orders by MDL %d and %d, by AIC %d and %d\n",
                     s->accepted, s->bands, 100 * s->level, s->order_reference,
                     s->order_simulation, s->aic_reference, s->aic_simulation);
    for (int k = 0; k < s->bands; k++) {
        const darc_band *b = &s->band[k];
        darc_text_printf(out,
                         "    %8.4g .. %8.4g Hz  ratio %8.4g in %.4g .. %.4g  "
                         "Burg %.4g  %s\n",
                         b->low, b->high, b->ratio, b->ratio_low, b->ratio_high,
                         b->burg_ratio, b->accepted ? "agrees" : "differs");
    }
}

static void print_practice(darc_text_t out, const darc_compare_run *run,
                           const char *unit)
{
    const darc_errors *e = &run->errors;
    const darc_iso18571 *v = &run->iso;
    darc_text_printf(out, "  %-20s%.6g %s", "RMS error", e->rms, unit);
    if (!isnan(e->nrmse))
        darc_text_printf(out, " (%.3g %% of the range)", 100 * e->nrmse);
    darc_text_printf(out, "\n  %-20s%.6g %s at %.6g s\n", "largest error",
                     e->max_error, unit, run->max_error_time);
    if (!isnan(e->r_squared))
        darc_text_printf(out, "  %-20s%.6g\n", "R^2", e->r_squared);
    if (!isnan(v->shift))
        darc_text_printf(out, "  %-20s%.4g s\n", "time shift", v->shift);
    if (v->undefined != NULL)
        darc_text_printf(out, "  %-20snot defined: %s\n", "ISO/TS 18571",
                         v->undefined);
    else
        darc_text_printf(out,
                         "  %-20s%.3f, %s (corridor %.3f, phase %.3f, "
                         "magnitude %.3f, slope %.3f)\n",
                         "ISO/TS 18571", v->rating, v->grade, v->corridor,
                         v->phase, v->magnitude, v->slope);
}

static void print_output(darc_text_t out, const darc_comparison *c,
                         const darc_compare_output *o)
{
    const darc_compare_run *m = &o->mean;
    darc_text_printf(out, "\noutput %s%s%s%s\n", o->name,
                     o->unit[0] != '\0' ? " [" : "", o->unit,
                     o->unit[0] != '\0' ? "]" : "");
    darc_text_printf(out, "  %-20s%.4f (0 equal .. 1)\n", "Theil", m->theil);
    darc_text_printf(out, "  %-20s%.4f, proximity %.4f\n", "Theil, reference",
                     m->theil_reference, m->proximity);
    darc_text_printf(out, "  %-20s%.4f (grey relational degree)\n", "shape",
                     m->grey.degree);
    if (m->grey.parallel)
        darc_text_puts(out, "  warning: the signals lie at a nearly constant "
                            "distance: the grey degree\n  cannot see an "
                            "offset; look at the proximity\n");
    darc_text_printf(out, "  %-20s%.4f\n", "data consistency",
                     m->data_consistency);
    print_features(out, o);
    for (int k = 0; k < c->runs; k++) {
        if (c->runs > 1)
            darc_text_printf(out, "  run %d\n", k + 1);
        print_practice(out, &o->run[k], o->unit);
        print_spectra(out, &o->run[k].spectra);
    }
    for (int f = 0; f < DARC_FEATURE_COUNT; f++)
        print_interval(out, o, f);
}

static void print_weights(darc_text_t out, const darc_agreement *a)
{
    for (int i = 0; i < a->columns; i++)
        darc_text_printf(out, "  %-24s weight %.5f  mean consistency %.4f\n",
                         a->column[i].name, a->column[i].weight,
                         a->column[i].mean);
    if (a->note != NULL)
        darc_text_printf(out, "  (%s)\n", a->note);
}

/* "consistency 0.58, of 0 to 1; the least is that of y: 0.31" */
static void print_consistency(darc_text_t out, const darc_agreement *a)
{
    int least = 0;
    for (int i = 1; i < a->columns; i++)
        if (a->column[i].mean < a->column[least].mean)
            least = i;
    darc_text_printf(out, "consistency %.5f, of 0 to 1 (equal)",
                     a->consistency);
    if (a->columns > 1)
        darc_text_printf(out, "; least in %s: %.4f", a->column[least].name,
                         a->column[least].mean);
    darc_text_putc(out, '\n');
}

static void print_comparison(darc_text_t out, const darc_comparison *c)
{
    darc_text_printf(out,
                     "%d reference run%s, %d simulation run%s: %zu of %zu "
                     "samples, %.6g .. %.6g s\n",
                     c->references, c->references == 1 ? "" : "s", c->runs,
                     c->runs == 1 ? "" : "s", c->samples, c->offered, c->begin,
                     c->end);
    if (c->resampled)
        darc_text_puts(out, "some runs have other times: brought onto those "
                            "of the first reference by straight lines\n");
    if (c->units->len > 0)
        darc_text_printf(out, "units: %s\n", c->units->s);
    if (c->inputs->len > 0)
        darc_text_printf(out, "warning: other inputs: %s\n", c->inputs->s);
    if (c->references < 2 || c->runs < 2)
        darc_text_puts(out, "no confidence intervals: these take two runs "
                            "of each, at least\n");
    for (int i = 0; i < c->outputs; i++)
        print_output(out, c, &c->output[i]);
    darc_text_puts(out, "\nweights of the outputs in the consistency\n");
}

static void print_validation(darc_text_t out, const darc_validation *v)
{
    darc_text_puts(out, "\nvalidation in four steps\n");
    for (int k = 0; k < DARC_STEP_COUNT; k++)
        darc_text_printf(out, "  [%c] %-12s %s\n",
                         v->passed[k] == DARC_TRUE    ? 'x'
                         : v->passed[k] == DARC_FALSE ? '!'
                                                      : ' ',
                         darc_validation_name((darc_validation_step)k),
                         v->evidence[k]);
}

void darc_agreement_print(darc_text_t out, const darc_comparison *c,
                          const darc_agreement *a, const darc_validation *v,
                          bool quiet)
{
    if (quiet && c != NULL) {
        darc_text_printf(out, "consistency %.5f\n", a->consistency);
    } else {
        print_consistency(out, a);
        if (c != NULL)
            print_comparison(out, c);
        print_weights(out, a);
    }
    if (v != NULL)
        print_validation(out, v);
}

static void json_features(darc_json *j, const darc_compare_output *o,
                          const darc_compare_run *run)
{
    DARC_JSON_LIST(j, "features", f, DARC_FEATURE_COUNT,
                   o->wanted[f] ? "{" DARC_JSON_FEATURE "}" : "",
                   darc_feature_name((darc_feature)f), o->reference[f],
                   run->feature[f], run->consistency[f], o->missing[f]);
}

static void json_spectra(darc_json *j, const darc_spectra *s)
{
    if (s->bands == 0)
        return;
    const darc_band *b = s->band;
    darc_json_put(j, "spectra{" DARC_JSON_SPECTRA, s->level, (long)s->segment,
                  s->order_reference, s->order_simulation, s->accepted);
    DARC_JSON_LIST(j, "bands", k, s->bands, "{" DARC_JSON_BAND "}", b[k].low,
                   b[k].high, b[k].ratio, b[k].ratio_low, b[k].ratio_high,
                   b[k].burg_ratio, b[k].burg_low, b[k].burg_high,
                   b[k].accepted);
    darc_json_put(j, "}");
}

static void json_run(darc_json *j, const darc_compare_output *o,
                     const darc_compare_run *run)
{
    darc_json_put(j, "{" DARC_JSON_RUN, run->theil, run->theil_reference,
                  run->proximity, run->grey.degree, run->data_consistency);
    json_features(j, o, run);
    darc_json_put(j, "practice{" DARC_JSON_PRACTICE "}", run->errors.rms,
                  run->errors.nrmse, run->errors.max_error, run->max_error_time,
                  run->errors.r_squared, run->iso.shift, run->iso.corridor,
                  run->iso.phase, run->iso.magnitude, run->iso.slope,
                  run->iso.rating, run->iso.grade, run->iso.undefined);
    json_spectra(j, &run->spectra);
    darc_json_put(j, "}");
}

static void json_output(darc_json *j, const darc_comparison *c,
                        const darc_compare_output *o)
{
    const darc_compare_run *m = &o->mean;
    darc_json_put(j, "{" DARC_JSON_AGREEMENT, o->name, o->unit, m->theil,
                  m->theil_reference, m->proximity, m->grey.degree,
                  m->data_consistency, m->grey.parallel);
    json_features(j, o, &o->mean);
    const darc_interval *v = o->interval;
    DARC_JSON_LIST(j, "intervals", f, DARC_FEATURE_COUNT,
                   o->interval_known[f] ? "{" DARC_JSON_INTERVAL "}" : "",
                   darc_feature_name((darc_feature)f), v[f].method, v[f].level,
                   v[f].difference, v[f].low, v[f].high, v[f].dof,
                   v[f].zero_inside, v[f].tolerance, v[f].within);
    darc_json_put(j, "runs[");
    for (int k = 0; k < c->runs; k++)
        json_run(j, o, &o->run[k]);
    darc_json_put(j, "]}");
}

static void json_comparison(darc_json *j, const darc_comparison *c,
                            const char *const *file, const char *command_line)
{
    darc_json_put(j,
                  "command_line:S references:a simulations:a samples:z from:d "
                  "to:d resampled:b inputs_differ:s units:s outputs[",
                  command_line, file, c->references, file + c->references,
                  c->runs, c->samples, c->begin, c->end, c->resampled,
                  c->inputs->s, c->units->s);
    for (int i = 0; i < c->outputs; i++)
        json_output(j, c, &c->output[i]);
    darc_json_put(j, "]");
}

void darc_agreement_json(darc_text_t out, const darc_comparison *c,
                         const darc_agreement *a, const darc_validation *v,
                         const char *const *file, const char *command_line)
{
    darc_json j;
    darc_json_begin(&j, out, "compare", NULL);
    if (c != NULL)
        json_comparison(&j, c, file, command_line);
    DARC_JSON_LIST(&j, "weights", i, a->columns, ":d", a->column[i].weight);
    DARC_JSON_LIST(&j, "weighted", i, a->columns, ":s", a->column[i].name);
    DARC_JSON_LIST(&j, "means", i, a->columns, ":d", a->column[i].mean);
    darc_json_put(&j, "weights_note:S consistency:d", a->note, a->consistency);
    if (v != NULL)
        DARC_JSON_LIST(&j, "validation", k, DARC_STEP_COUNT,
                       "{" DARC_JSON_STEP "}",
                       darc_validation_name((darc_validation_step)k),
                       v->passed[k], v->evidence[k]);
    darc_json_end(&j);
}
