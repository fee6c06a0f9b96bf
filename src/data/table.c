#include "data/table.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "data/bridge.h"
#include "data/reader.h"
#include "data/spool.h"
#include "data/thresholds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void darc_load_options_init(darc_load_options *o)
{
    *o = (darc_load_options){.from = NAN, .to = NAN};
}

static void free_column(const darc_table *table, double *value)
{
    if (table->spool == NULL || !darc_spool_holds(table->spool, value))
        darc_free(value);
}

static void free_derivation(const darc_table *table, darc_derivation *d)
{
    for (int k = 0; k < d->influences; k++)
        free_column(table, d->influence[k].slope);
    free_column(table, d->sd);
    free_column(table, d->switching);
    darc_free(d->influence);
    darc_free(d->reason);
}

void darc_table_free(darc_table *table)
{
    if (table == NULL)
        return;
    for (int i = 0; i < table->signals; i++) {
        darc_free(table->signal[i].name);
        darc_free(table->signal[i].unit);
        free_column(table, table->signal[i].value);
    }
    for (int i = 0; i < table->remarks; i++)
        darc_free(table->remark[i]);
    darc_free(table->remark);
    for (int i = 0; i < table->derivations; i++)
        free_derivation(table, table->derivation + i);
    for (int i = 0; i < table->absents; i++)
        darc_free(table->absent[i]);
    darc_free(table->absent);
    darc_free(table->derivation);
    darc_free(table->signal);
    darc_free(table->segment);
    free_column(table, table->time);
    darc_spool_free(table->spool);
    darc_free(table->file);
    darc_free(table);
}

static darc_table *new_table(const char *file, const darc_reader *r)
{
    darc_table *table = darc_calloc(1, sizeof *table);
    table->file = darc_strdup(file);
    table->signals = darc_reader_signals(r);
    table->signal = darc_calloc((size_t)table->signals, sizeof *table->signal);
    for (int i = 0; i < table->signals; i++) {
        table->signal[i].name = darc_strdup(darc_reader_name(r, i));
        table->signal[i].unit = darc_strdup(darc_reader_unit(r, i));
    }
    return table;
}

/* Make room for n more samples, up to `most`. */
static void reserve(darc_table *table, size_t *alloc, size_t n, size_t most)
{
    if (table->samples + n <= *alloc)
        return;
    *alloc = 2 * (table->samples + n);
    *alloc = *alloc < most ? *alloc : most;
    for (int i = 0; i < table->signals; i++)
        table->signal[i].value =
            darc_realloc(table->signal[i].value, *alloc, sizeof(double));
    table->time = darc_realloc(table->time, *alloc, sizeof(double));
}

/* Write the columns at hand, time last, to the spool: those of the block, or
 * all that the table has. */
static darc_status spool_columns(darc_table *table, const darc_block *block,
                                 darc_err *err)
{
    size_t n = (size_t)table->signals;
    const double **value = darc_calloc(n + 1, sizeof *value);
    for (size_t i = 0; i < n; i++)
        value[i] = block != NULL ? block->value[i] : table->signal[i].value;
    value[n] = block != NULL ? block->time : table->time;
    darc_status status =
        darc_spool_append(table->spool, value,
                          block != NULL ? block->samples : table->samples, err);
    darc_free((void *)value);
    return status;
}

static darc_status start_spool(darc_table *table, darc_err *err)
{
    darc_status status = darc_spool_new(&table->spool, table->signals + 1, err);
    if (status == DARC_OK && table->samples > 0)
        status = spool_columns(table, NULL, err);
    for (int i = 0; i < table->signals; i++) {
        darc_free(table->signal[i].value);
        table->signal[i].value = NULL;
    }
    darc_free(table->time);
    table->time = NULL;
    return status;
}

/* Keep the block's values where the others are, or go over to a spool. */
static darc_status keep_values(darc_table *table, size_t *alloc, size_t most,
                               const darc_block *block, darc_err *err)
{
    size_t at = table->samples, n = block->samples;
    darc_status status = DARC_OK;
    if (n == 0)
        return DARC_OK;
    if (table->spool == NULL && at + n > most)
        status = start_spool(table, err);
    if (status != DARC_OK || table->spool != NULL)
        return status == DARC_OK ? spool_columns(table, block, err) : status;
    reserve(table, alloc, n, most);
    assert(table->time != NULL);
    for (int i = 0; i < table->signals; i++)
        memcpy(table->signal[i].value + at, block->value[i],
               n * sizeof(double));
    memcpy(table->time + at, block->time, n * sizeof(double));
    return DARC_OK;
}

static bool gap_at(const darc_block *block, int signals, size_t k)
{
    for (int i = 0; i < signals; i++)
        if (isnan(block->value[i][k]))
            return true;
    return false;
}

static void append_segments(darc_table *table, const darc_block *block)
{
    size_t at = table->samples, n = block->samples;
    if (n == 0)
        return;
    table->samples += n;
    if (!block->gaps) {
        darc_table_add_segment(table, at, at + n);
        return;
    }
    for (size_t k = 0; k < n; k++)
        if (!gap_at(block, table->signals, k))
            darc_table_add_segment(table, at + k, at + k + 1);
}

static void *shrink(void *p, size_t n)
{
    return n > 0 ? darc_realloc(p, n, sizeof(double)) : p;
}

/* Columns as they are from now on; the first time is known. */
static darc_status settle_columns(darc_table *table, darc_err *err)
{
    size_t n = (size_t)table->signals;
    darc_status status = DARC_OK;
    if (table->spool == NULL) {
        for (size_t i = 0; i < n; i++)
            table->signal[i].value =
                shrink(table->signal[i].value, table->samples);
        table->time = shrink(table->time, table->samples);
        return DARC_OK;
    }
    double **value = darc_calloc(n + 1, sizeof *value);
    DARC_TRY(darc_spool_map(table->spool, value, err));
    for (size_t i = 0; i < n; i++)
        table->signal[i].value = value[i];
    table->time = value[n];
done:
    darc_free(value);
    return status;
}

static void remark(void *user, darc_text_t text)
{
    darc_table *table = user;
    size_t n = (size_t)table->remarks + 1;
    table->remark = darc_realloc(table->remark, n, sizeof *table->remark);
    table->remark[table->remarks++] = darc_text_take(text);
}

/* Settle time, memory and what the whole recording must have. */
static darc_status finish(darc_table *table, const darc_reader *r, bool bridge,
                          darc_err *err)
{
    size_t n = table->samples;
    table->rows = darc_reader_rows(r);
    if (table->rows == 0)
        return darc_fail(err, DARC_DATA, "%s: error: no data rows",
                         table->file);
    if (n == 0)
        return darc_fail(err, DARC_DATA,
                         "%s: error: none of %zu rows lies between --from and "
                         "--to",
                         table->file, table->rows);
    DARC_NEED(settle_columns(table, err));
    table->t0 = table->time[0];
    table->dt = darc_reader_dt(r);
    if (table->dt > 0) {
        free_column(table, table->time);
        table->time = NULL;
    }
    if (bridge)
        darc_table_bridge(table);
    if (table->segments == 0)
        return darc_fail(err, DARC_DATA,
                         "%s: error: each of %zu rows has a gap (an empty "
                         "cell, nan or NA) in a column that is used",
                         table->file, n);
    darc_reader_tell(r, remark, table);
    darc_table_done(table, 0, n);
    return DARC_OK;
}

darc_status darc_table_load(darc_table **table, const char *file,
                            const darc_load_options *options, darc_err *err)
{
    darc_status status;
    darc_reader *r = NULL;
    darc_table *t = NULL;
    darc_block block;
    size_t alloc = 0, memory = options->memory;
    DARC_TRY(darc_reader_open(&r, file, options, err));
    t = new_table(file, r);
    memory = memory > 0 ? memory : DARC_TABLE_MEMORY;
    memory /= ((size_t)t->signals + 1) * sizeof(double);
    do {
        DARC_TRY(darc_reader_next(r, &block, err));
        DARC_TRY(keep_values(t, &alloc, memory, &block, err));
        append_segments(t, &block);
    } while (block.samples > 0);
    DARC_TRY(finish(t, r, options->bridge, err));
    *table = t;
    t = NULL;
done:
    darc_table_free(t);
    darc_reader_close(r);
    return status;
}

void darc_table_done(const darc_table *table, size_t begin, size_t end)
{
    if (table->spool != NULL)
        darc_spool_done(table->spool, begin, end);
}

int darc_table_find(const darc_table *table, const char *name)
{
    for (int i = 0; i < table->signals; i++)
        if (strcmp(table->signal[i].name, name) == 0)
            return i;
    return -1;
}

const darc_derivation *darc_table_derivation(const darc_table *table,
                                             int unknown)
{
    for (int i = 0; i < table->derivations; i++)
        if (table->derivation[i].unknown == unknown)
            return table->derivation + i;
    return NULL;
}

darc_status darc_table_convert(darc_table *table, int i, const char *unit,
                               darc_err *err)
{
    darc_signal *x = table->signal + i;
    double scale, shift;
    darc_err why = {DARC_OK, ""};
    if (unit[0] == '\0' || x->unit[0] == '\0' || strcmp(x->unit, unit) == 0)
        return DARC_OK;
    darc_status status = darc_unit_convert(&scale, &shift, x->unit, unit, &why);
    if (status == DARC_OK && table->spool != NULL)
        status =
            darc_fail(&why, DARC_DATA, "'%s' is too long to convert", x->name);
    if (status != DARC_OK)
        return darc_fail(err, status, "%s: error: unit of '%s': %s",
                         table->file, x->name, why.message);
    for (size_t k = 0; k < table->samples; k++)
        x->value[k] = scale * x->value[k] + shift;
    darc_text_t text = DARC_TEXT;
    darc_text_printf(text, "units: %s %s to %s", x->name, x->unit, unit);
    if (scale != 1 || shift != 0)
        remark(table, text);
    darc_text_clear(text);
    darc_free(x->unit);
    x->unit = darc_strdup(unit);
    return DARC_OK;
}

bool darc_table_is_copy(const darc_table *a, int i, const darc_table *b, int j)
{
    if (a->samples != b->samples)
        return false;
    for (size_t t = 0; t < a->samples; t++) {
        double x = a->signal[i].value[t], y = b->signal[j].value[t];
        if (x != y && !(isnan(x) && isnan(y)))
            return false;
    }
    return true;
}
