#include "derive/column.h"

#include "base/mem.h"
#include "noise/noise.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void fill(double *out, double x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = x;
}

/* Fail for the first sample where all arguments have a value and the result
 * has none. */
static darc_status check_values(const double *out, const double *const *arg,
                                const darc_column *col, size_t begin,
                                size_t end, darc_err *err)
{
    const darc_column_context *c = col->c;
    for (size_t i = 0; i < end - begin; i++) {
        bool known = !isfinite(out[i]);
        for (int k = 0; k < col->args && known; k++)
            known = isfinite(arg[k][i]);
        if (!known)
            continue;
        darc_text_t text;
        darc_text_init(text);
        darc_expr_print(text, col->e);
        darc_status status = darc_fail(
            err, DARC_DATA,
            "%s: derived signal '%s': %s has no value at t = %g s, where its "
            "argument is %g",
            c->table->file, c->name, text->s,
            darc_table_time(c->table, begin + i), arg[0][i]);
        darc_text_clear(text);
        return status;
    }
    return DARC_OK;
}

static double sign(double x)
{
    return isnan(x) ? x : (double)((x > 0) - (x < 0));
}

/* fmin and fmax forget NAN. */
static double least(double x, double y)
{
    return isnan(x) || isnan(y) ? NAN : fmin(x, y);
}

static double greatest(double x, double y)
{
    return isnan(x) || isnan(y) ? NAN : fmax(x, y);
}

static double (*function_of(darc_function f))(double)
{
    switch (f) { /* a table: one line a function */
    case DARC_FUNCTION_SQRT:
        return sqrt;
    case DARC_FUNCTION_EXP:
        return exp;
    case DARC_FUNCTION_LOG:
        return log;
    case DARC_FUNCTION_SIN:
        return sin;
    case DARC_FUNCTION_COS:
        return cos;
    case DARC_FUNCTION_TAN:
        return tan;
    case DARC_FUNCTION_ASIN:
        return asin;
    case DARC_FUNCTION_ACOS:
        return acos;
    case DARC_FUNCTION_ATAN:
        return atan;
    case DARC_FUNCTION_SINH:
        return sinh;
    case DARC_FUNCTION_COSH:
        return cosh;
    case DARC_FUNCTION_TANH:
        return tanh;
    case DARC_FUNCTION_ABS:
        return fabs;
    case DARC_FUNCTION_SIGN:
        return sign;
    default:
        return NULL;
    }
}

static void combine(double *out, const double *x, darc_expr_kind kind,
                    darc_function f, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (kind == DARC_EXPR_SUM)
            out[i] += x[i];
        else if (kind == DARC_EXPR_PRODUCT)
            out[i] *= x[i];
        else if (kind == DARC_EXPR_POWER)
            out[i] = pow(out[i], x[i]);
        else if (f == DARC_FUNCTION_MIN)
            out[i] = least(out[i], x[i]);
        else
            out[i] = greatest(out[i], x[i]);
}

static darc_status eval_call(const darc_column *col, double *out,
                             const double *const *arg, size_t begin, size_t end,
                             darc_err *err)
{
    size_t n = end - begin;
    darc_function f = col->e->function;
    if (f == DARC_FUNCTION_TABLE)
        return darc_column_lookup(col, out, arg[0], begin, end, err);
    if (f == DARC_FUNCTION_MIN || f == DARC_FUNCTION_MAX) {
        memcpy(out, arg[0], n * sizeof *out);
        for (int k = 1; k < col->args; k++)
            combine(out, arg[k], DARC_EXPR_CALL, f, n);
        return DARC_OK;
    }
    double (*function)(double) = function_of(f);
    assert(function != NULL);
    for (size_t i = 0; i < n; i++)
        out[i] = function(arg[0][i]);
    return DARC_OK;
}

/* Time, or a signal as it is. */
static void eval_unknown(const darc_column *col, double *out, size_t begin,
                         size_t end, double perturb)
{
    const darc_table *table = col->c->table;
    if (col->signal < 0) {
        for (size_t i = begin; i < end; i++)
            out[i - begin] = col->order == 0 ? darc_table_time(table, i)
                                             : (double)(col->order == 1);
        return;
    }
    const double *x = table->signal[col->signal].value + begin;
    for (size_t i = 0; i < end - begin; i++)
        out[i] = x[i] + perturb * col->error;
}

/* Set out from the values of the arguments. */
static darc_status eval_node(const darc_column *col, double *out,
                             const double *const *arg, size_t begin, size_t end,
                             darc_err *err)
{
    size_t n = end - begin;
    darc_expr_kind kind = darc_expr_get_kind(col->e);
    if (kind == DARC_EXPR_CALL) {
        darc_status status = eval_call(col, out, arg, begin, end, err);
        return status != DARC_OK ? status
                                 : check_values(out, arg, col, begin, end, err);
    }
    memcpy(out, arg[0], n * sizeof *out);
    for (int k = 1; k < col->args; k++)
        combine(out, arg[k], kind, DARC_FUNCTION_MAX, n);
    for (size_t i = 0; i < n; i++)
        if (kind == DARC_EXPR_NEGATE)
            out[i] = -out[i];
        else if (kind == DARC_EXPR_INVERT)
            out[i] = 1 / out[i];
    return check_values(out, arg, col, begin, end, err);
}

/* Evaluate the arguments, then the node. */
static darc_status eval_tree(const darc_column *col, double *out, size_t begin,
                             size_t end, double perturb, darc_err *err)
{
    darc_status status = DARC_OK;
    size_t n = end - begin;
    double **arg = darc_calloc((size_t)col->args, sizeof *arg);
    for (int k = 0; k < col->args; k++) {
        arg[k] = darc_malloc(n * sizeof **arg);
        DARC_TRY(
            darc_column_eval(col->arg + k, arg[k], begin, end, perturb, err));
    }
    status = eval_node(col, out, (const double *const *)arg, begin, end, err);
done:
    for (int k = 0; k < col->args; k++)
        darc_free(arg[k]);
    darc_free(arg);
    return status;
}

darc_status darc_column_eval(const darc_column *col, double *out, size_t begin,
                             size_t end, double perturb, darc_err *err)
{
    darc_expr_kind kind = darc_expr_get_kind(col->e);
    if (begin >= end)
        return DARC_OK;
    if (kind == DARC_EXPR_NUMBER) {
        fill(out, darc_expr_number(col->e), end - begin);
        return DARC_OK;
    }
    if (kind == DARC_EXPR_DERIVATIVE || (col->order > 0 && col->signal >= 0))
        return darc_column_derivative(col, out, begin, end, perturb, err);
    if (kind == DARC_EXPR_UNKNOWN) {
        eval_unknown(col, out, begin, end, perturb);
        return DARC_OK;
    }
    if (kind == DARC_EXPR_CALL && col->e->function == DARC_FUNCTION_DELAY)
        return darc_column_delay(col, out, begin, end, perturb, err);
    return eval_tree(col, out, begin, end, perturb, err);
}

/* Return the error of signal u, which stands in that column: what was found
 * when it was derived, or its noise. */
static double error_of(int u, int column, const darc_column_context *c)
{
    if (darc_derived_find(c->model, u) >= 0)
        return c->error[u];
    darc_noise noise;
    darc_noise_estimate(&noise, c->table, column);
    return noise.order > 0 ? noise.sd : 0;
}

static darc_status init_unknown(darc_column *col, darc_err *err)
{
    const darc_column_context *c = col->c;
    darc_deriv d = darc_expr_deriv(col->e);
    const darc_symbol *symbol = darc_model_names(c->model)->symbol + d.unknown;
    col->order = d.order;
    if (symbol->kind == DARC_TIME)
        return DARC_OK;
    col->signal = darc_table_find(c->table, symbol->name);
    if (col->signal < 0)
        return darc_fail(err, DARC_DATA,
                         "%s: derived signal '%s' needs '%s', which is not in "
                         "the recording",
                         c->table->file, c->name, symbol->name);
    if (d.order > 0)
        return darc_column_choose(col, err);
    col->error = error_of(d.unknown, col->signal, c);
    return DARC_OK;
}

static darc_status init_node(darc_column *col, darc_err *err)
{
    darc_expr_kind kind = darc_expr_get_kind(col->e);
    if (kind == DARC_EXPR_UNKNOWN)
        return init_unknown(col, err);
    if (kind == DARC_EXPR_DERIVATIVE) {
        col->order = col->e->order;
        return darc_column_choose(col, err);
    }
    if (kind == DARC_EXPR_CALL && col->e->function == DARC_FUNCTION_TABLE)
        return darc_column_load(col, err);
    return DARC_OK;
}

darc_status darc_column_init(darc_column *col, const darc_expr *e,
                             const darc_column_context *c, darc_err *err)
{
    darc_status status = DARC_OK;
    int n = e->count;
    *col = (darc_column){.e = e, .c = c, .signal = -1};
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
    darc_table_free(col->rows);
    *col = (darc_column){0};
}
