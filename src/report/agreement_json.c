#include "report/agreement.h"

#include "darc.h"
#include "emit/json.h"

static void json_features(darc_json *j, const darc_compare_output *o,
                          const darc_compare_run *run)
{
    darc_json_array(j, "features");
    for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
        if (!o->wanted[f])
            continue;
        darc_json_object(j, NULL);
        darc_json_string(j, "name", darc_feature_name((darc_feature)f));
        darc_json_double(j, "reference", o->reference[f]);
        darc_json_double(j, "simulation", run->feature[f]);
        darc_json_double(j, "consistency", run->consistency[f]);
        if (o->missing[f] != NULL)
            darc_json_string(j, "left_out", o->missing[f]);
        darc_json_end_object(j);
    }
    darc_json_end_array(j);
}

static void json_spectra(darc_json *j, const darc_spectra *s)
{
    if (s->bands == 0)
        return;
    darc_json_object(j, "spectra");
    darc_json_double(j, "level", s->level);
    darc_json_long(j, "segment", (long)s->segment);
    darc_json_long(j, "order_reference", s->order_reference);
    darc_json_long(j, "order_simulation", s->order_simulation);
    darc_json_long(j, "accepted", s->accepted);
    darc_json_array(j, "bands");
    for (int k = 0; k < s->bands; k++) {
        const darc_band *b = &s->band[k];
        darc_json_object(j, NULL);
        darc_json_double(j, "low_hz", b->low);
        darc_json_double(j, "high_hz", b->high);
        darc_json_double(j, "ratio", b->ratio);
        darc_json_double(j, "ratio_low", b->ratio_low);
        darc_json_double(j, "ratio_high", b->ratio_high);
        darc_json_double(j, "burg_ratio", b->burg_ratio);
        darc_json_double(j, "burg_low", b->burg_low);
        darc_json_double(j, "burg_high", b->burg_high);
        darc_json_bool(j, "accepted", b->accepted);
        darc_json_end_object(j);
    }
    darc_json_end_array(j);
    darc_json_end_object(j);
}

static void json_practice(darc_json *j, const darc_compare_run *run)
{
    darc_json_object(j, "practice");
    darc_json_double(j, "rms_error", run->errors.rms);
    darc_json_double(j, "nrmse", run->errors.nrmse);
    darc_json_double(j, "max_error", run->errors.max_error);
    darc_json_double(j, "max_error_time", run->max_error_time);
    darc_json_double(j, "r_squared", run->errors.r_squared);
    darc_json_double(j, "time_shift", run->iso.shift);
    darc_json_double(j, "corridor", run->iso.corridor);
    darc_json_double(j, "phase", run->iso.phase);
    darc_json_double(j, "magnitude", run->iso.magnitude);
    darc_json_double(j, "slope", run->iso.slope);
    darc_json_double(j, "iso18571", run->iso.rating);
    darc_json_string(j, "grade", run->iso.grade);
    if (run->iso.undefined != NULL)
        darc_json_string(j, "undefined", run->iso.undefined);
    darc_json_end_object(j);
}

static void json_measures(darc_json *j, const darc_compare_run *run)
{
    darc_json_double(j, "theil", run->theil);
    darc_json_double(j, "theil_reference", run->theil_reference);
    darc_json_double(j, "proximity", run->proximity);
    darc_json_double(j, "shape", run->grey.degree);
    darc_json_double(j, "data_consistency", run->data_consistency);
}

static void json_intervals(darc_json *j, const darc_compare_output *o)
{
    darc_json_array(j, "intervals");
    for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
        const darc_interval *v = &o->interval[f];
        if (!o->interval_known[f])
            continue;
        darc_json_object(j, NULL);
        darc_json_string(j, "feature", darc_feature_name((darc_feature)f));
        darc_json_string(j, "method", v->method);
        darc_json_double(j, "level", v->level);
        darc_json_double(j, "difference", v->difference);
        darc_json_double(j, "low", v->low);
        darc_json_double(j, "high", v->high);
        darc_json_double(j, "dof", v->dof);
        darc_json_bool(j, "zero_inside", v->zero_inside);
        darc_json_double(j, "tolerance", v->tolerance);
        darc_json_bool(j, "within_tolerance", v->within);
        darc_json_end_object(j);
    }
    darc_json_end_array(j);
}

static void json_output(darc_json *j, const darc_comparison *c,
                        const darc_compare_output *o)
{
    darc_json_object(j, NULL);
    darc_json_string(j, "name", o->name);
    darc_json_string(j, "unit", o->unit);
    json_measures(j, &o->mean);
    darc_json_bool(j, "parallel_offset", o->mean.grey.parallel);
    json_features(j, o, &o->mean);
    json_intervals(j, o);
    darc_json_array(j, "runs");
    for (int k = 0; k < c->runs; k++) {
        darc_json_object(j, NULL);
        json_measures(j, &o->run[k]);
        json_features(j, o, &o->run[k]);
        json_practice(j, &o->run[k]);
        json_spectra(j, &o->run[k].spectra);
        darc_json_end_object(j);
    }
    darc_json_end_array(j);
    darc_json_end_object(j);
}

static void json_weights(darc_json *j, const darc_agreement *a)
{
    darc_json_array(j, "weights");
    for (int i = 0; i < a->columns; i++)
        darc_json_double(j, NULL, a->column[i].weight);
    darc_json_end_array(j);
    darc_json_array(j, "weighted");
    for (int i = 0; i < a->columns; i++)
        darc_json_string(j, NULL, a->column[i].name);
    darc_json_end_array(j);
    darc_json_array(j, "means");
    for (int i = 0; i < a->columns; i++)
        darc_json_double(j, NULL, a->column[i].mean);
    darc_json_end_array(j);
    if (a->note != NULL)
        darc_json_string(j, "weights_note", a->note);
    darc_json_double(j, "consistency", a->consistency);
}

static void begin(darc_json *j, darc_text_t out, const char *command_line)
{
    darc_json_init(j, out);
    darc_json_object(j, NULL);
    darc_json_string(j, "darc", DARC_VERSION);
    darc_json_string(j, "command", "compare");
    if (command_line != NULL)
        darc_json_string(j, "command_line", command_line);
}

static void json_validation(darc_json *j, const darc_validation *v)
{
    darc_json_array(j, "validation");
    for (int k = 0; k < DARC_STEP_COUNT; k++) {
        darc_json_object(j, NULL);
        darc_json_string(j, "step",
                         darc_validation_name((darc_validation_step)k));
        if (v->passed[k] == DARC_UNKNOWN)
            darc_json_null(j, "passed");
        else
            darc_json_bool(j, "passed", v->passed[k] == DARC_TRUE);
        darc_json_string(j, "evidence", v->evidence[k]);
        darc_json_end_object(j);
    }
    darc_json_end_array(j);
}

void darc_agreement_json(darc_text_t out, const darc_comparison *c,
                         const darc_agreement *a, const darc_validation *v,
                         const char *const *file, const char *command_line)
{
    darc_json j;
    begin(&j, out, command_line);
    darc_json_array(&j, "references");
    for (int k = 0; k < c->references; k++)
        darc_json_string(&j, NULL, file[k]);
    darc_json_end_array(&j);
    darc_json_array(&j, "simulations");
    for (int k = 0; k < c->runs; k++)
        darc_json_string(&j, NULL, file[c->references + k]);
    darc_json_end_array(&j);
    darc_json_long(&j, "samples", (long)c->samples);
    darc_json_double(&j, "from", c->begin);
    darc_json_double(&j, "to", c->end);
    darc_json_bool(&j, "resampled", c->resampled);
    darc_json_array(&j, "outputs");
    for (int i = 0; i < c->outputs; i++)
        json_output(&j, c, &c->output[i]);
    darc_json_end_array(&j);
    json_weights(&j, a);
    if (v != NULL)
        json_validation(&j, v);
    darc_json_end_object(&j);
    darc_text_putc(out, '\n');
}

void darc_agreement_json_weights(darc_text_t out, const darc_agreement *a)
{
    darc_json j;
    begin(&j, out, NULL);
    json_weights(&j, a);
    darc_json_end_object(&j);
    darc_text_putc(out, '\n');
}
