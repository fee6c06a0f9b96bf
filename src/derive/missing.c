#include "derive/missing.h"

#include "base/mem.h"
#include "derive/evaluate.h"
#include "derive/thresholds.h"

#include <math.h>

/* How far an expression reaches. */
typedef struct {
    size_t samples; /* to both sides */
    double past;    /* seconds before these */
} reach;

static reach reach_of(const darc_column *col)
{
    reach all = {0, 0};
    for (int k = 0; k < col->args; k++) {
        reach one = reach_of(col->arg + k);
        all.samples = one.samples > all.samples ? one.samples : all.samples;
        all.past = fmax(all.past, one.past);
    }
    if (col->kind == DARC_COLUMN_DELAY)
        all.past += col->number;
    if (col->kind == DARC_COLUMN_DERIVATIVE)
        all.samples += col->formula->best < 0
                           ? col->c->table->samples
                           : (size_t)(darc_formula_width(col->formula) / 2);
    return all;
}

darc_segment darc_missing_core(const darc_column *col,
                               const darc_segment *segment)
{
    enum { CUBIC = 4 }; /* samples without which no delay is interpolated */
    const darc_table *table = col->c->table;
    reach r = reach_of(col);
    size_t n = segment->end - segment->begin;
    const darc_segment none = {segment->end, segment->end};
    if (n <= 2 * r.samples || (r.past > 0 && n < CUBIC))
        return none;
    size_t low = segment->begin + r.samples, high = segment->end - r.samples;
    size_t end = high;
    double t = darc_table_time(table, low) + r.past;
    while (low < high && r.past > 0) { /* the first sample at t or later */
        size_t middle = low + (high - low) / 2;
        double step =
            darc_table_time(table, middle) - darc_table_time(table, middle - 1);
        if (darc_table_time(table, middle) < t - DARC_TIME_SLACK * step)
            low = middle + 1;
        else
            high = middle;
    }
    return (darc_segment){low, end};
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

char *darc_missing_reason(const darc_column *col, size_t i)
{
    const darc_column *next;
    double x = NAN;
    while ((next = unknown_argument(col, &i)) != NULL)
        col = next;
    if (col->args > 0)
        value_at(&x, col->arg, i);
    double t = darc_table_time(col->c->table, i);
    darc_text_t text;
    darc_text_init(text);
    if (col->kind == DARC_COLUMN_TABLE) {
        const darc_lookup *l = col->lookup;
        darc_text_printf(text, "%g at t = %g s lies outside the table", x, t);
        darc_text_printf(text, "%s%s, %g .. %g", l->file != NULL ? " " : "",
                         l->file != NULL ? l->file : "", l->x[0],
                         l->x[l->points - 1]);
    } else {
        darc_expr_print(text, col->e);
        darc_text_printf(
            text, " has no value at t = %g s, where its argument is %g", t, x);
    }
    char *reason = darc_text_take(text);
    darc_text_clear(text);
    return reason;
}
