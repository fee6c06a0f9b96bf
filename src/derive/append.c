/* append.c - a derived signal and what is known of its errors, into the table.
 */
#include "base/mem.h"
#include "base/parallel.h"
#include "data/spool.h"
#include "derive/evaluate.h"
#include "derive/thresholds.h"
#include "stats/lanes.h"

#include <math.h>
#include <string.h>

/* How far an expression reaches. */
typedef struct {
    size_t samples;      /* to both sides */
    double past, future; /* seconds before and behind these */
} reach;

static reach reach_of(const darc_column *col)
{
    reach all = {0, 0, 0};
    for (int k = 0; k < col->args; k++) {
        reach one = reach_of(col->arg + k);
        all.samples = one.samples > all.samples ? one.samples : all.samples;
        all.past = fmax(all.past, one.past);
        all.future = fmax(all.future, one.future);
    }
    if (col->kind == DARC_COLUMN_DELAY || col->kind == DARC_COLUMN_MEAN) {
        all.past += fmax(0, col->number);
        all.future += fmax(0, -col->number);
    }
    if (col->kind == DARC_COLUMN_DERIVATIVE)
        all.samples += col->formula->best < 0
                           ? col->c->table->samples
                           : (size_t)(darc_formula_width(col->formula) / 2);
    return all;
}

/* Return the first of samples low .. high - 1 at t or later; high: none is. */
static size_t first_at(const darc_table *table, size_t low, size_t high,
                       double t)
{
    t -= DARC_TIME_SLACK * darc_table_step(table);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (darc_table_time(table, middle) < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Return the samples of the segment for which no delay or derivative reaches
 * over its ends: there a missing value is the expression's own. */
static darc_segment core_of(const darc_column *col, const darc_segment *segment)
{
    enum { CUBIC = 4 }; /* samples without which no delay is interpolated */
    const darc_table *table = col->c->table;
    reach r = reach_of(col);
    size_t n = segment->end - segment->begin;
    const darc_segment none = {segment->end, segment->end};
    if (n <= 2 * r.samples || (r.past + r.future > 0 && n < CUBIC))
        return none;
    size_t low = segment->begin + r.samples, high = segment->end - r.samples;
    double until = darc_table_time(table, high - 1) - r.future;
    if (r.past > 0)
        low = first_at(table, low, high, darc_table_time(table, low) + r.past);
    while (r.future > 0 && high > low &&
           darc_table_time(table, high - 1) >
               until + DARC_TIME_SLACK * darc_table_step(table))
        high--;
    return low < high ? (darc_segment){low, high} : none;
}

/* Set value and return whether col is known at sample i. */
static bool value_at(double *value, const darc_column *col, size_t i)
{
    const darc_pass pass = {0};
    darc_dual d;
    darc_evaluate(&d, col, (darc_segment){i, i + 1}, &pass);
    *value = darc_strip_at(&d.value, 0);
    darc_dual_clear(&d, col);
    return isfinite(*value);
}

/* Return an argument, and set *i to a sample that col needs of it, that is not
 * known; NULL if there is none. */
static const darc_column *unknown_argument(const darc_column *col, size_t *i)
{
    const darc_pass pass = {0};
    const darc_table *table = col->c->table;
    darc_segment from = {*i, *i + 1};
    if (col->kind != DARC_COLUMN_INTEGRAL)
        from = darc_evaluate_reach(col, from, &pass);
    int s = darc_segment_behind(table, *i);
    size_t first = s < table->segments ? table->segment[s].begin : from.end;
    for (size_t j = first > from.begin ? first : from.begin;
         j < from.end && j < table->segment[s].end; j++)
        for (int k = 0; k < col->args; k++) {
            double value;
            if (value_at(&value, col->arg + k, j))
                continue;
            *i = j;
            return col->arg + k;
        }
    return NULL;
}

/* Return, to be freed, which part of the expression has no value at sample i,
 * and where its argument lies. */
static char *reason_of(const darc_column *col, size_t i)
{
    const darc_column *next;
    double x = NAN;
    while ((next = unknown_argument(col, &i)) != NULL)
        col = next;
    if (col->args > 0)
        value_at(&x, col->arg, i);
    double t = darc_table_time(col->c->table, i);
    darc_text_t text = DARC_TEXT;
    if (col->kind == DARC_COLUMN_TABLE) {
        const darc_lookup *l = col->lookup;
        darc_text_printf(
            text, "%g at t = %g s lies outside the table%s%s, %g .. %g", x, t,
            l->file != NULL ? " " : "", l->file != NULL ? l->file : "", l->x[0],
            l->x[l->points - 1]);
    } else {
        darc_expr_print(text, col->e);
        darc_text_printf(
            text, " has no value at t = %g s, where its argument is %g", t, x);
    }
    return darc_text_take(text);
}

/* What a new column holds: the slope of an origin, or one of these. */
enum { VALUE = -1, OWN = -2, SWITCHING = -3, REST = -4 };

typedef struct {
    int holds;
    int place;     /* in the table's spool */
    double *value; /* in memory; NULL: in the spool, and not yet mapped */
} column;

/* A derived signal on its way into a table. */
typedef struct {
    const darc_column *col;
    darc_table *table;
    const darc_derive_work *how;
    size_t block;
    int columns;
    column *column;      /* first the values; owned */
    int segment;         /* of the table, the first that is not over yet */
    darc_segment core;   /* of it, where there must be a value */
    int segments;        /* where the new column is known too */
    darc_segment *known; /* owned */
    size_t samples;      /* that are known */
    size_t missing, first;
    double square, own; /* sums of variances: all that vary, and own errors */
    double even;        /* variance that does not vary */
} target;

typedef struct {
    target *to;
    double *out, *known; /* samples of a block; owned */
    const double *value; /* of the signal; where there are gaps: known */
    double square, own;
    size_t begin, end;
    bool gaps; /* not all values are known */
} block;

static void *open_block(void *user)
{
    block *b = darc_calloc(1, sizeof *b);
    b->to = user;
    b->known = darc_malloc(b->to->block * sizeof *b->known);
    b->out = darc_malloc(b->to->block * sizeof *b->out);
    return b;
}

static void close_block(void *state)
{
    block *b = state;
    DARC_FREE(b->known, b->out, b);
}

/* Set *s to what such a column holds; it may be lent. */
static void hold_strip(darc_strip *s, const darc_dual *d,
                       const darc_column *col, int holds, size_t n)
{
    if (holds >= 0) {
        *s =
            (darc_strip){d->slope[holds].constant, d->slope[holds].value, NULL};
        return;
    }
    darc_dual_variance(s, d, col,
                       DARC_OWN | (holds == OWN    ? DARC_COUNTS
                                   : holds == REST ? DARC_COUNTS_AT_REST
                                                   : DARC_COUNTS_AT_SWITCH),
                       n);
    double *x = darc_strip_expand(s, n);
    for (size_t i = 0; i < n; i++)
        x[i] = sqrt(x[i]);
}

/* Make out NAN in gaps; where the value is known and this is not finite, take
 * what it is at signals as they are, or 0. */
static void repair(double *out, const block *b, int holds)
{
    const darc_pass raw = {.slopes = true};
    size_t n = b->end - b->begin;
    bool lost = false;
    for (size_t i = 0; i < n; i++) {
        lost = lost || (!isnan(b->value[i]) && !isfinite(out[i]));
        out[i] = isnan(b->value[i]) ? NAN : out[i];
    }
    if (!lost)
        return;
    darc_dual d;
    darc_strip s;
    darc_evaluate(&d, b->to->col, (darc_segment){b->begin, b->end}, &raw);
    hold_strip(&s, &d, b->to->col, holds, n);
    for (size_t i = 0; i < n; i++)
        if (!isnan(b->value[i]) && !isfinite(out[i])) {
            double x = darc_strip_at(&s, i);
            out[i] = isfinite(x) ? x : 0;
        }
    darc_strip_clear(&s);
    darc_dual_clear(&d, b->to->col);
}

static darc_status put_values(const block *b, const column *c, const double *x,
                              darc_err *err)
{
    size_t n = b->end - b->begin;
    if (c->value == NULL)
        return darc_spool_put(b->to->table->spool, c->place, b->begin, x, n,
                              err);
    memcpy(c->value + b->begin, x, n * sizeof *x);
    return DARC_OK;
}

/* Put away what column c holds along the block, NAN in gaps. */
static darc_status fill_column(block *b, const darc_dual *d, const column *c,
                               darc_err *err)
{
    size_t n = b->end - b->begin;
    const double *out;
    darc_strip s;
    hold_strip(&s, d, b->to->col, c->holds, n);
    out = s.value;
    double square = b->gaps ? NAN : darc_lanes_dot(out, out, n);
    if (!isfinite(square)) { /* some are not known */
        memcpy(b->out, out, n * sizeof *out);
        repair(b->out, b, c->holds);
        out = b->out;
        square = 0;
        for (size_t i = 0; i < n; i++)
            square += isnan(out[i]) ? 0 : out[i] * out[i];
    }
    b->own += c->holds == OWN ? square : 0;
    if (c->holds >= 0)
        square *= b->to->col->c->origin[c->holds].sd *
                  b->to->col->c->origin[c->holds].sd;
    b->square += c->holds < OWN ? 0 : square;
    darc_status status = put_values(b, c, out, err);
    darc_strip_clear(&s);
    return status;
}

static darc_status fill_block(void *state, size_t unit, darc_err *err)
{
    block *b = state;
    const target *to = b->to;
    const darc_pass raw = {.slopes = to->how->smooth == 0};
    const darc_pass smooth = {true, to->how->smooth};
    darc_dual d;
    b->begin = unit * to->block;
    b->end = to->table->samples - b->begin < to->block ? to->table->samples
                                                       : b->begin + to->block;
    b->square = b->own = 0;
    size_t n = b->end - b->begin;
    darc_segment at = {b->begin, b->end};
    darc_evaluate(&d, to->col, at, &raw);
    if (d.value.value == NULL)
        darc_strip_expand(&d.value, n);
    b->value = d.value.value;
    b->gaps = !isfinite(darc_lanes_sum(b->value, n));
    if (b->gaps || !raw.slopes) {
        for (size_t i = 0; i < n; i++)
            b->known[i] = isfinite(b->value[i]) ? b->value[i] : NAN;
        b->value = b->known;
    }
    darc_status status = put_values(b, to->column, b->value, err);
    if (!raw.slopes) {
        darc_dual_clear(&d, to->col);
        darc_evaluate(&d, to->col, at, &smooth);
    }
    for (int k = 1; k < to->columns && status == DARC_OK; k++)
        status = fill_column(b, &d, to->column + k, err);
    darc_dual_clear(&d, to->col);
    darc_table_done(to->table, b->begin, b->end);
    return status;
}

/* Keep of every segment the runs where the new column is known. */
static void gather_runs(void *user, void *state, size_t unit)
{
    target *to = user;
    const block *b = state;
    (void)unit;
    to->square += b->square;
    to->own += b->own;
    for (; to->segment < to->table->segments; to->segment++) {
        const darc_segment *s = to->table->segment + to->segment;
        size_t i = s->begin > b->begin ? s->begin : b->begin;
        size_t end = s->end < b->end ? s->end : b->end;
        if (i == s->begin && i < end)
            to->core = core_of(to->col, s);
        while (i < end) {
            size_t from = i;
            while (i < end && b->gaps && !isnan(b->value[i - b->begin]))
                i++;
            i = b->gaps ? i : end;
            int n = to->segments;
            to->samples += i - from;
            if (n > 0 && i > from && to->known[n - 1].end == from) {
                to->known[n - 1].end = i; /* joined */
            } else if (i > from) {
                DARC_ROOM(to->known, n);
                to->known[to->segments++] = (darc_segment){from, i};
            }
            if (i < end && i >= to->core.begin && i < to->core.end)
                to->first = to->missing++ == 0 ? i : to->first;
            i += i < end;
        }
        if (s->end > b->end)
            return;
    }
}

static void add_column(target *to, int holds)
{
    DARC_ROOM(to->column, to->columns);
    column *c = to->column + to->columns++;
    *c = (column){.holds = holds};
    if (to->table->spool == NULL)
        c->value = darc_malloc_long(to->table->samples * sizeof *c->value);
    else
        darc_spool_widen(to->table->spool, &c->place);
}

/* The signal itself, the slopes that vary, own errors.  What is constant is so
 * at any sample: note it in the record. */
static void add_columns(target *to, darc_derivation *record, bool switching)
{
    const darc_column_context *c = to->col->c;
    const darc_pass pass = {.slopes = true};
    darc_dual d;
    bool own = false, apart = false, rests = false;
    add_column(to, VALUE);
    darc_evaluate(&d, to->col, (darc_segment){0, 1}, &pass);
    DARC_CALLOC((size_t)c->origins, record->influence);
    for (int o = 0; o < c->origins; o++) {
        const darc_origin *from = c->origin + o;
        if (darc_strip_is_zero(d.slope + o))
            continue;
        own = own || (!from->measured && (from->counts & DARC_COUNTS) != 0);
        apart = apart || from->counts == DARC_COUNTS_AT_SWITCH;
        rests = rests || from->counts == DARC_COUNTS_AT_REST;
        if (!from->measured)
            record->correlation = fmax(record->correlation, from->correlation);
        if (from->measured)
            record->influence[record->influences++] = (darc_influence){
                from->unknown, from->shift, d.slope[o].constant, NULL};
        if (from->measured && d.slope[o].value != NULL)
            add_column(to, o);
        else if (from->measured)
            to->even += pow(d.slope[o].constant * from->sd, 2);
    }
    if (own)
        add_column(to, OWN);
    if (apart && switching)
        add_column(to, SWITCHING);
    if (rests)
        add_column(to, REST);
    darc_dual_clear(&d, to->col);
}

/* Fail where too many samples have no value; note what is missing. */
static darc_status check_missing(const target *to, darc_derivation *record,
                                 darc_err *err)
{
    const char *file = to->table->file, *name = to->col->c->name;
    double all = (double)(to->missing + to->samples);
    record->missing = to->missing;
    if (to->missing > 0)
        record->reason = reason_of(to->col, to->first);
    if ((double)to->missing > DARC_MISSING_SHARE * all)
        return darc_fail(err, DARC_DATA, "%s: derived signal '%s': %s", file,
                         name, record->reason);
    if (to->samples > 0)
        return DARC_OK;
    return darc_fail(err, DARC_DATA,
                     "%s: derived signal '%s' is known nowhere: the segments "
                     "of the recording are too short for it",
                     file, name);
}

/* Give columns, segments and the record to the table, which is whole while
 * memory is taken (attempt.h). */
static void hand_over(target *to, darc_derivation *record, const char *unit)
{
    darc_table *t = to->table;
    char *name = darc_strdup(to->col->c->name), *of = darc_strdup(unit);
    t->signal =
        darc_realloc(t->signal, (size_t)t->signals + 1, sizeof *t->signal);
    t->derivation = darc_realloc(t->derivation, (size_t)t->derivations + 1,
                                 sizeof *t->derivation);
    darc_free(t->segment);
    t->segment = to->known;
    t->segments = to->segments;
    to->known = NULL;
    t->signal[t->signals++] = (darc_signal){name, of, to->column[0].value};
    to->column[0].value = NULL;
    record->error = sqrt(to->even + to->square / (double)to->samples);
    for (int k = 1; k < to->columns; k++) {
        column *c = to->column + k;
        if (c->holds < 0 && to->own == 0)
            continue;
        const darc_origin *from = to->col->c->origin + c->holds;
        for (int i = 0; i < record->influences && c->holds >= 0; i++) {
            darc_influence *by = record->influence + i;
            if (by->unknown == from->unknown && by->shift == from->shift)
                by->slope = c->value;
        }
        record->sd = c->holds == OWN ? c->value : record->sd;
        record->switching =
            c->holds == SWITCHING ? c->value : record->switching;
        record->rest = c->holds == REST ? c->value : record->rest;
        c->value = NULL;
    }
    t->derivation[t->derivations++] = *record;
    *record = (darc_derivation){0};
}

darc_status darc_append(const darc_column *col, int u, bool switching,
                        const darc_derive_work *how, darc_err *err)
{
    const darc_column_context *c = col->c;
    darc_derivation record = {.unknown = u, .correlation = 1};
    target to = {.col = col,
                 .table = c->table,
                 .how = how,
                 .block = how->block > 0 ? how->block : DARC_DERIVE_BLOCK};
    darc_parallel job = {&to,          (c->table->samples - 1) / to.block + 1,
                         how->threads, open_block,
                         close_block,  fill_block,
                         gather_runs};
    darc_status status;
    add_columns(&to, &record, switching);
    DARC_TRY(darc_parallel_run(&job, how->budget, err));
    for (int k = 0; k < to.columns && c->table->spool != NULL; k++)
        DARC_TRY(darc_spool_map_column(c->table->spool, to.column[k].place,
                                       &to.column[k].value, err));
    DARC_TRY(check_missing(&to, &record, err));
    hand_over(&to, &record, darc_model_unit(c->model, u));
done:
    for (int k = 0; k < to.columns && c->table->spool == NULL; k++)
        darc_free(to.column[k].value);
    DARC_FREE(to.column, to.known, record.influence, record.reason);
    return status;
}
