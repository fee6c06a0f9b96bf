#include "model/model_struct.h"

#include "base/mem.h"
#include "syntax/syntax.h"

#include <string.h>

/* Part a product in p, made of parameters, and the rest. */
static void part(darc_expr **p, darc_expr **rest, const darc_rewriter *rw,
                 const darc_expr *e)
{
    *p = *rest = NULL;
    for (int i = 0; i < e->count; i++) {
        const darc_expr *f = e->child[i];
        darc_expr **to = darc_rewriter_is_parametric(rw, f) ? p : rest;
        if (*to == NULL)
            *to = darc_expr_new(DARC_EXPR_PRODUCT, f->place, NULL, 0);
        darc_expr_append_take(*to, darc_expr_copy(f));
    }
}

/* Return the integral of e; NULL: not known. */
static darc_expr *integrate(const darc_rewriter *rw, const darc_expr *e)
{
    darc_expr *sum = NULL, *p, *rest;
    if (darc_rewriter_is_measured(rw, e, false)) {
        sum = darc_expr_join_take(DARC_EXPR_CALL, darc_expr_copy(e), NULL);
        sum->function = DARC_FUNCTION_INT;
    } else if (e->kind == DARC_EXPR_NEGATE) {
        sum = integrate(rw, e->child[0]);
        sum = sum != NULL ? darc_expr_join_take(DARC_EXPR_NEGATE, sum, NULL)
                          : NULL;
    } else if (e->kind == DARC_EXPR_PRODUCT) {
        part(&p, &rest, rw, e);
        if (p != NULL && rest != NULL)
            sum = integrate(rw, rest->count == 1 ? rest->child[0] : rest);
        if (sum != NULL)
            darc_expr_append_take(p, sum);
        else
            darc_expr_free(p);
        sum = sum != NULL ? p : NULL;
        darc_expr_free(rest);
    }
    return sum;
}

/* Replace the state d, whose rate statement i says to be the integral's; a
 * parameter stands for its start. */
static void replace_state(darc_rewriter *rw, darc_declaration *d, size_t i,
                          darc_expr *integral)
{
    char *start = darc_text_of("%s_0", d->name);
    darc_expr *sum = darc_expr_join_take(
        DARC_EXPR_SUM, darc_expr_name(integral->place, start), integral);
    darc_statements *e = &rw->syntax->equations;
    darc_statement *s = e->statement + i;
    DARC_EACH(darc_expr_free, s->left, s->right);
    memmove(s, s + 1, (--e->count - i) * sizeof *s);
    darc_substitute_later_take(rw, d->name, sum, false);
    darc_free(d->name);
    d->name = start;
    d->section = DARC_SECTION_PARAMETERS;
    d->may_be_zero = true;
}

/* Replace the first state that there is to be replaced. */
static bool replace_one(darc_rewriter *rw)
{
    darc_syntax *s = rw->syntax;
    for (size_t k = 0; k < s->declarations; k++)
        for (size_t i = 0; i < s->equations.count; i++) {
            darc_declaration *d = s->declaration + k;
            if (d->section != DARC_SECTION_STATES || d->unknown)
                continue;
            darc_expr *rate =
                darc_solve_rate(s->equations.statement + i, d->name);
            darc_expr *sum = rate != NULL ? integrate(rw, rate) : NULL;
            darc_expr_free(rate);
            if (sum == NULL)
                continue;
            replace_state(rw, d, i, sum);
            return true;
        }
    return false;
}

static bool integrate_all(darc_syntax *s)
{
    darc_rewriter rw = {.syntax = s};
    while (s->ranked == 0 && replace_one(&rw))
        continue;
    bool any = rw.substitutions > 0;
    darc_substitute_all(&rw);
    darc_rewriter_clear(&rw);
    return any;
}

static void drive(darc_syntax *s, const darc_model *model, const bool *drives)
{
    for (size_t i = 0; i < s->declarations; i++) {
        darc_declaration *d = s->declaration + i;
        const darc_names_struct *all = darc_model_names(model);
        int u = darc_names_find(all, d->name, strlen(d->name));
        if (u < 0 || (!drives[u] && d->section != DARC_SECTION_DERIVED))
            continue;
        if (!drives[u])
            darc_statements_append_take(&s->equations,
                                        darc_expr_name(d->place, d->name),
                                        darc_expr_copy(d->value), d->place);
        darc_expr_free(d->value);
        d->section = drives[u] ? DARC_SECTION_INPUTS : DARC_SECTION_STATES;
        d->value = NULL;
    }
}

/* Set *out to the model, driven and read so or, with NULL, with integrals, as
 * it is printed then; NULL where it has no integrals. */
static darc_status vary(darc_model **out, const darc_model *model,
                        const darc_reading *how, const bool *drives,
                        darc_err *err)
{
    darc_syntax syntax = {.name = NULL};
    *out = NULL;
    darc_status status = darc_model_syntax(&syntax, model, err);
    if (status == DARC_OK && drives != NULL)
        drive(&syntax, model, drives);
    if (status == DARC_OK && (how != NULL || integrate_all(&syntax)))
        status =
            darc_model_reread(out, &syntax, darc_model_file(model), how, err);
    darc_syntax_clear(&syntax);
    return status;
}

darc_status darc_model_integrals(darc_model **out, const darc_model *model,
                                 darc_err *err)
{
    return vary(out, model, NULL, NULL, err);
}

darc_status darc_model_driven(darc_model **out, const darc_model *model,
                              const bool *drives, darc_err *err)
{
    return vary(out, model, &(darc_reading){.simulated = true}, drives, err);
}

darc_status darc_model_bound(darc_model **out, const darc_model *model,
                             darc_err *err)
{
    const darc_reading how = {.simulated = true, .shared = true};
    return vary(out, model, &how, NULL, err);
}
