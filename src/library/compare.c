#include "darc/compare.h"

#include "agree/credibility.h"
#include "base/mem.h"
#include "library/recording.h"
#include "library/result.h"
#include "page/page.h"
#include "report/agreement.h"
#include "session/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What was asked, and what came of it. */
typedef struct {
    darc_agreement shown; /* first: what the caller sees */
    const darc_options *options;
    darc_pairs columns, inputs, features, nominals;
    double *nominal; /* owned */
    darc_compare_options compare;
    int count;                /* recordings, or one table */
    const darc_table **table; /* of each; owned array */
    const char **name;        /* of them, or of the columns of the table;
                                 owned array */
    bool has_comparison, has_checklist;
    darc_comparison comparison;
    darc_validation checklist;
    darc_weights weights; /* of a table */
} agreement;

static darc_status read_nominals(agreement *q, darc_err *err)
{
    const darc_pairs *p = &q->nominals;
    q->nominal = darc_calloc((size_t)p->count, sizeof *q->nominal);
    for (int i = 0; i < p->count; i++) {
        char *end;
        double x = strtod(p->value[i], &end);
        if (end == p->value[i] || *end != '\0' || !isfinite(x) || x == 0)
            return darc_fail(err, DARC_USAGE,
                             "--nominal: %s: expected a number other than 0, "
                             "not '%s'",
                             p->name[i], p->value[i]);
        q->nominal[i] = x;
    }
    return DARC_OK;
}

static darc_status read_features(agreement *q, darc_err *err)
{
    q->compare.choose = q->features.count == 0;
    for (int i = 0; i < q->features.count; i++) {
        int f = 0;
        const char *name = q->features.name[i];
        if (strcmp(name, "none") == 0 && q->features.count == 1)
            return DARC_OK;
        while (f < DARC_FEATURE_COUNT &&
               strcmp(name, darc_feature_name((darc_feature)f)) != 0)
            f++;
        if (f < DARC_FEATURE_COUNT) {
            q->compare.feature[f] = true;
            continue;
        }
        darc_text_t list = DARC_TEXT;
        for (f = 0; f < DARC_FEATURE_COUNT; f++)
            darc_text_printf(list, "%s, ", darc_feature_name((darc_feature)f));
        darc_fail(err, DARC_USAGE,
                  "--features: no feature '%s'; there are %sor none", name,
                  list->s);
        darc_text_clear(list);
        return DARC_USAGE;
    }
    return DARC_OK;
}

static void set_compare(agreement *q)
{
    const darc_options *o = q->options;
    darc_compare_options *c = &q->compare;
    c->lambda_proximity = darc_option_real(o, DARC_OPT_LAMBDA_PROXIMITY);
    c->lambda_shape = darc_option_real(o, DARC_OPT_LAMBDA_SHAPE);
    c->lambda_feature = darc_option_real(o, DARC_OPT_LAMBDA_FEATURE);
    c->outputs = q->columns.count;
    c->output = (const char *const *)q->columns.name;
    c->inputs = q->inputs.count;
    c->input = (const char *const *)q->inputs.name;
    c->target = darc_option_real(o, DARC_OPT_TARGET);
    c->nominals = q->nominals.count;
    c->nominal_name = (const char *const *)q->nominals.name;
    c->nominal = q->nominal;
    c->level = 1 - darc_option_real(o, DARC_OPT_ALPHA);
    c->tolerance = darc_option_real(o, DARC_OPT_TOLERANCE);
    c->paired = darc_option_given(o, DARC_OPT_PAIRED);
    c->spectra = darc_option_given(o, DARC_OPT_SPECTRA);
}

/* The checklist; --varied compares a second pair of recordings. */
static darc_status validate(agreement *q, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_pairs varied, calibrated;
    darc_recording *pair[2] = {NULL, NULL};
    darc_comparison other = {0};
    darc_option_pairs(&varied, q->options, DARC_OPT_VARIED);
    darc_option_pairs(&calibrated, q->options, DARC_OPT_CALIBRATED);
    if (varied.count != 0 && varied.count != 2)
        DARC_TRY(darc_fail(err, DARC_USAGE,
                           "--varied: expected REFERENCE,SIMULATION, not %d "
                           "names",
                           varied.count));
    for (int k = 0; k < varied.count; k++)
        DARC_TRY(
            darc_recording_read(&pair[k], varied.name[k], q->options, err));
    if (pair[0] != NULL && pair[1] != NULL) {
        const darc_table *both[] = {pair[0]->table, pair[1]->table};
        darc_comparison_tables tables = {1, 1, both};
        DARC_TRY(darc_comparison_init(&other, &tables, &q->compare, err));
    }
    darc_validation_set(&q->checklist, &q->comparison,
                        varied.count == 2 ? &other : NULL, q->name,
                        (const char *const *)calibrated.name, calibrated.count);
    q->has_checklist = true;
done:
    darc_comparison_clear(&other);
    DARC_EACH(darc_recording_free, pair[0], pair[1]);
    DARC_EACH(darc_pairs_clear, &varied, &calibrated);
    return status;
}

static void show_weights(agreement *q, const darc_weights *w,
                         const char *const *name, int n)
{
    darc_weighted *list = darc_calloc((size_t)n, sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = (darc_weighted){name[i], w->weight[i], w->mean[i]};
    q->shown.consistency = w->consistency;
    q->shown.note = w->equal ? w->note : NULL;
    q->shown.columns = n;
    q->shown.column = list;
}

static void show_outputs(agreement *q)
{
    const darc_comparison *c = &q->comparison;
    darc_output_agreement *list = darc_calloc((size_t)c->outputs, sizeof *list);
    for (int i = 0; i < c->outputs; i++) {
        const darc_compare_run *m = &c->output[i].mean;
        list[i] = (darc_output_agreement){
            c->output[i].name,  c->output[i].unit, m->theil,
            m->theil_reference, m->proximity,      m->grey.degree,
            m->data_consistency};
    }
    q->shown.outputs = c->outputs;
    q->shown.output = list;
    show_weights(q, &c->weights, (const char *const *)c->column, c->columns);
    q->shown.consistency = c->consistency;
}

static darc_status compare_outputs(agreement *q, int references, darc_err *err)
{
    darc_compare_options_init(&q->compare);
    darc_option_pairs(&q->columns, q->options, DARC_OPT_COLUMNS);
    darc_option_pairs(&q->inputs, q->options, DARC_OPT_INPUTS);
    darc_option_pairs(&q->features, q->options, DARC_OPT_FEATURES);
    darc_option_pairs(&q->nominals, q->options, DARC_OPT_NOMINAL);
    DARC_NEED(read_nominals(q, err));
    DARC_NEED(read_features(q, err));
    set_compare(q);
    darc_comparison_tables tables = {references, q->count - references,
                                     q->table};
    DARC_NEED(darc_comparison_init(&q->comparison, &tables, &q->compare, err));
    q->has_comparison = true;
    return darc_option_given(q->options, DARC_OPT_CHECKLIST) ? validate(q, err)
                                                             : DARC_OK;
}

/* Consistencies lie between 0 and 1; what is none is seen by the weights. */
static darc_status check_scores(const darc_scores *s, const char *file,
                                darc_err *err)
{
    for (size_t k = 0; k < s->runs * s->n; k++)
        if (s->z[k] < 0 || s->z[k] > 1)
            return darc_fail(err, DARC_DATA,
                             "%s: error: run %zu: '%s' is %g; a consistency "
                             "lies between 0 and 1",
                             file, k / s->n + 1, s->name[k % s->n], s->z[k]);
    return DARC_OK;
}

/* Weigh the columns of a table, one run a row. */
static darc_status weigh(agreement *q, const darc_samples *s, darc_err *err)
{
    size_t n = (size_t)s->signals;
    double *z = darc_malloc((s->samples * n + 1) * sizeof *z);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s->samples; k++)
            z[k * n + i] = s->value[i][k];
    darc_scores scores = {z, s->samples, n, s->signal};
    darc_status status = check_scores(&scores, q->table[0]->file, err);
    DARC_THEN(darc_weights_init(&q->weights, &scores, err));
    darc_free(z);
    if (status == DARC_OK)
        show_weights(q, &q->weights, s->signal, s->signals);
    return status;
}

/* What is compared; references 0: a table. */
typedef struct {
    const darc_recording *const *recording;
    int references, count;
} compared;

static darc_status compare_all(void *result, const darc_request *asked,
                               const darc_budget *budget, darc_err *err)
{
    agreement *q = result;
    const compared *of = asked->of;
    (void)budget;
    q->options = asked->options;
    q->count = of->count;
    DARC_CALLOC((size_t)of->count, q->table, q->name);
    for (int k = 0; k < of->count; k++) {
        q->table[k] = of->recording[k]->table;
        q->name[k] = q->table[k]->file;
    }
    if (of->references == 0)
        return weigh(q, &of->recording[0]->samples, err);
    DARC_NEED(compare_outputs(q, of->references, err));
    show_outputs(q);
    return DARC_OK;
}

static void clear_agreement(void *result)
{
    agreement *q = result;
    DARC_FREE((void *)q->shown.output, (void *)q->shown.column);
    DARC_EACH(darc_pairs_clear, &q->columns, &q->inputs, &q->features,
              &q->nominals);
    DARC_FREE(q->nominal, (void *)q->table, (void *)q->name);
    darc_comparison_clear(&q->comparison);
    darc_weights_clear(&q->weights);
}

static void put_agreement(darc_text_t out, void *result, const char *format)
{
    agreement *q = result;
    const darc_agreement *a = &q->shown;
    const darc_options *o = q->options;
    const darc_validation *v = q->has_checklist ? &q->checklist : NULL;
    const darc_comparison *c = q->has_comparison ? &q->comparison : NULL;
    darc_page page;
    darc_settings_page(&page, o, format);
    page.accept = darc_option_real(o, DARC_OPT_ACCEPT);
    page.tables = q->count;
    page.table = q->table;
    if (*format == 't')
        darc_agreement_print(out, c, a, v,
                             darc_option_given(o, DARC_OPT_QUIET));
    else if (*format == 'j')
        darc_agreement_json(out, c, a, v, q->name, o->command_line);
    else
        darc_page_agreement(out, c, a, v, &page);
    darc_settings_clear(&page);
}

static const darc_result_kind agreement_kind =
    DARC_RESULT_KIND(agreement, COMPARE, compare_all, NULL, NULL, put_agreement,
                     clear_agreement, DARC_RESULT_PAGED);

darc_status darc_compare(darc_agreement **a,
                         const darc_recording *const *recording, int references,
                         int count, const darc_options *options, darc_err *err)
{
    const compared of = {recording, references, count};
    if (references < 1 || count <= references)
        return darc_fail(err, DARC_USAGE,
                         "compare takes a reference and one simulation at "
                         "least, not %d and %d",
                         references, count - references);
    return darc_result_new(a, &agreement_kind,
                           &(darc_request){{NULL}, options, &of}, NULL, err);
}

darc_status darc_weigh(darc_agreement **a, const darc_recording *table,
                       const darc_options *options, darc_err *err)
{
    const compared of = {&table, 0, 1};
    return darc_result_new(a, &agreement_kind,
                           &(darc_request){{NULL}, options, &of}, NULL, err);
}

DARC_RESULT_OF(darc_agreement, darc_agreement)

typedef struct {
    darc_credibility shown; /* first: what the caller sees */
    const darc_options *options;
    darc_factor_space space;
} assessment;

static void show(assessment *a)
{
    size_t n = (size_t)a->space.factors;
    darc_factor_credibility *list = darc_calloc(n, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        const darc_factor *f = &a->space.factor[i];
        list[i] = (darc_factor_credibility){f->name,        f->similarity,
                                            f->credibility, f->acceptable,
                                            f->defect,      f->origin};
    }
    a->shown =
        (darc_credibility){darc_credibility_verdict(&a->space), (int)n, list};
}

static darc_status assess(void *result, const darc_request *asked,
                          const darc_budget *budget, darc_err *err)
{
    assessment *a = result;
    (void)budget;
    a->options = asked->options;
    DARC_NEED(darc_credibility_read(&a->space, asked->of, err));
    DARC_NEED(darc_credibility_assess(&a->space, err));
    show(a);
    return DARC_OK;
}

static void clear_assessed(void *result)
{
    assessment *a = result;
    darc_free((void *)a->shown.factor);
    darc_credibility_clear(&a->space);
}

static void put_assessed(darc_text_t out, void *what, const char *format)
{
    const assessment *a = what;
    darc_page page;
    if (*format == 't') {
        darc_tracing_print(out, &a->space,
                           darc_option_given(a->options, DARC_OPT_QUIET));
    } else if (*format == 'j') {
        darc_tracing_json(out, &a->space);
    } else {
        darc_settings_page(&page, a->options, format);
        darc_page_tracing(out, &a->space, &page);
        darc_settings_clear(&page);
    }
}

darc_status darc_assess(darc_credibility **c, const char *file,
                        const darc_options *options, darc_err *err)
{
    static const darc_result_kind kind =
        DARC_RESULT_KIND(assessment, CREDIBILITY, assess, NULL, NULL,
                         put_assessed, clear_assessed, DARC_RESULT_PAGED);
    return darc_result_new(c, &kind, &(darc_request){{NULL}, options, file},
                           NULL, err);
}

DARC_RESULT_OF(darc_credibility, darc_credibility)
