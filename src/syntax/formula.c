/* formula.c - trees from what stands in no file. */
#include "syntax/parser.h"

#include <assert.h>
#include <string.h>

/* Functions of one argument that are made of others. */
static const struct {
    const char *name, *form;
} forms[] = {{"ln", "log(A)"},
             {"log10", "log(A)/log(10)"},
             {"sec", "1/cos(A)"},
             {"csc", "1/sin(A)"},
             {"cot", "cos(A)/sin(A)"},
             {"sech", "1/cosh(A)"},
             {"csch", "1/sinh(A)"},
             {"coth", "cosh(A)/sinh(A)"},
             {"arcsin", "asin(A)"},
             {"arccos", "acos(A)"},
             {"arctan", "atan(A)"},
             {"asinh", "log(A + sqrt(A^2 + 1))"},
             {"arcsinh", "log(A + sqrt(A^2 + 1))"},
             {"acosh", "log(A + sqrt(A^2 - 1))"},
             {"arccosh", "log(A + sqrt(A^2 - 1))"},
             {"atanh", "log((1 + A)/(1 - A))/2"},
             {"arctanh", "log((1 + A)/(1 - A))/2"}};

const char *darc_form_find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strlen(forms[i].name) == n && strncmp(forms[i].name, name, n) == 0)
            return forms[i].form;
    return NULL;
}

size_t darc_expr_nodes(const darc_expr *e)
{
    size_t n = 1;
    for (int i = 0; i < e->count; i++)
        n += darc_expr_nodes(e->child[i]);
    return n;
}

/* Put trees in the place of names; a node stands where its first child does. */
static void insert_trees(darc_expr **e, darc_place at, const darc_expr *a,
                         const darc_expr *w)
{
    darc_expr *old = *e;
    for (int i = 0; i < old->count; i++)
        insert_trees(&old->child[i], at, a, w);
    old->place = old->count > 0 ? old->child[0]->place : at;
    if (old->kind != DARC_EXPR_UNKNOWN)
        return;
    const darc_expr *by = strcmp(old->text, "A") == 0 ? a : w;
    assert(by != NULL);
    *e = darc_expr_derive_take(by->place, darc_expr_copy(by), old->order);
    darc_expr_free(old);
}

darc_expr *darc_expr_read(const char *s, size_t n)
{
    const darc_script script = {s, n, "", NULL, DARC_LANGUAGE_DARC, NULL};
    darc_expr *e = NULL;
    darc_tokens tokens;
    darc_tokens_init(&tokens, &script);
    tokens.token->first = false; /* no section begins here */
    darc_parser p = {.script = &script, .tokens = &tokens};
    bool good = darc_parse_expression(&p, &e) == DARC_OK;
    darc_parser_accept(&p, TOKEN_NEWLINE);
    if (!good || darc_parser_peek(&p, 0)->kind != TOKEN_END) {
        darc_expr_free(e);
        e = NULL;
    }
    darc_tokens_clear(&tokens);
    return e;
}

darc_expr *darc_expr_formula_take(darc_place at, const char *formula,
                                  darc_expr *a, darc_expr *w)
{
    darc_expr *e = darc_expr_read(formula, strlen(formula));
    assert(e != NULL);
    insert_trees(&e, at, a, w);
    DARC_EACH(darc_expr_free, a, w);
    return e;
}
