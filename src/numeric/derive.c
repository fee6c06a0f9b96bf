#include "darc/derive.h"

#include "base/mem.h"
#include "numeric/column.h"

#include <math.h>
#include <string.h>

static void mark_expr(bool *needed, const darc_expr *e)
{
    if (darc_expr_get_kind(e) == DARC_EXPR_UNKNOWN)
        needed[darc_expr_deriv(e).unknown] = true;
    for (int i = 0; i < darc_expr_count(e); i++)
        mark_expr(needed, darc_expr_child(e, i));
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
    for (int i = 0; i < darc_expr_count(e); i++)
        if (is_estimated(model, darc_expr_child(e, i)))
            return true;
    return false;
}

bool darc_derive_is_estimated(const darc_model *model, int u)
{
    int i = darc_derived_find(model, u);
    return i >= 0 && is_estimated(model, darc_derived_expr(model, i));
}

static darc_signal *append_signal(darc_table *table, const char *name,
                                  const char *unit)
{
    table->signal = darc_realloc(table->signal, (size_t)table->signals + 1,
                                 sizeof *table->signal);
    darc_signal *s = table->signal + table->signals++;
    s->name = darc_strdup(name);
    s->unit = darc_strdup(unit);
    s->value = darc_calloc(table->samples, sizeof *s->value);
    return s;
}

/* Keep of every segment the runs where x is known. */
static void cut_segments(darc_table *table, const double *x)
{
    darc_segment *old = table->segment;
    int n = table->segments;
    table->segment = NULL;
    table->segments = 0;
    table->segment_alloc = 0;
    for (int s = 0; s < n; s++)
        for (size_t i = old[s].begin; i < old[s].end; i++) {
            if (!isfinite(x[i]))
                continue;
            size_t begin = i;
            while (i < old[s].end && isfinite(x[i]))
                i++;
            table->segment =
                darc_grow(table->segment, (size_t)table->segments,
                          &table->segment_alloc, sizeof *table->segment);
            table->segment[table->segments++] = (darc_segment){begin, i};
        }
    darc_free(old);
}

/* Return the RMS of x - y where both are known. */
static double rms_difference(const double *x, const double *y, size_t n)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i] - y[i])) {
            sum += (x[i] - y[i]) * (x[i] - y[i]);
            known++;
        }
    return known > 0 ? sqrt(sum / (double)known) : 0;
}

/* Return the effect that the errors of signals and estimated derivatives
 * have on the value of e: they are added or taken away, and the result
 * compared.  Where e has no value then, the effect is as large as the value. */
static double find_error(const double *value, const darc_expr *e,
                         darc_column_context *c)
{
    static const double sign[] = {1, -1};
    size_t n = c->table->samples;
    double *other = darc_calloc(n, sizeof *other), error = -1;
    for (int i = 0; i < 2 && error < 0; i++) {
        c->perturb = sign[i];
        if (darc_column_eval(other, e, c, NULL) == DARC_OK)
            error = rms_difference(value, other, n);
    }
    memset(other, 0, n * sizeof *other);
    if (error < 0)
        error = rms_difference(value, other, n);
    darc_free(other);
    return error;
}

static darc_status derive_one(darc_table *table, double *error,
                              const darc_model *model, int i, darc_err *err)
{
    int u = darc_derived_unknown(model, i);
    const darc_expr *e = darc_derived_expr(model, i);
    const char *name = darc_model_names(model)->symbol[u].name;
    darc_column_context c = {
        .table = table, .model = model, .name = name, .error = error};
    double *value = darc_calloc(table->samples, sizeof *value);
    darc_status status = darc_column_eval(value, e, &c, err);
    if (status != DARC_OK) {
        darc_free(value);
        return status;
    }
    darc_signal *s = append_signal(table, name, darc_model_unit(model, u));
    darc_free(s->value);
    s->value = value;
    error[u] = find_error(value, e, &c);
    cut_segments(table, value);
    if (table->segments > 0)
        return DARC_OK;
    return darc_fail(err, DARC_DATA,
                     "%s: derived signal '%s' is known nowhere: the segments "
                     "of the recording are too short for it",
                     table->file, name);
}

darc_status darc_derive(darc_table *table, double *error,
                        const darc_model *model, const bool *needed,
                        darc_err *err)
{
    size_t names = (size_t)darc_model_names(model)->count;
    double *effect = darc_calloc(names, sizeof *effect);
    darc_status status = DARC_OK;
    for (int i = 0; i < darc_derived_count(model) && status == DARC_OK; i++)
        if (needed[darc_derived_unknown(model, i)])
            status = derive_one(table, effect, model, i, err);
    for (int i = 0; i < darc_derived_count(model) && error != NULL; i++) {
        int u = darc_derived_unknown(model, i);
        if (needed[u] && status == DARC_OK)
            error[u] = effect[u];
    }
    darc_free(effect);
    return status;
}
