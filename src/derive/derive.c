#include "derive/derive.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "data/spool.h"
#include "derive/column.h"

#include <math.h>
#include <string.h>

static void mark_expr(bool *needed, const darc_expr *e)
{
    if (darc_expr_get_kind(e) == DARC_EXPR_UNKNOWN)
        needed[darc_expr_deriv(e).unknown] = true;
    for (int i = 0; i < e->count; i++)
        mark_expr(needed, e->child[i]);
}

void darc_derive_mark(bool *needed, const darc_model *model)
{
    /* A derived signal depends on earlier ones only. */
    for (int i = darc_derived_count(model); i-- > 0;)
        if (needed[darc_derived_unknown(model, i)])
            mark_expr(needed, darc_derived_expr(model, i));
}

static bool is_estimated(const darc_model *model, const darc_expr *e)
{
    darc_expr_kind kind = darc_expr_get_kind(e);
    if (kind == DARC_EXPR_DERIVATIVE)
        return true;
    if (kind == DARC_EXPR_UNKNOWN)
        return darc_expr_deriv(e).order > 0 ||
               darc_derive_is_estimated(model, darc_expr_deriv(e).unknown);
    for (int i = 0; i < e->count; i++)
        if (is_estimated(model, e->child[i]))
            return true;
    return false;
}

bool darc_derive_is_estimated(const darc_model *model, int u)
{
    int i = darc_derived_find(model, u);
    return i >= 0 && is_estimated(model, darc_derived_expr(model, i));
}

/* ---- the column --------------------------------------------------------- */

/* A new column on its way into a table. */
typedef struct {
    const darc_column *col;
    int place;     /* in the table's spool */
    double *value; /* in memory; NULL: in the spool, and not yet mapped */
    int segment;   /* of the table, the first that is not over yet */
    int segments;  /* where the new column is known too */
    size_t segment_alloc;
    darc_segment *known; /* owned */
    double perturb;
    double square, count; /* of the effect of errors, where it is known */
} target;

typedef struct {
    target *to;
    double *value, *other;
    double square, count;
    size_t begin, end;
} block;

static void *open_block(void *user)
{
    block *b = darc_calloc(1, sizeof *b);
    b->to = user;
    b->value = darc_malloc(b->to->col->c->block * sizeof *b->value);
    b->other = darc_malloc(b->to->col->c->block * sizeof *b->other);
    return b;
}

static void close_block(void *state)
{
    block *b = state;
    darc_free(b->value);
    darc_free(b->other);
    darc_free(b);
}

static void set_range(block *b, size_t unit)
{
    const darc_column_context *c = b->to->col->c;
    b->begin = unit * c->block;
    b->end = b->begin + c->block;
    b->end = b->end < c->table->samples ? b->end : c->table->samples;
}

static darc_status run(target *to,
                       darc_status (*work)(void *, size_t, darc_err *),
                       void (*gather)(void *, void *, size_t), darc_err *err)
{
    const darc_column_context *c = to->col->c;
    darc_parallel job = {to,          (c->table->samples - 1) / c->block + 1,
                         c->threads,  open_block,
                         close_block, work,
                         gather};
    return darc_parallel_run(&job, c->budget, err);
}

static darc_status fill_block(void *state, size_t unit, darc_err *err)
{
    block *b = state;
    const target *to = b->to;
    const darc_table *table = to->col->c->table;
    set_range(b, unit);
    size_t n = b->end - b->begin;
    darc_status status =
        darc_column_eval(to->col, b->value, b->begin, b->end, 0, err);
    if (status == DARC_OK && to->value == NULL)
        status =
            darc_spool_put(table->spool, to->place, b->begin, b->value, n, err);
    else if (status == DARC_OK)
        memcpy(to->value + b->begin, b->value, n * sizeof *b->value);
    darc_table_done(table, b->begin, b->end);
    return status;
}

/* Append begin .. end - 1, joined to the last segment if it ends there. */
static void add_known(target *to, size_t begin, size_t end)
{
    int n = to->segments;
    if (n > 0 && to->known[n - 1].end == begin) {
        to->known[n - 1].end = end;
        return;
    }
    to->known =
        darc_grow(to->known, (size_t)n, &to->segment_alloc, sizeof *to->known);
    to->known[to->segments++] = (darc_segment){begin, end};
}

/* Keep of every segment the runs where the new column is known. */
static void cut_segments(void *user, void *state, size_t unit)
{
    target *to = user;
    const block *b = state;
    const darc_table *table = to->col->c->table;
    (void)unit;
    for (; to->segment < table->segments; to->segment++) {
        const darc_segment *s = table->segment + to->segment;
        size_t i = s->begin > b->begin ? s->begin : b->begin;
        size_t end = s->end < b->end ? s->end : b->end;
        while (i < end) {
            size_t from = i;
            while (i < end && isfinite(b->value[i - b->begin]))
                i++;
            if (i > from)
                add_known(to, from, i);
            else
                i++;
        }
        if (s->end > b->end)
            return;
    }
}

static darc_status fill_column(darc_table *table, target *to, darc_err *err)
{
    if (table->spool == NULL) {
        to->value = darc_malloc(table->samples * sizeof *to->value);
        return run(to, fill_block, cut_segments, err);
    }
    darc_spool_widen(table->spool, &to->place);
    darc_status status = run(to, fill_block, cut_segments, err);
    return status == DARC_OK
               ? darc_spool_map_column(table->spool, to->place, &to->value, err)
               : status;
}

/* Give the column and its segments to the table. */
static void hand_over(darc_table *table, target *to, const char *name,
                      const char *unit)
{
    darc_free(table->segment);
    table->segment = to->known;
    table->segments = to->segments;
    table->segment_alloc = to->segment_alloc;
    to->known = NULL;
    table->signal = darc_realloc(table->signal, (size_t)table->signals + 1,
                                 sizeof *table->signal);
    table->signal[table->signals++] =
        (darc_signal){darc_strdup(name), darc_strdup(unit), to->value};
    to->value = NULL;
}

/* ---- its error ---------------------------------------------------------- */

/* Add up the squares of value - other where both are known. */
static void add_difference(block *b, const double *value, const double *other)
{
    b->square = b->count = 0;
    for (size_t i = 0; i < b->end - b->begin; i++) {
        double d = value[i] - other[i];
        if (isfinite(d)) {
            b->square += d * d;
            b->count += 1;
        }
    }
}

static darc_status compare_block(void *state, size_t unit, darc_err *err)
{
    block *b = state;
    const target *to = b->to;
    darc_status status = DARC_OK;
    set_range(b, unit);
    if (to->perturb == 0)
        memset(b->other, 0, (b->end - b->begin) * sizeof *b->other);
    else
        status = darc_column_eval(to->col, b->other, b->begin, b->end,
                                  to->perturb, err);
    if (status == DARC_OK)
        add_difference(b, to->value + b->begin, b->other);
    darc_table_done(to->col->c->table, b->begin, b->end);
    return status;
}

static void gather_difference(void *user, void *state, size_t unit)
{
    target *to = user;
    const block *b = state;
    (void)unit;
    to->square += b->square;
    to->count += b->count;
}

/* Set *error to the effect that the errors of signals and estimated
 * derivatives have: they are added or taken away, and the result compared.
 * Where there is none then, the effect is as large as the value. */
static darc_status find_error(double *error, target *to, darc_err *err)
{
    static const double perturb[] = {1, -1, 0};
    darc_status status = DARC_DATA;
    darc_err own;
    for (int i = 0; i < 3 && status == DARC_DATA; i++) {
        darc_err_init(&own);
        to->perturb = perturb[i];
        to->square = to->count = 0;
        status = run(to, compare_block, gather_difference, &own);
    }
    *error = to->count > 0 ? sqrt(to->square / to->count) : 0;
    return status == DARC_OK ? status
                             : darc_fail(err, status, "%s", own.message);
}

/* ---- all of them -------------------------------------------------------- */

static darc_status derive_one(darc_table *table, double *error,
                              const darc_model *model, int i,
                              const darc_derive_work *how, darc_err *err)
{
    enum { BLOCK = 1 << 15 };
    int u = darc_derived_unknown(model, i);
    const char *name = darc_model_names(model)->symbol[u].name;
    darc_column_context c = {table,
                             model,
                             name,
                             error,
                             how->block > 0 ? how->block : BLOCK,
                             how->threads,
                             how->budget};
    darc_column col;
    target to = {.col = &col};
    darc_status status =
        darc_column_init(&col, darc_derived_expr(model, i), &c, err);
    if (status != DARC_OK)
        return status;
    DARC_TRY(fill_column(table, &to, err));
    /* A delay or a derivative reaches over the segments as they were. */
    DARC_TRY(find_error(&error[u], &to, err));
    hand_over(table, &to, name, darc_model_unit(model, u));
    if (table->segments == 0)
        status =
            darc_fail(err, DARC_DATA,
                      "%s: derived signal '%s' is known nowhere: the segments "
                      "of the recording are too short for it",
                      table->file, name);
done:
    if (table->spool == NULL)
        darc_free(to.value);
    darc_free(to.known);
    darc_column_clear(&col);
    return status;
}

darc_status darc_derive_by(darc_table *table, double *error,
                           const darc_model *model, const bool *needed,
                           const darc_derive_work *how, darc_err *err)
{
    size_t names = (size_t)darc_model_names(model)->count;
    double *effect = darc_calloc(names, sizeof *effect);
    darc_status status = DARC_OK;
    for (int i = 0; i < darc_derived_count(model) && status == DARC_OK; i++)
        if (needed[darc_derived_unknown(model, i)])
            status = derive_one(table, effect, model, i, how, err);
    for (int i = 0; i < darc_derived_count(model) && error != NULL; i++) {
        int u = darc_derived_unknown(model, i);
        if (needed[u] && status == DARC_OK)
            error[u] = effect[u];
    }
    darc_free(effect);
    return status;
}

darc_status darc_derive(darc_table *table, double *error,
                        const darc_model *model, const bool *needed,
                        darc_err *err)
{
    darc_derive_work how = {.threads = 1};
    return darc_derive_by(table, error, model, needed, &how, err);
}
