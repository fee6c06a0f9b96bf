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
        darc_json_put(j, "name:s reference:d simulation:d consistency:d",
                      darc_feature_name((darc_feature)f), o->reference[f],
                      run->feature[f], run->consistency[f]);
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
    darc_json_put(
        j, "level:d segment:l order_reference:i order_simulation:i accepted:i",
        s->level, (long)s->segment, s->order_reference, s->order_simulation,
        s->accepted);
    darc_json_array(j, "bands");
    for (int k = 0; k < s->bands; k++) {
        const darc_band *b = &s->band[k];
        darc_json_put_object(
            j, NULL,
            "low_hz:d high_hz:d ratio:d ratio_low:d ratio_high:d burg_ratio:d "
            "burg_low:d burg_high:d accepted:b",
            b->low, b->high, b->ratio, b->ratio_low, b->ratio_high,
            b->burg_ratio, b->burg_low, b->burg_high, b->accepted);
    }
    darc_json_end_array(j);
    darc_json_end_object(j);
}

static void json_practice(darc_json *j, const darc_compare_run *run)
{
    darc_json_object(j, "practice");
    darc_json_put(j,
                  "rms_error:d nrmse:d max_error:d max_error_time:d "
                  "r_squared:d time_shift:d corridor:d phase:d magnitude:d "
                  "slope:d iso18571:d grade:s",
                  run->errors.rms, run->errors.nrmse, run->errors.max_error,
                  run->max_error_time, run->errors.r_squared, run->iso.shift,
                  run->iso.corridor, run->iso.phase, run->iso.magnitude,
                  run->iso.slope, run->iso.rating, run->iso.grade);
    if (run->iso.undefined != NULL)
        darc_json_string(j, "undefined", run->iso.undefined);
    darc_json_end_object(j);
}

static void json_measures(darc_json *j, const darc_compare_run *run)
{
    darc_json_put(
        j, "theil:d theil_reference:d proximity:d shape:d data_consistency:d",
        run->theil, run->theil_reference, run->proximity, run->grey.degree,
        run->data_consistency);
}

static void json_intervals(darc_json *j, const darc_compare_output *o)
{
    darc_json_array(j, "intervals");
    for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
        const darc_interval *v = &o->interval[f];
        if (!o->interval_known[f])
            continue;
        darc_json_put_object(
            j, NULL,
            "feature:s method:s level:d difference:d low:d high:d dof:d "
            "zero_inside:b tolerance:d within_tolerance:b",
            darc_feature_name((darc_feature)f), v->method, v->level,
            v->difference, v->low, v->high, v->dof, v->zero_inside,
            v->tolerance, v->within);
    }
    darc_json_end_array(j);
}

static void json_output(darc_json *j, const darc_comparison *c,
                        const darc_compare_output *o)
{
    darc_json_object(j, NULL);
    darc_json_put(j, "name:s unit:s", o->name, o->unit);
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
    darc_json_begin(j, out, "compare", NULL);
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
    darc_json_put(&j, "samples:l from:d to:d resampled:b inputs_differ:s",
                  (long)c->samples, c->begin, c->end, c->resampled,
                  c->inputs->s);
    darc_json_array(&j, "outputs");
    for (int i = 0; i < c->outputs; i++)
        json_output(&j, c, &c->output[i]);
    darc_json_end_array(&j);
    json_weights(&j, a);
    if (v != NULL)
        json_validation(&j, v);
    darc_json_end(&j);
}

void darc_agreement_json_weights(darc_text_t out, const darc_agreement *a)
{
    darc_json j;
    begin(&j, out, NULL);
    json_weights(&j, a);
    darc_json_end(&j);
}
