#include "derive/derive.h"

#include "base/mem.h"
#include "derive/append.h"
#include "derive/prepare.h"

#include <math.h>

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

static bool calls(const darc_expr *e, darc_function f)
{
    return darc_expr_get_kind(e) == DARC_EXPR_CALL && e->function == f;
}

static bool is_estimated(const darc_model *model, const darc_expr *e)
{
    darc_expr_kind kind = darc_expr_get_kind(e);
    if (kind == DARC_EXPR_DERIVATIVE || calls(e, DARC_FUNCTION_INT))
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

/* Return whether e chooses by the sign of something. */
static bool has_switch(const darc_expr *e)
{
    bool has = calls(e, DARC_FUNCTION_SIGN) || calls(e, DARC_FUNCTION_IF);
    for (int i = 0; i < e->count && !has; i++)
        has = has_switch(e->child[i]);
    return has;
}

static bool mentions(const darc_expr *e, int u)
{
    bool found = darc_expr_get_kind(e) == DARC_EXPR_UNKNOWN &&
                 darc_expr_deriv(e).unknown == u;
    for (int i = 0; i < e->count && !found; i++)
        found = mentions(e->child[i], u);
    return found;
}

/* Return whether a later derived signal that is needed contains signal i. */
static bool is_used_later(const darc_model *model, int i, const bool *needed)
{
    int u = darc_derived_unknown(model, i);
    for (int k = i + 1; k < darc_derived_count(model); k++)
        if (needed[darc_derived_unknown(model, k)] &&
            mentions(darc_derived_expr(model, k), u))
            return true;
    return false;
}

static darc_status derive_one(darc_column_context *c, int i, bool used_later,
                              const darc_derive_work *how, darc_err *err)
{
    const darc_expr *e = darc_derived_expr(c->model, i);
    int u = darc_derived_unknown(c->model, i);
    c->name = darc_model_names(c->model)->symbol[u].name;
    c->switches = used_later || has_switch(e);
    darc_column col;
    darc_status status = darc_column_init(&col, e, c, err);
    if (status == DARC_OK)
        status = darc_prepare(&col, err);
    if (status == DARC_OK)
        status = darc_append(&col, u, used_later, how, err);
    darc_column_clear(&col);
    darc_free(c->origin);
    c->origin = NULL;
    c->origins = 0;
    c->alloc = 0;
    return status;
}

darc_status darc_derive_by(darc_table *table, double *error,
                           const darc_model *model, const bool *needed,
                           const darc_derive_work *how, darc_err *err)
{
    int names = darc_model_names(model)->count;
    darc_column_context c = {
        .table = table, .model = model, .budget = how->budget};
    darc_status status = DARC_OK;
    c.noise = darc_calloc((size_t)names, sizeof *c.noise);
    for (int u = 0; u < names; u++)
        c.noise[u] = how->noise == NULL ? NAN : how->noise[u];
    for (int i = 0; i < darc_derived_count(model) && status == DARC_OK; i++)
        if (needed[darc_derived_unknown(model, i)])
            status =
                derive_one(&c, i, is_used_later(model, i, needed), how, err);
    for (int k = 0; k < table->derivations && status == DARC_OK; k++)
        if (error != NULL)
            error[table->derivation[k].unknown] = table->derivation[k].error;
    darc_free(c.noise);
    return status;
}
