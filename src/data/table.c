#include "data/table.h"

#include "base/mem.h"
#include "base/units.h"
#include "data/reader.h"
#include "data/spool.h"
#include "data/thresholds.h"

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

void darc_table_free(darc_table *table)
{
    if (table == NULL)
        return;
    for (int i = 0; i < table->signals; i++) {
        DARC_FREE(table->signal[i].name, table->signal[i].unit);
        free_column(table, table->signal[i].value);
    }
    for (int i = 0; i < table->remarks; i++)
        darc_free(table->remark[i]);
    darc_free(table->remark);
    for (int i = 0; i < table->derivations; i++) {
        darc_derivation *d = table->derivation + i;
        for (int k = 0; k < d->influences; k++)
            free_column(table, d->influence[k].slope);
        free_column(table, d->sd);
        free_column(table, d->switching);
        free_column(table, d->rest);
        DARC_FREE(d->influence, d->reason);
    }
    for (int i = 0; i < table->absents; i++)
        darc_free(table->absent[i]);
    DARC_FREE(table->absent, table->derivation, table->signal, table->segment,
              table->side);
    free_column(table, table->time);
    darc_spool_free(table->spool);
    DARC_FREE(table->file, table);
}

static darc_table *new_table(const char *file, const darc_reader *r)
{
    darc_table *table = darc_calloc(1, sizeof *table);
    table->file = darc_strdup(file);
    table->signals = darc_reader_signals(r);
    table->signal = darc_calloc((size_t)table->signals, sizeof *table->signal);
    for (int i = 0; i < table->signals; i++) {
        table->signal[i].name = darc_strdup(darc_reader_signal(r, i)->name);
        table->signal[i].unit = darc_strdup(darc_reader_signal(r, i)->unit);
    }
    return table;
}

/* Columns on their way into a table: the signals', and time. */
typedef struct {
    darc_table *table;
    size_t count;    /* columns */
    size_t alloc;    /* samples that there is room for */
    size_t most;     /* samples in memory; more go into a spool */
    double **column; /* owned, where there is no spool */
} loading;

/* Keep the block's values where the others are, or go over to a spool. */
static darc_status keep_values(loading *l, const darc_block *block,
                               darc_err *err)
{
    darc_table *t = l->table;
    size_t at = t->samples, n = block->samples, bytes = sizeof(double);
    if (n == 0)
        return DARC_OK;
    if (t->spool == NULL && at + n > l->most) {
        const double *const *held = (const double *const *)(void *)l->column;
        DARC_NEED(darc_spool_new(&t->spool, (int)l->count, err));
        darc_status status = darc_spool_append(t->spool, held, at, err);
        for (size_t i = 0; i < l->count; i++)
            darc_free(l->column[i]);
        DARC_NEED(status);
    }
    if (t->spool != NULL)
        return darc_spool_append(t->spool, block->value, n, err);
    if (at + n > l->alloc) {
        l->alloc = 2 * (at + n) < l->most ? 2 * (at + n) : l->most;
        for (size_t i = 0; i < l->count; i++)
            l->column[i] = darc_realloc(l->column[i], l->alloc, bytes);
    }
    for (size_t i = 0; i < l->count; i++)
        memcpy(l->column[i] + at, block->value[i], n * bytes);
    return DARC_OK;
}

static void append_segments(darc_table *table, const darc_block *block)
{
    size_t at = table->samples, n = block->samples;
    table->samples += n;
    if (n > 0 && !block->gaps)
        darc_table_add_segment(table, at, at + n);
    for (size_t k = 0; k < n && block->gaps; k++) {
        bool gap = false;
        for (int i = 0; i < table->signals && !gap; i++)
            gap = isnan(block->value[i][k]);
        if (!gap)
            darc_table_add_segment(table, at + k, at + k + 1);
    }
}

/* Columns as they are from now on; the first time is known. */
static darc_status settle_columns(loading *l, darc_err *err)
{
    darc_table *t = l->table;
    if (t->spool != NULL)
        DARC_NEED(darc_spool_map(t->spool, l->column, err));
    for (size_t i = 0; i < l->count; i++) {
        if (t->spool == NULL)
            l->column[i] =
                darc_realloc(l->column[i], t->samples, sizeof(double));
        *(i + 1 < l->count ? &t->signal[i].value : &t->time) = l->column[i];
        l->column[i] = NULL;
    }
    return DARC_OK;
}

/* No row has all values: let it be, or name a signal that has none at all. */
static darc_status only_gaps(darc_table *t, bool sparse, darc_err *err)
{
    for (int i = 0; i < t->signals; i++) {
        size_t k = 0;
        while (k < t->samples && isnan(t->signal[i].value[k]))
            k++;
        if (k == t->samples)
            return darc_fail_file(err, t->file,
                                  "'%s' has no value in any of %zu rows, only "
                                  "gaps (empty cells, nan or NA)",
                                  t->signal[i].name, k);
    }
    if (sparse) {
        darc_table_add_segment(t, 0, t->samples);
        darc_table_remark(t, "no row has a value of every signal");
        return DARC_OK;
    }
    return darc_fail_file(err, t->file,
                          "each of %zu rows has a gap (an empty cell, nan or "
                          "NA) in a column that is used",
                          t->samples);
}

/* Pass over the columns that are empty or hold what is no number, where all are
 * read, as long as others are left. */
static darc_status drop_odd(darc_table *t, const darc_reader *r, darc_err *err)
{
    int kept = 0, n = t->signals;
    const darc_csv_odd *odd = NULL;
    for (int i = 0; i < n; i++) {
        const darc_signal s = t->signal[i];
        const darc_csv_odd *x = darc_reader_odd(r, i);
        size_t k = 0;
        while (x == NULL && k < t->samples && isnan(s.value[k]))
            k++;
        if (x == NULL && (k < t->samples || !darc_reader_takes_all(r) ||
                          (kept == 0 && i + 1 == n))) {
            t->signal[kept++] = s;
            continue;
        }
        odd = odd == NULL ? x : odd;
        if (x == NULL)
            darc_table_remark(t, "empty, not read: %s", s.name);
        else
            darc_table_remark(t, "not read: %s ('%s' in line %zu is no number)",
                              s.name, x->text, x->line);
        free_column(t, s.value);
        DARC_FREE(s.name, s.unit);
    }
    t->signals = kept;
    if (kept == 0 && odd != NULL)
        return darc_fail(err, DARC_DATA, "%s", odd->message);
    if (kept < n) {
        t->segments = 0;
        darc_table_find_segments(t, HUGE_VAL);
    }
    return DARC_OK;
}

/* Settle time, memory and what the whole recording must have. */
static darc_status finish_table(loading *l, darc_reader *r,
                                const darc_load_options *o, darc_err *err)
{
    darc_table *table = l->table;
    size_t n = table->samples;
    table->rows = darc_reader_rows(r);
    if (table->rows == 0)
        return darc_fail_file(err, table->file, "no data rows");
    if (n == 0)
        return darc_fail_file(err, table->file,
                              "none of %zu rows lies in the part of the "
                              "recording that is asked for",
                              table->rows);
    DARC_NEED(settle_columns(l, err));
    table->t0 = table->time[0];
    table->dt = darc_reader_dt(r);
    if (table->dt > 0) {
        free_column(table, table->time);
        table->time = NULL;
    }
    DARC_NEED(drop_odd(table, r, err));
    table->side = darc_reader_take_sides(&table->sides, r);
    if (o->bridge)
        darc_table_bridge(table);
    if (table->segments == 0)
        DARC_NEED(only_gaps(table, o->sparse, err));
    darc_reader_tell(r, table);
    darc_table_done(table, 0, n);
    return DARC_OK;
}

darc_status darc_table_load(darc_table **table, const char *file,
                            const darc_load_options *options, darc_err *err)
{
    darc_status status;
    darc_reader *r = NULL;
    darc_block block;
    size_t memory = options->memory > 0 ? options->memory : DARC_TABLE_MEMORY;
    loading l = {.table = NULL};
    DARC_TRY(darc_reader_open(&r, file, options, err));
    l.table = new_table(file, r);
    l.count = (size_t)l.table->signals + 1;
    l.most = memory / (l.count * sizeof(double));
    l.column = darc_calloc(l.count, sizeof *l.column);
    do {
        DARC_TRY(darc_reader_next(r, &block, err));
        DARC_TRY(keep_values(&l, &block, err));
        append_segments(l.table, &block);
    } while (block.samples > 0);
    DARC_TRY(finish_table(&l, r, options, err));
    *table = l.table;
    l.table = NULL;
done:
    for (size_t i = 0; l.table != NULL && i < l.count; i++)
        if (l.table->spool == NULL)
            darc_free(l.column[i]);
    darc_free(l.column);
    darc_table_free(l.table);
    darc_reader_close(r);
    return status;
}

size_t darc_table_liveliest(const darc_table *t, size_t most)
{
    size_t first = 0, n = t->samples;
    double *way = darc_calloc(n, sizeof *way), best = 0;
    for (int k = 0; k < t->signals; k++) {
        const double *x = t->signal[k].value;
        double sum = 0;
        for (size_t i = 1; x != NULL && i < n; i++)
            sum += fabs(x[i] - x[i - 1]);
        for (size_t i = 1; sum > 0 && i < n; i++)
            way[i] += fabs(x[i] - x[i - 1]) / sum;
    }
    for (size_t i = 1; i < n; i++)
        way[i] += way[i - 1];
    for (size_t i = 0; i + most < n; i++)
        if (way[i + most] - way[i] > best) {
            best = way[i + most] - way[i];
            first = i;
        }
    darc_free(way);
    return first;
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
    const char *meant = darc_unit_meant(x->unit, unit);
    if (scale != 1 || shift != 0 || meant != NULL)
        darc_table_remark(table, "units: %s %s%s%s to %s", x->name, x->unit,
                          meant != NULL ? ", taken as " : "",
                          meant != NULL ? meant : "", unit);
    darc_free(x->unit);
    x->unit = darc_strdup(unit);
    return DARC_OK;
}

bool darc_table_stands_still(const darc_table *table, int column)
{
    const double *y = table->signal[column].value;
    bool still = table->samples > 0 && isfinite(y[0]);
    for (size_t t = 1; t < table->samples && still; t++)
        still = isnan(y[t]) || y[t] == y[0];
    return still;
}

bool darc_table_is_held(const darc_table *t, int column)
{
    const double *y = t->signal[column].value;
    size_t changes = 0, next = 0;
    for (size_t k = 1; k < t->samples && t->sides > 0; k++) {
        while (next + 1 < t->sides && t->side[next] < k)
            next++;
        if (y[k] != y[k - 1] && k != t->side[next])
            return false;
        changes += y[k] != y[k - 1];
    }
    return changes > 0;
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
