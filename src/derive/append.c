#include "derive/append.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "data/spool.h"
#include "derive/evaluate.h"
#include "derive/missing.h"
#include "derive/thresholds.h"
#include "stats/lanes.h"

#include <math.h>
#include <string.h>

/* ---- new columns ---------------------------------------------------------
 */

/* What a new column holds: the slope of an origin, or one of these. */
enum { VALUE = -1, OWN = -2, SWITCHING = -3 };

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
    column *column;    /* first the values; owned */
    int segment;       /* of the table, the first that is not over yet */
    darc_segment core; /* of it, where there must be a value */
    int segments;      /* where the new column is known too */
    size_t segment_alloc;
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
    darc_free(b->known);
    darc_free(b->out);
    darc_free(b);
}

/* Set *s to what such a column holds; it may be lent. */
static void hold(darc_strip *s, const darc_dual *d, const darc_column *col,
                 int holds, size_t n)
{
    if (holds >= 0) {
        *s =
            (darc_strip){d->slope[holds].constant, d->slope[holds].value, NULL};
        return;
    }
    darc_dual_variance(
        s, d, col,
        DARC_OWN | (holds == OWN ? DARC_COUNTS : DARC_COUNTS_AT_SWITCH), n);
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
    hold(&s, &d, b->to->col, holds, n);
    for (size_t i = 0; i < n; i++)
        if (!isnan(b->value[i]) && !isfinite(out[i])) {
            double x = darc_strip_at(&s, i);
            out[i] = isfinite(x) ? x : 0;
        }
    darc_strip_clear(&s);
    darc_dual_clear(&d, b->to->col);
}

static darc_status put(const block *b, const column *c, const double *x,
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
    hold(&s, d, b->to->col, c->holds, n);
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
    b->square += c->holds == SWITCHING ? 0 : square;
    darc_status status = put(b, c, out, err);
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
    darc_status status = put(b, to->column, b->value, err);
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

/* Append begin .. end - 1, joined to the last segment if it ends there. */
static void add_known(target *to, size_t begin, size_t end)
{
    int n = to->segments;
    to->samples += end - begin;
    if (n > 0 && to->known[n - 1].end == begin) {
        to->known[n - 1].end = end;
        return;
    }
    to->known =
        darc_grow(to->known, (size_t)n, &to->segment_alloc, sizeof *to->known);
    to->known[to->segments++] = (darc_segment){begin, end};
}

static void add_missing(target *to, size_t i)
{
    if (i < to->core.begin || i >= to->core.end)
        return;
    to->first = to->missing == 0 ? i : to->first;
    to->missing++;
}

/* Keep of every segment the runs where the new column is known. */
static void gather(void *user, void *state, size_t unit)
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
            to->core = darc_missing_core(to->col, s);
        while (i < end) {
            size_t from = i;
            while (i < end && b->gaps && !isnan(b->value[i - b->begin]))
                i++;
            i = b->gaps ? i : end;
            if (i > from)
                add_known(to, from, i);
            if (i < end)
                add_missing(to, i++);
        }
        if (s->end > b->end)
            return;
    }
}

/* ---- which columns there are ---------------------------------------------
 */

static void add_column(target *to, int holds)
{
    to->column =
        darc_realloc(to->column, (size_t)to->columns + 1, sizeof *to->column);
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
    bool own = false, apart = false;
    add_column(to, VALUE);
    darc_evaluate(&d, to->col, (darc_segment){0, 1}, &pass);
    record->influence =
        darc_calloc((size_t)c->origins, sizeof *record->influence);
    for (int o = 0; o < c->origins; o++) {
        const darc_origin *from = c->origin + o;
        if (darc_strip_is_zero(d.slope + o))
            continue;
        own = own || (!from->measured && (from->counts & DARC_COUNTS) != 0);
        apart = apart || from->counts == DARC_COUNTS_AT_SWITCH;
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
    darc_dual_clear(&d, to->col);
}

/* ---- into the table ------------------------------------------------------
 */

static darc_status fill(target *to, darc_err *err)
{
    darc_parallel job = {to,
                         (to->table->samples - 1) / to->block + 1,
                         to->how->threads,
                         open_block,
                         close_block,
                         fill_block,
                         gather};
    darc_status status = darc_parallel_run(&job, to->how->budget, err);
    for (int k = 0; k < to->columns && status == DARC_OK; k++)
        if (to->table->spool != NULL)
            status =
                darc_spool_map_column(to->table->spool, to->column[k].place,
                                      &to->column[k].value, err);
    return status;
}

/* Fail where too many samples have no value; note what is missing. */
static darc_status check_missing(const target *to, darc_derivation *record,
                                 darc_err *err)
{
    const char *file = to->table->file, *name = to->col->c->name;
    double all = (double)(to->missing + to->samples);
    record->missing = to->missing;
    if (to->missing > 0)
        record->reason = darc_missing_reason(to->col, to->first);
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

/* Give the column to the record. */
static void record_column(darc_derivation *record, const column *c,
                          const darc_origin *origin)
{
    if (c->holds == OWN)
        record->sd = c->value;
    else if (c->holds == SWITCHING)
        record->switching = c->value;
    for (int k = 0; k < record->influences && c->holds >= 0; k++) {
        darc_influence *by = record->influence + k;
        if (by->unknown == origin[c->holds].unknown &&
            by->shift == origin[c->holds].shift)
            by->slope = c->value;
    }
}

/* Give columns, segments and the record to the table. */
static void hand_over(target *to, darc_derivation *record, const char *unit)
{
    darc_table *t = to->table;
    darc_free(t->segment);
    t->segment = to->known;
    t->segments = to->segments;
    t->segment_alloc = to->segment_alloc;
    to->known = NULL;
    t->signal =
        darc_realloc(t->signal, (size_t)t->signals + 1, sizeof *t->signal);
    t->signal[t->signals++] = (darc_signal){
        darc_strdup(to->col->c->name), darc_strdup(unit), to->column[0].value};
    to->column[0].value = NULL;
    record->error = sqrt(to->even + to->square / (double)to->samples);
    for (int k = 1; k < to->columns; k++) {
        bool none = to->column[k].holds < 0 && to->own == 0;
        if (none)
            continue;
        record_column(record, to->column + k, to->col->c->origin);
        to->column[k].value = NULL;
    }
    t->derivation = darc_realloc(t->derivation, (size_t)t->derivations + 1,
                                 sizeof *t->derivation);
    t->derivation[t->derivations++] = *record;
    *record = (darc_derivation){0};
}

static void close_target(target *to, darc_derivation *record)
{
    for (int k = 0; k < to->columns && to->table->spool == NULL; k++)
        darc_free(to->column[k].value);
    darc_free(to->column);
    darc_free(to->known);
    darc_free(record->influence);
    darc_free(record->reason);
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
    darc_status status;
    add_columns(&to, &record, switching);
    DARC_TRY(fill(&to, err));
    DARC_TRY(check_missing(&to, &record, err));
    hand_over(&to, &record, darc_model_unit(c->model, u));
done:
    close_target(&to, &record);
    return status;
}
