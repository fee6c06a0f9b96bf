#include "numeric/column.h"

#include "base/mem.h"
#include "darc/noise.h"

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
                                int args, const darc_expr *e,
                                const darc_column_context *c, darc_err *err)
{
    for (size_t i = 0; i < c->table->samples; i++) {
        bool known = !isfinite(out[i]);
        for (int k = 0; k < args && known; k++)
            known = isfinite(arg[k][i]);
        if (!known)
            continue;
        darc_text_t text;
        darc_text_init(text);
        darc_expr_print(text, e);
        darc_status status = darc_fail(
            err, DARC_DATA,
            "%s: derived signal '%s': %s has no value at t = %g s, where its "
            "argument is %g",
            c->table->file, c->name, text->s, darc_table_time(c->table, i),
            arg[0][i]);
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

static darc_status eval_call(double *out, const darc_expr *e, double **arg,
                             darc_column_context *c, darc_err *err)
{
    size_t n = c->table->samples;
    darc_function f = darc_expr_function(e);
    if (f == DARC_FUNCTION_TABLE)
        return darc_column_lookup(out, arg[0], darc_expr_file(e), c, err);
    if (f == DARC_FUNCTION_DELAY) {
        double delay = 0;
        darc_expr_is_constant(darc_expr_child(e, 1), &delay);
        darc_column_delay(out, arg[0], delay, c->table);
        return DARC_OK;
    }
    if (f == DARC_FUNCTION_MIN || f == DARC_FUNCTION_MAX) {
        memcpy(out, arg[0], n * sizeof *out);
        for (int k = 1; k < darc_expr_count(e); k++)
            combine(out, arg[k], DARC_EXPR_CALL, f, n);
        return DARC_OK;
    }
    double (*function)(double) = function_of(f);
    assert(function != NULL);
    for (size_t i = 0; i < n; i++)
        out[i] = function(arg[0][i]);
    return DARC_OK;
}

static darc_status differentiate(double *out, const double *x, int k,
                                 darc_column_context *c, darc_err *err)
{
    double error;
    darc_status status =
        darc_column_derivative(out, &error, x, k, c->table, err);
    for (size_t i = 0; i < c->table->samples && status == DARC_OK; i++)
        out[i] += c->perturb * error;
    return status;
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

static darc_status eval_unknown(double *out, const darc_expr *e,
                                darc_column_context *c, darc_err *err)
{
    size_t n = c->table->samples;
    darc_deriv d = darc_expr_deriv(e);
    const darc_symbol *symbol = darc_model_names(c->model)->symbol + d.unknown;
    if (symbol->kind == DARC_TIME) {
        for (size_t i = 0; i < n; i++)
            out[i] = d.order == 0 ? darc_table_time(c->table, i)
                                  : (double)(d.order == 1);
        return DARC_OK;
    }
    int column = darc_table_find(c->table, symbol->name);
    if (column < 0)
        return darc_fail(err, DARC_DATA,
                         "%s: derived signal '%s' needs '%s', which is not in "
                         "the recording",
                         c->table->file, c->name, symbol->name);
    const double *x = c->table->signal[column].value;
    if (d.order > 0)
        return differentiate(out, x, d.order, c, err);
    double error = c->perturb == 0 ? 0 : error_of(d.unknown, column, c);
    for (size_t i = 0; i < n; i++)
        out[i] = x[i] + c->perturb * error;
    return DARC_OK;
}

/* Set out from the values of the children. */
static darc_status eval_node(double *out, const darc_expr *e, double **arg,
                             darc_column_context *c, darc_err *err)
{
    size_t n = c->table->samples;
    darc_expr_kind kind = darc_expr_get_kind(e);
    int args = darc_expr_count(e);
    if (kind == DARC_EXPR_NUMBER) {
        fill(out, darc_expr_number(e), n);
        return DARC_OK;
    }
    if (kind == DARC_EXPR_UNKNOWN)
        return eval_unknown(out, e, c, err);
    if (kind == DARC_EXPR_DERIVATIVE)
        return differentiate(out, arg[0], darc_expr_order(e), c, err);
    if (kind == DARC_EXPR_CALL) {
        darc_status status = eval_call(out, e, arg, c, err);
        bool ends = darc_expr_function(e) == DARC_FUNCTION_DELAY;
        return status != DARC_OK || ends
                   ? status
                   : check_values(out, (const double *const *)arg, args, e, c,
                                  err);
    }
    memcpy(out, arg[0], n * sizeof *out);
    for (int k = 1; k < args; k++)
        combine(out, arg[k], kind, DARC_FUNCTION_MAX, n);
    for (size_t i = 0; i < n; i++)
        if (kind == DARC_EXPR_NEGATE)
            out[i] = -out[i];
        else if (kind == DARC_EXPR_INVERT)
            out[i] = 1 / out[i];
    return check_values(out, (const double *const *)arg, args, e, c, err);
}

darc_status darc_column_eval(double *out, const darc_expr *e,
                             darc_column_context *c, darc_err *err)
{
    int args = darc_expr_count(e);
    darc_status status = DARC_OK;
    double **arg = darc_calloc((size_t)args, sizeof *arg);
    for (int k = 0; k < args; k++) {
        arg[k] = darc_calloc(c->table->samples, sizeof **arg);
        DARC_TRY(darc_column_eval(arg[k], darc_expr_child(e, k), c, err));
    }
    status = eval_node(out, e, arg, c, err);
done:
    for (int k = 0; k < args; k++)
        darc_free(arg[k]);
    darc_free(arg);
    return status;
}
