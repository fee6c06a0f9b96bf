#include "agree/validation.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *darc_validation_name(darc_validation_step step)
{
    static const char *const name[] = {"face", "sensitivity", "calibration",
                                       "statistics"};
    assert(step < DARC_STEP_COUNT);
    return name[step];
}

DARC_PRINTF(4, 5)
static void set(darc_validation *v, darc_validation_step step,
                darc_truth passed, const char *format, ...)
{
    va_list args;
    v->passed[step] = passed;
    va_start(args, format);
    vsnprintf(v->evidence[step], sizeof v->evidence[step], format, args);
    va_end(args);
}

static void face(darc_validation *v, const darc_comparison *c)
{
    const darc_compare_output *o = &c->output[0];
    const darc_iso18571 *iso = &o->run[0].iso;
    set(v, DARC_STEP_FACE, DARC_UNKNOWN,
        "look at the plots; of '%.60s' the shape scores %.2f, ISO/TS 18571 "
        "says %s",
        o->name, o->mean.grey.degree,
        iso->undefined == NULL ? iso->grade : "nothing");
}

static void sensitivity(darc_validation *v, const darc_comparison *c,
                        const darc_comparison *varied)
{
    static const darc_feature feature[] = {DARC_FEATURE_MEAN, DARC_FEATURE_RMS,
                                           DARC_FEATURE_PEAK};
    int moved = 0;
    if (varied == NULL) {
        set(v, DARC_STEP_SENSITIVITY, DARC_UNKNOWN,
            "change a parameter on both sides and give the recordings with "
            "--varied");
        return;
    }
    for (int i = 0; i < c->outputs && i < varied->outputs; i++)
        for (int k = 0; k < 3; k++) {
            const darc_compare_output *a = &c->output[i];
            const darc_compare_output *b = &varied->output[i];
            darc_feature f = feature[k];
            double r = b->reference[f] - a->reference[f];
            double s = b->mean.feature[f] - a->mean.feature[f];
            if (!(fabs(r) > DARC_MOVED * a->reference[DARC_FEATURE_RMS]))
                continue;
            moved++;
            if (s / r >= DARC_ALIKE_LOW && s / r <= DARC_ALIKE_HIGH)
                continue;
            set(v, DARC_STEP_SENSITIVITY, DARC_FALSE,
                "'%.60s': the %s of the reference moves by %.4g, of the "
                "simulation by %.4g",
                a->name, darc_feature_name(f), r, s);
            return;
        }
    set(v, DARC_STEP_SENSITIVITY, moved > 0 ? DARC_TRUE : DARC_UNKNOWN,
        moved > 0 ? "%d movements of mean, RMS and peak agree within a factor "
                    "of two"
                  : "%d outputs of the reference move by more than 1 %%: vary "
                    "more",
        moved);
}

static void calibration(darc_validation *v, const darc_comparison *c,
                        const char *const *file, const char *const *used, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c->references; k++)
            if (strcmp(used[i], file[k]) == 0) {
                set(v, DARC_STEP_CALIBRATION, DARC_FALSE,
                    "%.200s was used to calibrate: it cannot validate, too",
                    file[k]);
                return;
            }
    set(v, DARC_STEP_CALIBRATION, n > 0 ? DARC_TRUE : DARC_UNKNOWN,
        n > 0
            ? "calibrated on other recordings than those compared here"
            : "say with --calibrated which recordings were used to calibrate");
}

static void statistics(darc_validation *v, const darc_comparison *c)
{
    int known = 0;
    for (int i = 0; i < c->outputs; i++)
        for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
            const darc_compare_output *o = &c->output[i];
            const darc_interval *d = &o->interval[f];
            if (!o->interval_known[f])
                continue;
            known++;
            if (d->zero_inside || (d->tolerance > 0 && d->within))
                continue;
            set(v, DARC_STEP_STATISTICS, DARC_FALSE,
                "'%.60s': %s differs by %.4g (%.4g .. %.4g)", o->name,
                darc_feature_name((darc_feature)f), d->difference, d->low,
                d->high);
            return;
        }
    set(v, DARC_STEP_STATISTICS, known > 0 ? DARC_TRUE : DARC_UNKNOWN,
        known > 0 ? "%d intervals contain zero or lie within the tolerance"
                  : "%d intervals: give two runs of each at least "
                    "(--reference)",
        known);
}

void darc_validation_set(darc_validation *v, const darc_comparison *c,
                         const darc_comparison *varied, const char *const *file,
                         const char *const *used, int calibrations)
{
    face(v, c);
    sensitivity(v, c, varied);
    calibration(v, c, file, used, calibrations);
    statistics(v, c);
}
