#include "derive/column.h"

#include "base/mem.h"
#include "derive/thresholds.h"

#include <math.h>

/* Return the number of the origin, a new one if there is none like it. */
static int add_origin(darc_column_context *c, const darc_origin *like)
{
    for (int o = 0; o < c->origins; o++) {
        const darc_origin *a = c->origin + o;
        bool same_part = a->e == NULL || like->e == NULL
                             ? a->e == like->e
                             : darc_expr_equal(a->e, like->e);
        if (same_part && a->unknown == like->unknown &&
            a->shift == like->shift && a->counts == like->counts &&
            a->measured == like->measured)
            return o;
    }
    DARC_ROOM(c->origin, c->origins);
    c->origin[c->origins] = *like;
    return c->origins++;
}

/* An error of noise, or of its own, arises here. */
static void add_seed(darc_column *col, darc_origin like)
{
    DARC_APPEND(col->seed, col->seeds, add_origin(col->c, &like));
}

static void add_own_seed(darc_column *col, int counts)
{
    add_seed(col, (darc_origin){-1, col->e, 0, counts, false, 1, 1});
}

static void add_measured_seed(darc_column *col, int unknown, long shift)
{
    add_seed(col, (darc_origin){unknown, NULL, shift, DARC_COUNTS_EVERYWHERE,
                                true, 0, 1});
}

void darc_column_mark(bool *has, const darc_column *col)
{
    for (int k = 0; k < col->seeds; k++)
        has[col->seed[k]] = true;
    for (int m = 0; m < col->origins * col->taps; m++)
        if (col->moved[m] >= 0)
            has[col->moved[m]] = true;
    bool passes = col->kind != DARC_COLUMN_DELAY &&
                  col->kind != DARC_COLUMN_MEAN &&
                  col->kind != DARC_COLUMN_DERIVATIVE &&
                  col->kind != DARC_COLUMN_INTEGRAL;
    for (int k = 0; k < col->args && passes; k++)
        darc_column_mark(has, col->arg + k);
}

/* The errors of a delay are those of one sample; those of a mean of white noise
 * are of all samples in it, or of a few that stand for all. */
static void set_taps(darc_column *col, double dt)
{
    double n = dt > 0 ? col->number / dt : 0, part = 1;
    bool mean = col->kind == DARC_COLUMN_MEAN;
    if (mean) {
        part = fmax(1, n / DARC_MEAN_TAPS);
        col->taps = (int)ceil(n / part) + 1;
    } else {
        col->taps = 1;
    }
    DARC_CALLOC((size_t)col->taps, col->tap, col->back);
    for (int k = 0; k < col->taps; k++) {
        double from = fmax(0, k - 0.5), to = fmin(n / part, k + 0.5);
        col->tap[k] = mean ? fmax(0, to - from) * sqrt(part) / n : 1;
        col->back[k] = lround(mean ? k * part : n);
    }
}

static void move_origins(darc_column *col)
{
    darc_column_context *c = col->c;
    const darc_table *t = c->table;
    int n = c->origins;
    double dt = t->dt;
    if (dt <= 0 && t->samples > 1)
        dt = (t->time[t->samples - 1] - t->time[0]) / (double)(t->samples - 1);
    set_taps(col, dt);
    bool *has = darc_calloc((size_t)n, sizeof *has);
    darc_column_mark(has, col->arg);
    col->moved = darc_calloc((size_t)(n * col->taps), sizeof *col->moved);
    for (int m = 0; m < n * col->taps; m++) {
        darc_origin late = c->origin[m / col->taps];
        late.shift += col->back[m % col->taps];
        col->moved[m] = has[m / col->taps] ? add_origin(c, &late) : -1;
    }
    col->origins = n;
    darc_free(has);
}

/* What a derived signal was found to carry. */
static void seed_derived(darc_column *col, const darc_derivation *d)
{
    for (int k = 0; k < d->influences; k++)
        add_measured_seed(col, d->influence[k].unknown, d->influence[k].shift);
    darc_origin own = {d->unknown,    NULL, 0, DARC_COUNTS_EVERYWHERE, false, 1,
                       d->correlation};
    if (d->switching != NULL)
        own.counts = DARC_COUNTS;
    if (d->sd != NULL)
        add_seed(col, own);
    own.counts = DARC_COUNTS_AT_SWITCH;
    if (d->switching != NULL)
        add_seed(col, own);
    own.counts = DARC_COUNTS_AT_REST;
    if (d->rest != NULL)
        add_seed(col, own);
}

static darc_status init_signal(darc_column *col, int unknown, darc_err *err)
{
    const darc_column_context *c = col->c;
    const darc_symbol *symbol = darc_model_names(c->model)->symbol + unknown;
    if (symbol->kind == DARC_TIME) {
        col->kind = DARC_COLUMN_TIME;
        return DARC_OK;
    }
    col->kind = DARC_COLUMN_SIGNAL;
    col->unknown = unknown;
    col->signal = darc_table_find(c->table, symbol->name);
    if (col->signal < 0)
        return darc_fail(err, DARC_DATA,
                         "%s: derived signal '%s' needs '%s', which is not in "
                         "the recording",
                         c->table->file, c->name, symbol->name);
    const darc_derivation *d = darc_table_derivation(c->table, unknown);
    if (d != NULL)
        seed_derived(col, d);
    else
        add_measured_seed(col, unknown, 0);
    return DARC_OK;
}

static void init_derivative(darc_column *col, int order)
{
    col->kind = DARC_COLUMN_DERIVATIVE;
    col->formula = darc_calloc(1, sizeof *col->formula);
    add_own_seed(col, col->c->switches ? DARC_COUNTS : DARC_COUNTS_EVERYWHERE);
    if (col->c->switches)
        add_own_seed(col, DARC_COUNTS_AT_SWITCH);
    darc_formula_init(col->formula, order, col->c->table);
}

/* Of the derivative of an unknown the argument has no expression. */
static darc_status init_unknown(darc_column *col, darc_err *err)
{
    darc_deriv d = darc_expr_deriv(col->e);
    if (d.order == 0)
        return init_signal(col, d.unknown, err);
    col->arg = darc_calloc(1, sizeof *col->arg);
    col->args = 1;
    *col->arg = (darc_column){.e = col->e, .c = col->c};
    darc_status status = init_signal(col->arg, d.unknown, err);
    if (status == DARC_OK)
        init_derivative(col, d.order);
    return status;
}

static darc_status find_time(darc_column *col, darc_err *err)
{
    col->number = darc_delay_time(col->e, col->c->model, col->c->table);
    return isfinite(col->number)
               ? DARC_OK
               : darc_fail(err, DARC_DATA,
                           "%s: the recording does not tell the time of the "
                           "delay in '%s'",
                           col->c->table->file, col->c->name);
}

/* What an expression, or a call, becomes; NUMBER: see below. */
static const darc_column_kind kinds[] = {
    [DARC_EXPR_SUM] = DARC_COLUMN_SUM,
    [DARC_EXPR_PRODUCT] = DARC_COLUMN_PRODUCT,
    [DARC_EXPR_NEGATE] = DARC_COLUMN_NEGATE,
    [DARC_EXPR_INVERT] = DARC_COLUMN_INVERT,
    [DARC_EXPR_POWER] = DARC_COLUMN_POWER,
    [DARC_EXPR_CALL] = DARC_COLUMN_FUNCTION};

static darc_column_kind kind_of_call(darc_function f)
{
    return f == DARC_FUNCTION_MIN || f == DARC_FUNCTION_MAX
               ? DARC_COLUMN_EXTREME
           : f == DARC_FUNCTION_SIGN  ? DARC_COLUMN_SIGN
           : f == DARC_FUNCTION_IF    ? DARC_COLUMN_SWITCH
           : f == DARC_FUNCTION_DELAY ? DARC_COLUMN_DELAY
           : f == DARC_FUNCTION_MEAN  ? DARC_COLUMN_MEAN
           : f == DARC_FUNCTION_TABLE ? DARC_COLUMN_TABLE
           : f == DARC_FUNCTION_INT   ? DARC_COLUMN_INTEGRAL
                                      : DARC_COLUMN_FUNCTION;
}

static darc_status init_node(darc_column *col, darc_err *err)
{
    darc_expr_kind kind = darc_expr_get_kind(col->e);
    if (kind == DARC_EXPR_UNKNOWN)
        return init_unknown(col, err);
    if (kind == DARC_EXPR_DERIVATIVE) {
        init_derivative(col, col->e->order);
        return DARC_OK;
    }
    col->kind =
        kind == DARC_EXPR_CALL ? kind_of_call(col->e->function) : kinds[kind];
    if (col->kind == DARC_COLUMN_NUMBER)
        col->number = darc_expr_number(col->e);
    if (col->kind == DARC_COLUMN_POWER)
        darc_expr_is_constant(col->e->child[1], &col->number);
    if (col->kind == DARC_COLUMN_DELAY || col->kind == DARC_COLUMN_MEAN) {
        DARC_NEED(find_time(col, err));
        move_origins(col);
    }
    if (col->kind == DARC_COLUMN_SIGN || col->kind == DARC_COLUMN_SWITCH ||
        col->kind == DARC_COLUMN_INTEGRAL)
        add_own_seed(col, DARC_COUNTS_EVERYWHERE);
    if (col->kind == DARC_COLUMN_SIGN || col->kind == DARC_COLUMN_SWITCH)
        add_own_seed(col, DARC_COUNTS_AT_REST);
    if (col->kind == DARC_COLUMN_INTEGRAL)
        col->integral =
            darc_calloc(col->c->table->samples / DARC_INTEGRAL_STEP + 1,
                        sizeof *col->integral);
    if (col->kind != DARC_COLUMN_TABLE)
        return DARC_OK;
    col->lookup = darc_calloc(1, sizeof *col->lookup);
    return darc_lookup_init(col->lookup, col->e, col->c->model, err);
}

/* How many children vary along the samples. */
static int arguments(const darc_expr *e)
{
    darc_expr_kind kind = darc_expr_get_kind(e);
    bool first =
        kind == DARC_EXPR_POWER ||
        (kind == DARC_EXPR_CALL && (e->function == DARC_FUNCTION_DELAY ||
                                    e->function == DARC_FUNCTION_MEAN ||
                                    e->function == DARC_FUNCTION_TABLE));
    return kind == DARC_EXPR_NUMBER ? 0 : first ? 1 : e->count;
}

darc_status darc_column_init(darc_column *col, const darc_expr *e,
                             darc_column_context *c, darc_err *err)
{
    darc_status status = DARC_OK;
    int n = arguments(e);
    *col = (darc_column){.e = e, .c = c};
    if (n > 0)
        col->arg = darc_calloc((size_t)n, sizeof *col->arg);
    while (col->args < n) {
        int k = col->args++;
        DARC_TRY(darc_column_init(col->arg + k, e->child[k], c, err));
    }
    status = init_node(col, err);
done:
    if (status != DARC_OK)
        darc_column_clear(col);
    return status;
}

void darc_column_clear(darc_column *col)
{
    DARC_ALL(darc_column_clear, col->arg, col->args);
    darc_free(col->arg);
    for (int r = 0; r < DARC_FORMULAS && col->formula != NULL; r++)
        DARC_FREE(col->formula->rung[r].formula.weight,
                  col->formula->rung[r].difference.weight);
    if (col->lookup != NULL)
        DARC_FREE(col->lookup->x, col->lookup->file);
    DARC_FREE(col->formula, col->lookup, col->integral, col->seed, col->tap,
              col->back, col->moved);
    *col = (darc_column){0};
}
