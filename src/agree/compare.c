#include "agree/compare.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void darc_compare_options_init(darc_compare_options *o)
{
    *o = (darc_compare_options){.lambda_proximity = DARC_LAMBDA,
                                .lambda_shape = DARC_LAMBDA,
                                .lambda_feature = DARC_LAMBDA,
                                .choose = true,
                                .target = NAN,
                                .level = 0.99};
}

/* The recordings on common times: first the references, then the runs. */
typedef struct {
    darc_aligned all;
    const darc_compare_options *o;
    int references, runs;
    double *mean;   /* averaged reference of the output at hand */
    double nominal; /* of the output at hand; NAN: none */
    double (*feature)[DARC_FEATURE_COUNT]; /* of each of its references */
} work;

static const double *series(const work *w, int table, int output)
{
    return w->all.value[table * w->all.signals + output];
}

static void rate_practice(darc_compare_run *run, const work *w, const double *s)
{
    size_t n = w->all.samples;
    const double *t = w->all.time;
    darc_practice_errors(&run->errors, w->mean, s, n, w->nominal);
    run->max_error_time = t[run->errors.at];
    darc_matched m = {w->mean, s, n, w->all.dt};
    double *copy = NULL;
    if (m.dt == 0) {
        m.n = n < DARC_ISO_POINTS ? n : DARC_ISO_POINTS;
        m.dt = (t[n - 1] - t[0]) / (double)(m.n - 1);
        copy = darc_malloc(2 * m.n * sizeof *copy);
        m.reference = copy;
        m.simulation = copy + m.n;
        for (size_t i = 0, j = 0; i < m.n; i++) { /* on uniform times */
            double at = t[0] + (double)i * m.dt;
            while (j + 2 < n && t[j + 1] < at)
                j++;
            double part = (at - t[j]) / (t[j + 1] - t[j]);
            copy[i] = w->mean[j] + part * (w->mean[j + 1] - w->mean[j]);
            copy[m.n + i] = s[j] + part * (s[j + 1] - s[j]);
        }
    }
    darc_practice_iso18571(&run->iso, &m, w->nominal);
    darc_free(copy);
}

static void compare_run(darc_compare_run *run, const darc_compare_output *out,
                        const work *w, const double *s)
{
    const darc_compare_options *o = w->o;
    size_t n = w->all.samples;
    const double *r = w->mean;
    run->theil = darc_theil_classical(r, s, n);
    run->theil_reference = darc_theil_reference(r, s, n);
    run->proximity =
        darc_theil_proximity(run->theil_reference, o->lambda_proximity);
    run->grey = darc_grey_degree(r, s, n, o->lambda_shape);
    run->data_consistency = sqrt(run->proximity * run->grey.degree);
    darc_feature_extract(run->feature, w->all.time, s, n, o->target);
    for (int f = 0; f < DARC_FEATURE_COUNT; f++)
        run->consistency[f] = darc_feature_consistency(
            out->reference[f], run->feature[f], o->lambda_feature);
    rate_practice(run, w, s);
    darc_matched m = {r, s, n, w->all.dt};
    if (o->spectra && m.dt > 0 &&
        darc_spectra_set(&run->spectra, &m, o->level, NULL) != DARC_OK)
        run->spectra.bands = 0;
}

static void set_intervals(darc_compare_output *out, const work *w)
{
    const darc_compare_options *o = w->o;
    if (w->references < 2 || w->runs < 2)
        return;
    size_t nr = (size_t)w->references, ns = (size_t)w->runs;
    double *r = darc_malloc((nr + ns) * sizeof *r), *s = r + nr;
    bool paired = o->paired && nr == ns;
    for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
        for (size_t k = 0; k < nr; k++)
            r[k] = w->feature[k][f];
        for (size_t k = 0; k < ns; k++)
            s[k] = out->run[k].feature[f];
        double tolerance = o->tolerance * fabs(out->reference[f]);
        tolerance = isnan(tolerance) ? 0 : tolerance;
        out->interval_known[f] =
            (paired ? darc_interval_paired : darc_interval_welch)(
                &out->interval[f], (darc_runs){r, nr}, (darc_runs){s, ns},
                o->level, tolerance, NULL) == DARC_OK;
    }
    darc_free(r);
}

/* Which features count; a wanted one that some run lacks is left out. */
static void choose_features(darc_compare_output *out, const work *w)
{
    bool step = !isnan(out->reference[DARC_FEATURE_RISE_TIME]);
    for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
        bool chosen = step && f != DARC_FEATURE_MEAN && f != DARC_FEATURE_RMS &&
                      !(f == DARC_FEATURE_STEADY_ERROR && isnan(w->o->target));
        out->wanted[f] = w->o->choose ? chosen : w->o->feature[f];
        if (!out->wanted[f])
            continue;
        if (isnan(out->reference[f]))
            out->missing[f] =
                darc_feature_missing((darc_feature)f, out->reference);
        for (int k = 0; k < w->runs && out->missing[f] == NULL; k++)
            if (isnan(out->run[k].feature[f]))
                out->missing[f] =
                    darc_feature_missing((darc_feature)f, out->run[k].feature);
    }
}

static void average_runs(darc_compare_output *out, int runs)
{
    darc_compare_run *m = &out->mean;
    for (int k = 0; k < runs; k++) {
        const darc_compare_run *run = &out->run[k];
        m->theil += run->theil / runs;
        m->theil_reference += run->theil_reference / runs;
        m->proximity += run->proximity / runs;
        m->grey.degree += run->grey.degree / runs;
        m->grey.parallel |= run->grey.parallel;
        m->data_consistency += run->data_consistency / runs;
        for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
            m->feature[f] += run->feature[f] / runs;
            m->consistency[f] += run->consistency[f] / runs;
        }
    }
}

static void compare_output(darc_compare_output *out, work *w, int output)
{
    out->run = darc_calloc((size_t)w->runs, sizeof *out->run);
    w->nominal = NAN;
    for (int i = w->o->nominals - 1; i >= 0; i--)
        if (strcmp(w->o->nominal_name[i], out->name) == 0)
            w->nominal = w->o->nominal[i];
    for (size_t i = 0; i < w->all.samples; i++) {
        w->mean[i] = 0;
        for (int k = 0; k < w->references; k++)
            w->mean[i] += series(w, k, output)[i];
        w->mean[i] /= w->references;
    }
    for (int k = 0; k < w->references; k++) {
        darc_feature_extract(w->feature[k], w->all.time, series(w, k, output),
                             w->all.samples, w->o->target);
        for (int f = 0; f < DARC_FEATURE_COUNT; f++)
            out->reference[f] += w->feature[k][f] / w->references;
    }
    for (int k = 0; k < w->runs; k++)
        compare_run(&out->run[k], out, w, series(w, w->references + k, output));
    choose_features(out, w);
    average_runs(out, w->runs);
    set_intervals(out, w);
}

/* The consistencies that are weighted: of the data, then of the features. */
static darc_status weigh_consistencies(darc_comparison *c, darc_err *err)
{
    size_t most = (size_t)c->outputs * (DARC_FEATURE_COUNT + 1), n = 0;
    size_t runs = (size_t)c->runs;
    double *z = darc_malloc(most * runs * sizeof *z);
    c->column = darc_calloc(most, sizeof *c->column);
    for (int i = 0; i < c->outputs; i++) {
        const darc_compare_output *out = &c->output[i];
        for (int f = -1; f < DARC_FEATURE_COUNT; f++) {
            if (f >= 0 && (!out->wanted[f] || out->missing[f] != NULL))
                continue;
            darc_text_t name = DARC_TEXT;
            darc_text_puts(name, out->name);
            if (f >= 0)
                darc_text_printf(name, " %s",
                                 darc_feature_name((darc_feature)f));
            for (size_t k = 0; k < runs; k++)
                z[k * most + n] = f < 0 ? out->run[k].data_consistency
                                        : out->run[k].consistency[f];
            c->column[n++] = darc_text_take(name);
        }
    }
    for (size_t k = 0; k < runs; k++) /* close the rows up */
        memmove(z + k * n, z + k * most, n * sizeof *z);
    c->columns = (int)n;
    darc_scores scores = {z, runs, n, (const char *const *)c->column};
    darc_status status = darc_weights_init(&c->weights, &scores, err);
    c->consistency = c->weights.consistency;
    darc_free(z);
    return status;
}

/* Say what was brought to the units of the first reference. */
static void say_units(darc_comparison *c, const darc_table *const *table,
                      int tables)
{
    for (int i = 0; i < c->outputs * tables; i++) {
        const darc_compare_output *out = &c->output[i % c->outputs];
        const darc_table *t = table[i / c->outputs];
        const char *from = t->signal[darc_table_find(t, out->name)].unit;
        if (from[0] != '\0' && out->unit[0] != '\0' &&
            strcmp(from, out->unit) != 0)
            darc_text_printf(c->units, "%s%s of %s from %s to %s",
                             c->units->len > 0 ? ", " : "", out->name, t->file,
                             from, out->unit);
    }
}

/* Say which inputs are not those of the first reference. */
static darc_status compare_inputs(darc_comparison *c, const work *w,
                                  const darc_table *const *table, int tables,
                                  darc_err *err)
{
    const darc_compare_options *o = w->o;
    darc_aligned a = {0};
    if (o->inputs == 0)
        return DARC_OK;
    DARC_NEED(darc_aligned_init(&a, table, tables, o->input, o->inputs, err));
    for (int i = 0; i < a.signals * tables; i++) {
        const double *x = a.value[i % a.signals], *y = a.value[i];
        double size = 0, gap = 0;
        for (size_t k = 0; k < a.samples; k++) {
            size = hypot(size, x[k]);
            gap = hypot(gap, y[k] - x[k]);
        }
        if (gap <= DARC_INPUTS_DIFFER * size)
            continue;
        darc_text_printf(c->inputs, "%s%s of %s differs by ",
                         c->inputs->len > 0 ? ", " : "",
                         o->input[i % a.signals], table[i / a.signals]->file);
        darc_text_percent(c->inputs, gap / size);
        darc_text_puts(c->inputs, " (RMS)");
    }
    darc_aligned_clear(&a);
    return DARC_OK;
}

/* Set the names of the outputs: those asked for, or those in every file. */
static darc_status set_outputs(darc_comparison *c,
                               const darc_table *const *table, int tables,
                               const darc_compare_options *o, darc_err *err)
{
    int most = o->outputs > 0 ? o->outputs : table[0]->signals;
    c->output = darc_calloc((size_t)most, sizeof *c->output);
    for (int i = 0; i < most; i++) {
        const char *name =
            o->outputs > 0 ? o->output[i] : table[0]->signal[i].name;
        bool known = true; /* in all files, and no input */
        for (int k = 0; k < tables && o->outputs == 0; k++)
            known = known && darc_table_find(table[k], name) >= 0;
        for (int k = 0; k < o->inputs && o->outputs == 0; k++)
            known = known && strcmp(o->input[k], name) != 0;
        if (!known)
            continue;
        darc_compare_output *out = &c->output[c->outputs++];
        int at = darc_table_find(table[0], name);
        out->name = darc_strdup(name);
        out->unit = darc_strdup(at >= 0 ? table[0]->signal[at].unit : "");
    }
    if (c->outputs == 0)
        return darc_fail(err, DARC_DATA,
                         "%s: error: no signal of this file is in all the "
                         "others; --map gives a column another name",
                         table[0]->file);
    return DARC_OK;
}

darc_status darc_comparison_init(darc_comparison *out,
                                 const darc_comparison_tables *t,
                                 const darc_compare_options *o, darc_err *err)
{
    assert(t->references > 0 && t->simulations > 0);
    darc_status status;
    const char **name = NULL;
    int tables = t->references + t->simulations;
    work w = {.o = o, .references = t->references, .runs = t->simulations};
    *out = (darc_comparison){.runs = w.runs, .references = w.references};
    DARC_EACH(darc_text_init, out->inputs, out->units);
    DARC_TRY(set_outputs(out, t->table, tables, o, err));
    name = darc_calloc((size_t)out->outputs, sizeof *name);
    for (int i = 0; i < out->outputs; i++)
        name[i] = out->output[i].name;
    DARC_TRY(
        darc_aligned_init(&w.all, t->table, tables, name, out->outputs, err));
    w.mean = darc_malloc(w.all.samples * sizeof *w.mean);
    w.feature = darc_calloc((size_t)w.references, sizeof *w.feature);
    DARC_SAME(out, &w.all, samples, offered, resampled);
    out->begin = w.all.time[0];
    out->end = w.all.time[w.all.samples - 1];
    for (int i = 0; i < out->outputs; i++)
        compare_output(&out->output[i], &w, i);
    say_units(out, t->table, tables);
    DARC_TRY(compare_inputs(out, &w, t->table, tables, err));
    DARC_TRY(weigh_consistencies(out, err));
done:
    DARC_FREE(name, w.mean, w.feature);
    darc_aligned_clear(&w.all);
    if (status != DARC_OK)
        darc_comparison_clear(out);
    return status;
}

void darc_comparison_clear(darc_comparison *c)
{
    for (int i = 0; i < c->outputs; i++)
        DARC_FREE(c->output[i].name, c->output[i].unit, c->output[i].run);
    DARC_FREE_EACH(c->column, c->columns);
    DARC_FREE(c->output, c->column);
    DARC_EACH(darc_text_clear, c->inputs, c->units);
    darc_weights_clear(&c->weights);
    *c = (darc_comparison){0};
}

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
    const darc_compare_output *o = &c->output[0];
    const darc_iso18571 *iso = &o->run[0].iso;
    set(v, DARC_STEP_FACE, DARC_UNKNOWN,
        "look at the plots; of '%.60s' the shape scores %.2f, ISO/TS 18571 "
        "says %s",
        o->name, o->mean.grey.degree,
        iso->undefined == NULL ? iso->grade : "nothing");
    sensitivity(v, c, varied);
    calibration(v, c, file, used, calibrations);
    statistics(v, c);
}
