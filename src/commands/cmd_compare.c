/* cmd_compare.c - darc compare REFERENCE SIMULATION...; --table FILE. */
#include "base/mem.h"
#include "commands/command.h"
#include "commands/results.h"
#include "report/agreement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line says, as the library wants it. */
typedef struct {
    darc_pairs columns, maps, scales, features, nominals, references;
    double *factor, *nominal; /* owned */
    darc_load_options load;
    darc_compare_options compare;
} request;

static darc_status read_numbers(double **out, const darc_pairs *p,
                                const char *option, darc_err *err)
{
    *out = darc_calloc((size_t)p->count, sizeof **out);
    for (int i = 0; i < p->count; i++) {
        char *end;
        (*out)[i] = strtod(p->value[i], &end);
        if (end == p->value[i] || *end != '\0' || !isfinite((*out)[i]) ||
            (*out)[i] == 0)
            return darc_fail(err, DARC_USAGE,
                             "%s: %s: expected a number other than 0, not "
                             "'%s'",
                             option, p->name[i], p->value[i]);
    }
    return DARC_OK;
}

static darc_status read_features(request *q, darc_err *err)
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
        darc_text_t list;
        darc_text_init(list);
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

static void set_load(request *q, const darc_options *o)
{
    double rate = darc_option_real(o, DARC_OPT_RATE);
    q->load.time_column = darc_option_text(o, DARC_OPT_TIME);
    q->load.rate = isnan(rate) ? 0 : rate;
    q->load.from = darc_option_real(o, DARC_OPT_FROM);
    q->load.to = darc_option_real(o, DARC_OPT_TO);
    q->load.wanted = q->columns.count;
    q->load.want = (const char *const *)q->columns.name;
    q->load.maps = q->maps.count;
    q->load.map_name = (const char *const *)q->maps.name;
    q->load.map_column = (const char *const *)q->maps.value;
    q->load.scales = q->scales.count;
    q->load.scale_name = (const char *const *)q->scales.name;
    q->load.scale = q->factor;
}

static void set_compare(request *q, const darc_options *o)
{
    darc_compare_options *c = &q->compare;
    c->lambda_proximity = darc_option_real(o, DARC_OPT_LAMBDA_PROXIMITY);
    c->lambda_shape = darc_option_real(o, DARC_OPT_LAMBDA_SHAPE);
    c->lambda_feature = darc_option_real(o, DARC_OPT_LAMBDA_FEATURE);
    c->outputs = q->columns.count;
    c->output = (const char *const *)q->columns.name;
    c->target = darc_option_real(o, DARC_OPT_TARGET);
    c->nominals = q->nominals.count;
    c->nominal_name = (const char *const *)q->nominals.name;
    c->nominal = q->nominal;
    c->level = 1 - darc_option_real(o, DARC_OPT_ALPHA);
    c->tolerance = darc_option_real(o, DARC_OPT_TOLERANCE);
    c->paired = darc_option_given(o, DARC_OPT_PAIRED);
    c->spectra = darc_option_given(o, DARC_OPT_SPECTRA);
}

static void request_clear(request *q)
{
    darc_pairs_clear(&q->columns);
    darc_pairs_clear(&q->maps);
    darc_pairs_clear(&q->scales);
    darc_pairs_clear(&q->features);
    darc_pairs_clear(&q->nominals);
    darc_pairs_clear(&q->references);
    darc_free(q->factor);
    darc_free(q->nominal);
}

/* Set q, to be cleared also after a failure. */
static darc_status request_init(request *q, const darc_options *o,
                                darc_err *err)
{
    *q = (request){0};
    darc_load_options_init(&q->load);
    darc_compare_options_init(&q->compare);
    darc_option_pairs(&q->columns, o, DARC_OPT_COLUMNS);
    darc_option_pairs(&q->maps, o, DARC_OPT_MAP);
    darc_option_pairs(&q->scales, o, DARC_OPT_SCALE);
    darc_option_pairs(&q->features, o, DARC_OPT_FEATURES);
    darc_option_pairs(&q->nominals, o, DARC_OPT_NOMINAL);
    darc_option_pairs(&q->references, o, DARC_OPT_REFERENCE);
    DARC_NEED(read_numbers(&q->factor, &q->scales, "--scale", err));
    DARC_NEED(read_numbers(&q->nominal, &q->nominals, "--nominal", err));
    DARC_NEED(read_features(q, err));
    set_load(q, o);
    set_compare(q, o);
    return DARC_OK;
}

/* What there is to tell: of a comparison, or of weights where c is NULL. */
typedef struct {
    const darc_comparison *c;
    const darc_validation *v; /* NULL: none */
    const char **file;        /* of the comparison */
    const darc_weights *w;
    const char **name; /* of the weights */
    int names;
    int tables;
    darc_table **table;
} findings;

static void make_text(darc_text_t text, const findings *x,
                      const darc_options *o)
{
    if (x->c == NULL) {
        darc_agreement_print_weights(text, x->w, x->name, x->names);
        return;
    }
    darc_agreement_print(text, x->c, darc_option_given(o, DARC_OPT_QUIET));
    if (x->v != NULL)
        darc_agreement_print_validation(text, x->v);
}

static void make_page(darc_text_t html, const findings *x, darc_page *page,
                      const darc_options *o)
{
    double accept = darc_option_real(o, DARC_OPT_ACCEPT);
    page->tables = x->tables;
    page->table = (const darc_table *const *)x->table;
    if (x->c != NULL)
        darc_page_agreement(html, x->c, x->v, accept, page);
    else
        darc_page_weights(html, x->w, x->name, x->names, accept, page);
}

/* Write the files that options ask for, and print the text unless one of them
 * is standard output. */
static darc_status tell(const findings *x, const darc_options *o, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_page page;
    darc_text_t text;
    darc_text_init(text);
    if (darc_results_page(&page, o)) {
        make_page(text, x, &page, o);
        DARC_TRY(darc_results_html(text, &page, o, err));
    }
    if (x->c != NULL)
        darc_agreement_json(text, x->c, x->v, x->file, o->command_line);
    else
        darc_agreement_json_weights(text, x->w, x->name, x->names);
    DARC_TRY(darc_results_write(text, o, DARC_OPT_JSON, err));
    if (!darc_results_take_stdout(o))
        make_text(text, x, o);
    fputs(text->s, stdout);
done:
    darc_text_clear(text);
    return status;
}

/* The checklist; --varied compares a second pair of recordings. */
static darc_status validate(darc_validation *v, const darc_comparison *c,
                            const request *q, const char *const *file,
                            const darc_options *o, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_pairs varied, calibrated;
    darc_table *table[2] = {NULL, NULL};
    darc_comparison other = {0};
    darc_option_pairs(&varied, o, DARC_OPT_VARIED);
    darc_option_pairs(&calibrated, o, DARC_OPT_CALIBRATED);
    if (varied.count != 0 && varied.count != 2)
        DARC_TRY(darc_fail(err, DARC_USAGE,
                           "--varied: expected REFERENCE,SIMULATION, not %d "
                           "names",
                           varied.count));
    for (int k = 0; k < varied.count; k++)
        DARC_TRY(darc_table_load(&table[k], varied.name[k], &q->load, err));
    darc_comparison_tables both = {1, 1, (const darc_table *const *)table};
    if (varied.count == 2)
        DARC_TRY(darc_comparison_init(&other, &both, &q->compare, err));
    darc_validation_set(v, c, varied.count == 2 ? &other : NULL, file,
                        (const char *const *)calibrated.name, calibrated.count);
done:
    darc_comparison_clear(&other);
    darc_table_free(table[0]);
    darc_table_free(table[1]);
    darc_pairs_clear(&varied);
    darc_pairs_clear(&calibrated);
    return status;
}

/* Read the reference, further ones, then the simulations. */
static darc_status load_all(darc_table **table, const char **file,
                            const request *q, const darc_options *o,
                            darc_err *err)
{
    int references = 1 + q->references.count;
    for (int k = 0; k < references - 1 + o->operands; k++) {
        file[k] = k == 0           ? o->operand[0]
                  : k < references ? q->references.name[k - 1]
                                   : o->operand[k - references + 1];
        DARC_NEED(darc_table_load(&table[k], file[k], &q->load, err));
    }
    return DARC_OK;
}

static darc_status compare_files(double *consistency, const darc_options *o,
                                 darc_err *err)
{
    darc_status status;
    request q;
    darc_comparison c = {0};
    darc_validation v;
    findings x = {.c = &c};
    DARC_TRY(request_init(&q, o, err));
    x.tables = o->operands + q.references.count;
    x.table = darc_calloc((size_t)x.tables, sizeof(darc_table *));
    x.file = darc_calloc((size_t)x.tables, sizeof(char *));
    DARC_TRY(load_all(x.table, x.file, &q, o, err));
    darc_comparison_tables t = {1 + q.references.count, o->operands - 1,
                                (const darc_table *const *)x.table};
    DARC_TRY(darc_comparison_init(&c, &t, &q.compare, err));
    *consistency = c.consistency;
    if (darc_option_given(o, DARC_OPT_CHECKLIST)) {
        DARC_TRY(validate(&v, &c, &q, x.file, o, err));
        x.v = &v;
    }
    status = tell(&x, o, err);
done:
    for (int k = 0; k < x.tables; k++)
        darc_table_free(x.table[k]);
    darc_free(x.table);
    darc_free((void *)x.file);
    darc_comparison_clear(&c);
    request_clear(&q);
    return status;
}

/* A table of consistencies: one run a row, a column `run` is its label. */
static darc_status weigh_table(double *consistency, const darc_options *o,
                               darc_err *err)
{
    darc_status status;
    darc_load_options load;
    darc_load_options_init(&load);
    load.rate = 1;
    load.label_column = "run";
    darc_pairs columns;
    darc_option_pairs(&columns, o, DARC_OPT_COLUMNS);
    load.wanted = columns.count;
    load.want = (const char *const *)columns.name;
    darc_table *t = NULL;
    darc_weights w = {0};
    double *z = NULL;
    const char **name = NULL;
    DARC_TRY(
        darc_table_load(&t, darc_option_text(o, DARC_OPT_TABLE), &load, err));
    size_t n = (size_t)t->signals;
    z = darc_malloc(t->samples * n * sizeof *z);
    name = darc_malloc(n * sizeof *name);
    for (size_t i = 0; i < n; i++) {
        name[i] = t->signal[i].name;
        for (size_t k = 0; k < t->samples; k++)
            z[k * n + i] = t->signal[i].value[k];
    }
    DARC_TRY(
        darc_weights_init(&w, &(darc_scores){z, t->samples, n, name}, err));
    *consistency = w.consistency;
    status = tell(&(findings){.w = &w,
                              .name = name,
                              .names = t->signals,
                              .tables = 1,
                              .table = &t},
                  o, err);
done:
    darc_pairs_clear(&columns);
    darc_weights_clear(&w);
    darc_table_free(t);
    darc_free(z);
    darc_free((void *)name);
    return status;
}

darc_status darc_cmd_compare(int *code, const darc_options *o,
                             const darc_budget *budget, darc_err *err)
{
    (void)budget; /* linear in the data */
    double consistency = NAN, accept = darc_option_real(o, DARC_OPT_ACCEPT);
    bool table = darc_option_given(o, DARC_OPT_TABLE);
    if (table ? o->operands != 0 : o->operands < 2)
        return darc_fail(err, DARC_USAGE,
                         "compare takes a reference and one simulation at "
                         "least, or --table FILE");
    darc_status status = table ? weigh_table(&consistency, o, err)
                               : compare_files(&consistency, o, err);
    if (consistency < accept)
        *code = DARC_EXIT_INCONSISTENT;
    return status;
}
