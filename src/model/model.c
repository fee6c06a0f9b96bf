#include "model/model_struct.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void darc_model_free(darc_model *model)
{
    if (model == NULL)
        return;
    if (model->framed) {
        darc_dpolys_clear(model->eq, model->jet);
        darc_dpolys_clear(model->ineq, model->jet);
        darc_jet_clear(model->jet);
        darc_ranking_clear(model->ranking);
    }
    darc_syntax_clear(&model->syntax);
    darc_syntax_clear(&model->written);
    darc_adjoineds_clear(&model->adjoined);
    darc_names_clear(model->names);
    darc_free(model->declared);
    darc_free(model->order);
    darc_free(model->file);
    darc_free(model);
}

const char *darc_model_name(const darc_model *model)
{
    return model->syntax.name;
}

const char *darc_model_title(const darc_model *model)
{
    return model->syntax.title == NULL ? "" : model->syntax.title;
}

const char *darc_model_file(const darc_model *model)
{
    return model->file;
}

const darc_names_struct *darc_model_names(const darc_model *model)
{
    return model->names;
}

const darc_declaration *darc_model_declaration(const darc_model *model, int u)
{
    assert(u >= 0 && u < model->names->count);
    int i = model->declared[u];
    return i < 0 ? NULL : model->syntax.declaration + i;
}

const char *darc_model_unit(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    if (d == NULL)
        return "s";
    return d->taken != NULL && strcmp(d->taken, "1") != 0 ? d->taken : d->unit;
}

const char *darc_model_text(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    return d == NULL ? "" : d->text;
}

bool darc_model_may_be_zero(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    return d != NULL && d->may_be_zero;
}

bool darc_model_is_positive(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    return d != NULL && d->positive;
}

bool darc_model_is_held(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    return d != NULL && d->held;
}

void darc_model_orders(const darc_model *model, int *order)
{
    memcpy(order, model->order, (size_t)model->names->count * sizeof *order);
}

void darc_model_ranking(darc_ranking_t rk, const darc_model *model)
{
    darc_ranking_set(rk, model->ranking);
}

static darc_status move_all(darc_dpolys_t out, const darc_jet_t jet,
                            const darc_dpolys_t in, const darc_jet_t from,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t p;
    darc_dpoly_init(p, jet);
    for (slong i = 0; i < in->count; i++) {
        DARC_TRY(darc_dpoly_move(p, jet, in->p + i, from, err));
        darc_dpoly_primitive(p, p, jet);
        darc_dpolys_append_take(out, p, jet);
    }
done:
    darc_dpoly_clear(p, jet);
    return status;
}

darc_status darc_model_equations(darc_dpolys_t eq, darc_dpolys_t ineq,
                                 const darc_model *model, const darc_jet_t jet,
                                 darc_err *err)
{
    DARC_NEED(move_all(eq, jet, model->eq, model->jet, err));
    return move_all(ineq, jet, model->ineq, model->jet, err);
}
