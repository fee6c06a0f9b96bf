#include "derive/column.h"

#include "base/mem.h"

#include <math.h>

/* ---- origins of errors ---------------------------------------------------
 */

static bool same_origin(const darc_origin *a, const darc_origin *b)
{
    bool same_part = a->e == NULL || b->e == NULL ? a->e == b->e
                                                  : darc_expr_equal(a->e, b->e);
    return same_part && a->unknown == b->unknown && a->shift == b->shift &&
           a->counts == b->counts && a->measured == b->measured;
}

/* Return the number of the origin, a new one if there is none like it. */
static int add_origin(darc_column_context *c, const darc_origin *like)
{
    for (int o = 0; o < c->origins; o++)
        if (same_origin(c->origin + o, like))
            return o;
    c->origin =
        darc_grow(c->origin, (size_t)c->origins, &c->alloc, sizeof *c->origin);
    c->origin[c->origins] = *like;
    return c->origins++;
}

static void add_seed(darc_column *col, darc_origin like)
{
    col->seed =
        darc_realloc(col->seed, (size_t)col->seeds + 1, sizeof *col->seed);
    col->seed[col->seeds++] = add_origin(col->c, &like);
}

static void add_own_seed(darc_column *col, int counts)
{
    add_seed(col, (darc_origin){.unknown = -1,
                                .e = col->e,
                                .counts = counts,
                                .sd = 1,
                                .correlation = 1});
}

void darc_column_mark(bool *has, const darc_column *col)
{
    for (int k = 0; k < col->seeds; k++)
        has[col->seed[k]] = true;
    for (int o = 0; o < col->origins; o++)
        if (col->moved[o] >= 0)
            has[col->moved[o]] = true;
    bool passes = col->kind != DARC_COLUMN_DELAY &&
                  col->kind != DARC_COLUMN_DERIVATIVE &&
                  col->kind != DARC_COLUMN_INTEGRAL;
    for (int k = 0; k < col->args && passes; k++)
        darc_column_mark(has, col->arg + k);
}

/* Return how many samples a delay is. */
static long shift_of(const darc_column *delay)
{
    const darc_table *t = delay->c->table;
    double dt = t->dt;
    if (dt <= 0 && t->samples > 1)
        dt = (t->time[t->samples - 1] - t->time[0]) / (double)(t->samples - 1);
    return dt > 0 ? lround(delay->number / dt) : 0;
}

static void move_origins(darc_column *col)
{
    darc_column_context *c = col->c;
    int n = c->origins;
    bool *has = darc_calloc((size_t)n, sizeof *has);
    darc_column_mark(has, col->arg);
    col->moved = darc_calloc((size_t)n, sizeof *col->moved);
    for (int o = 0; o < n; o++) {
        darc_origin late = c->origin[o];
        late.shift += shift_of(col);
        col->moved[o] = has[o] ? add_origin(c, &late) : -1;
    }
    col->origins = n;
    darc_free(has);
}

/* What a derived signal was found to carry. */
static void seed_derived(darc_column *col, const darc_derivation *d)
{
    for (int k = 0; k < d->influences; k++)
        add_seed(col, (darc_origin){.unknown = d->influence[k].unknown,
                                    .shift = d->influence[k].shift,
                                    .counts = DARC_COUNTS_EVERYWHERE,
                                    .measured = true,
                                    .correlation = 1});
    darc_origin own = {.unknown = d->unknown,
                       .counts = DARC_COUNTS_EVERYWHERE,
                       .sd = 1,
                       .correlation = d->correlation};
    if (d->switching != NULL)
        own.counts = DARC_COUNTS;
    if (d->sd != NULL)
        add_seed(col, own);
    own.counts = DARC_COUNTS_AT_SWITCH;
    if (d->switching != NULL)
        add_seed(col, own);
}

/* ---- the tree ------------------------------------------------------------
 */

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
        add_seed(col, (darc_origin){.unknown = unknown,
                                    .counts = DARC_COUNTS_EVERYWHERE,
                                    .measured = true,
                                    .correlation = 1});
    return DARC_OK;
}

static darc_status init_derivative(darc_column *col, int order, darc_err *err)
{
    col->kind = DARC_COLUMN_DERIVATIVE;
    col->formula = darc_calloc(1, sizeof *col->formula);
    add_own_seed(col, col->c->switches ? DARC_COUNTS : DARC_COUNTS_EVERYWHERE);
    if (col->c->switches)
        add_own_seed(col, DARC_COUNTS_AT_SWITCH);
    return darc_formula_init(col->formula, order, col->c->table, err);
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
    return status == DARC_OK ? init_derivative(col, d.order, err) : status;
}

static darc_status init_call(darc_column *col, darc_err *err)
{
    col->kind = DARC_COLUMN_FUNCTION;
    switch (col->e->function) {
    case DARC_FUNCTION_MIN:
    case DARC_FUNCTION_MAX:
        col->kind = DARC_COLUMN_EXTREME;
        break;
    case DARC_FUNCTION_SIGN:
        col->kind = DARC_COLUMN_SIGN;
        add_own_seed(col, DARC_COUNTS_EVERYWHERE);
        break;
    case DARC_FUNCTION_IF:
        col->kind = DARC_COLUMN_SWITCH;
        add_own_seed(col, DARC_COUNTS_EVERYWHERE);
        break;
    case DARC_FUNCTION_DELAY:
        col->kind = DARC_COLUMN_DELAY;
        darc_expr_is_constant(col->e->child[1], &col->number);
        move_origins(col);
        break;
    case DARC_FUNCTION_TABLE:
        col->kind = DARC_COLUMN_TABLE;
        col->lookup = darc_calloc(1, sizeof *col->lookup);
        return darc_lookup_init(col->lookup, col->e, col->c->model, err);
    case DARC_FUNCTION_INT:
        col->kind = DARC_COLUMN_INTEGRAL;
        col->integral = darc_calloc(1, sizeof *col->integral);
        darc_integral_init(col->integral, col->c->table);
        add_own_seed(col, DARC_COUNTS_EVERYWHERE);
        break;
    default:
        break;
    }
    return DARC_OK;
}

static darc_status init_node(darc_column *col, darc_err *err)
{
    switch (darc_expr_get_kind(col->e)) {
    case DARC_EXPR_NUMBER:
        col->kind = DARC_COLUMN_NUMBER;
        col->number = darc_expr_number(col->e);
        break;
    case DARC_EXPR_UNKNOWN:
        return init_unknown(col, err);
    case DARC_EXPR_SUM:
        col->kind = DARC_COLUMN_SUM;
        break;
    case DARC_EXPR_PRODUCT:
        col->kind = DARC_COLUMN_PRODUCT;
        break;
    case DARC_EXPR_NEGATE:
        col->kind = DARC_COLUMN_NEGATE;
        break;
    case DARC_EXPR_INVERT:
        col->kind = DARC_COLUMN_INVERT;
        break;
    case DARC_EXPR_POWER:
        col->kind = DARC_COLUMN_POWER;
        darc_expr_is_constant(col->e->child[1], &col->number);
        break;
    case DARC_EXPR_DERIVATIVE:
        return init_derivative(col, col->e->order, err);
    case DARC_EXPR_CALL:
        return init_call(col, err);
    }
    return DARC_OK;
}

/* How many children vary along the samples. */
static int arguments(const darc_expr *e)
{
    darc_expr_kind kind = darc_expr_get_kind(e);
    bool first = kind == DARC_EXPR_POWER;
    if (kind == DARC_EXPR_NUMBER)
        return 0;
    if (kind == DARC_EXPR_CALL)
        first = e->function == DARC_FUNCTION_DELAY ||
                e->function == DARC_FUNCTION_TABLE;
    return first ? 1 : e->count;
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
    for (int k = 0; k < col->args; k++)
        darc_column_clear(col->arg + k);
    darc_free(col->arg);
    if (col->formula != NULL)
        darc_formula_clear(col->formula);
    if (col->lookup != NULL)
        darc_lookup_clear(col->lookup);
    if (col->integral != NULL)
        darc_integral_clear(col->integral);
    darc_free(col->formula);
    darc_free(col->lookup);
    darc_free(col->integral);
    darc_free(col->seed);
    darc_free(col->moved);
    *col = (darc_column){0};
}
