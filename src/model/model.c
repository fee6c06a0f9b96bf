#include "model/model_struct.h"

#include "base/mem.h"
#include "model/model.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

void darc_model_free(darc_model *model)
{
    if (model == NULL)
        return;
    if (model->framed) {
        DARC_EACH_IN(darc_dpolys_clear, model->jet, model->eq, model->ineq);
        darc_jet_clear(model->jet);
        darc_ranking_clear(model->ranking);
    }
    DARC_EACH(darc_syntax_clear, &model->syntax, &model->written);
    darc_adjoineds_clear(&model->adjoined);
    darc_names_clear(model->names);
    while (model->remarks > 0)
        darc_free(model->remark[--model->remarks]);
    DARC_FREE(model->remark, model->declared, model->order, model->file, model);
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

int darc_model_side(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    return d != NULL ? d->side : 0;
}

double darc_model_start(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    double x = NAN;
    if (d != NULL && d->section != DARC_SECTION_DERIVED && d->value != NULL)
        darc_expr_is_constant(d->value, &x);
    return x;
}

void darc_model_orders(const darc_model *model, int *order)
{
    memcpy(order, model->order, (size_t)model->names->count * sizeof *order);
}

void darc_model_ranking(darc_ranking_t rk, const darc_model *model)
{
    darc_ranking_set(rk, model->ranking);
}

void darc_model_frame(darc_jet_t jet, const darc_model *model,
                      const darc_ranking_struct *ranking)
{
    darc_jet_init(jet, model->names, ranking != NULL ? ranking : model->ranking,
                  model->order);
}

darc_status darc_model_equations(darc_dpolys_t eq, darc_dpolys_t ineq,
                                 const darc_model *model, const darc_jet_t jet,
                                 darc_err *err)
{
    slong begin[] = {eq->count, ineq->count};
    DARC_NEED(darc_dpolys_move(eq, jet, model->eq, model->jet, err));
    DARC_NEED(darc_dpolys_move(ineq, jet, model->ineq, model->jet, err));
    for (slong i = begin[0]; i < eq->count; i++)
        darc_dpoly_primitive(eq->p + i, eq->p + i, jet);
    for (slong i = begin[1]; i < ineq->count; i++)
        darc_dpoly_primitive(ineq->p + i, ineq->p + i, jet);
    return DARC_OK;
}

int darc_derived_count(const darc_model *model)
{
    int n = 0;
    for (size_t i = 0; i < model->syntax.declarations; i++)
        n += model->syntax.declaration[i].section == DARC_SECTION_DERIVED;
    return n;
}

const darc_expr *darc_derived_expr(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    return d != NULL && d->section == DARC_SECTION_DERIVED ? d->value : NULL;
}

static bool holds_outputs(const darc_model *model, const darc_expr *e)
{
    bool holds = e->kind == DARC_EXPR_UNKNOWN && e->unknown >= 0 &&
                 model->names->symbol[e->unknown].kind == DARC_OUTPUT;
    for (int i = 0; i < e->count && !holds; i++)
        holds = holds_outputs(model, e->child[i]);
    return holds;
}

bool darc_model_computes(const darc_model *model)
{
    bool computes = false;
    for (int u = 0; u < model->names->count && !computes; u++) {
        const darc_expr *e = darc_derived_expr(model, u);
        computes = e != NULL && holds_outputs(model, e);
    }
    return computes;
}

int darc_adjoined_count(const darc_model *model)
{
    return model->adjoined.count;
}

int darc_adjoined_unknown(const darc_model *model, int i)
{
    assert(i >= 0 && i < model->adjoined.count);
    const char *name = model->adjoined.item[i].name;
    return darc_names_find(model->names, name, strlen(name));
}

int darc_adjoined_find(const darc_model *model, int u)
{
    int i = model->adjoined.count - 1;
    while (i >= 0 && darc_adjoined_unknown(model, i) != u)
        i--;
    return i;
}

const darc_expr *darc_adjoined_expr(const darc_model *model, int i)
{
    assert(i >= 0 && i < model->adjoined.count);
    return model->adjoined.item[i].call;
}

bool darc_adjoined_is_exact(const darc_model *model, int i)
{
    assert(i >= 0 && i < model->adjoined.count);
    return !model->adjoined.item[i].free;
}

double darc_model_late(const darc_model *model, int u, const double *value)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    if (d == NULL || !d->late)
        return 0;
    char *name = darc_text_of("%s_delay", d->name);
    int p = darc_names_find(model->names, name, strlen(name));
    d = darc_syntax_find(&model->syntax, name);
    darc_free(name);
    return p >= 0 ? value[p] : fmpq_get_d(d->exact);
}

bool darc_adjoined_are_exact(const darc_model *model)
{
    for (int i = 0; i < model->adjoined.count; i++)
        if (model->adjoined.item[i].free)
            return false;
    return true;
}

bool darc_adjoined_have_parametric(const darc_model *model)
{
    for (int i = 0; i < model->adjoined.count; i++)
        if (model->names->symbol[darc_adjoined_unknown(model, i)].kind ==
            DARC_PARAMETER)
            return true;
    return false;
}

bool darc_adjoined_have_branches(const darc_model *model)
{
    for (int i = 0; i < model->adjoined.count; i++)
        if (model->adjoined.item[i].call->kind != DARC_EXPR_PRODUCT)
            return true;
    return false;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

void darc_adjoined_say(darc_text_t out, const darc_model *model,
                       const char *text)
{
    darc_text_t from = DARC_TEXT, to = DARC_TEXT, what = DARC_TEXT;
    darc_text_puts(from, text);
    /* The last first: it may hold those before it. */
    for (int i = model->adjoined.count - 1; i >= 0; i--) {
        const darc_adjoined *a = model->adjoined.item + i;
        bool call = a->call->kind == DARC_EXPR_CALL;
        darc_text_reset(what);
        darc_text_puts(what, call ? "" : "(");
        darc_expr_print(what, a->call);
        darc_text_puts(what, call ? "" : ")");
        darc_text_reset(to);
        /* Append text, every word that is the name replaced. */
        for (const char *s = from->s; *s != '\0';) {
            size_t n = 1;
            while (is_word(s[0]) && is_word(s[n]))
                n++;
            bool same = strlen(a->name) == n && memcmp(s, a->name, n) == 0;
            darc_text_write(to, same ? what->s : s, same ? strlen(what->s) : n);
            s += n;
        }
        darc_text_reset(from);
        darc_text_puts(from, to->s);
    }
    darc_text_puts(out, from->s);
    DARC_EACH(darc_text_clear, from, to, what);
}

int darc_model_unknowns(const darc_model *model)
{
    return darc_model_names(model)->count;
}

const char *darc_model_unknown(const darc_model *model, int u)
{
    return darc_model_names(model)->symbol[u].name;
}

const char *darc_model_kind(const darc_model *model, int u)
{
    static const char *const text[] = {"state", "parameter", "output", "input",
                                       "time"};
    return text[darc_model_names(model)->symbol[u].kind];
}
