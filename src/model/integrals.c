#include "model/integrals.h"

#include "base/mem.h"
#include "model/model_struct.h"
#include "model/substitute.h"
#include "syntax/parse.h"

#include <stdio.h>
#include <string.h>

static darc_expr *wrap(darc_expr_kind kind, darc_expr *e)
{
    return darc_expr_wrap_take(kind, e->place, e);
}

/* Part a product in p, made of parameters, and the rest. */
static void part(darc_expr **p, darc_expr **rest, const darc_rewriter *rw,
                 const darc_expr *e)
{
    *p = *rest = NULL;
    for (int i = 0; i < e->count; i++) {
        const darc_expr *f = e->child[i];
        darc_expr **to = darc_rewriter_is_parametric(rw, f) ? p : rest;
        if (*to == NULL)
            *to = wrap(DARC_EXPR_PRODUCT, darc_expr_copy(f));
        else
            darc_expr_append_take(*to, darc_expr_copy(f));
    }
}

/* Return the integral of e; NULL: not known. */
static darc_expr *integrate(const darc_rewriter *rw, const darc_expr *e)
{
    darc_expr *sum = NULL, *p, *rest;
    if (darc_rewriter_is_measured(rw, e)) {
        sum = wrap(DARC_EXPR_CALL, darc_expr_copy(e));
        sum->function = DARC_FUNCTION_INT;
    } else if (e->kind == DARC_EXPR_NEGATE) {
        sum = integrate(rw, e->child[0]);
        sum = sum != NULL ? wrap(DARC_EXPR_NEGATE, sum) : NULL;
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

/* Take statement i out. */
static void take_out(darc_statements *s, size_t i)
{
    darc_expr_free(s->statement[i].left);
    darc_expr_free(s->statement[i].right);
    s->count--;
    memmove(s->statement + i, s->statement + i + 1,
            (s->count - i) * sizeof *s->statement);
}

/* Replace the state d, whose rate statement i says to be the integral's; a
 * parameter stands for its start. */
static void replace(darc_rewriter *rw, darc_declaration *d, size_t i,
                    darc_expr *integral)
{
    char *start = darc_malloc(strlen(d->name) + 3);
    sprintf(start, "%s_0", d->name);
    darc_expr *x =
        darc_expr_new(DARC_EXPR_UNKNOWN, integral->place, start, strlen(start));
    darc_expr *sum = wrap(DARC_EXPR_SUM, x);
    darc_expr_append_take(sum, integral);
    take_out(&rw->syntax->equations, i);
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
            replace(rw, d, i, sum);
            return true;
        }
    return false;
}

darc_status darc_model_integrals(darc_model **out, const darc_model *model,
                                 darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    darc_syntax syntax = {.name = NULL};
    darc_rewriter rw = {.syntax = &syntax};
    *out = NULL;
    darc_model_print(text, model);
    darc_script script = {text->s, text->len, darc_model_file(model), err,
                          false};
    darc_status status = darc_parse(&syntax, &script);
    while (status == DARC_OK && syntax.ranked == 0 && replace_one(&rw))
        ;
    if (rw.substitutions > 0) {
        darc_substitute_all(&rw);
        darc_text_reset(text);
        darc_model_print_syntax(text, &syntax);
        status = darc_model_parse_printed(out, text->s, text->len,
                                          darc_model_file(model), err);
    }
    darc_rewriter_clear(&rw);
    darc_syntax_clear(&syntax);
    darc_text_clear(text);
    return status;
}
