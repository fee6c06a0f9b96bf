/* formula.c - trees from what stands in no file. */
#include "syntax/parser.h"

#include <assert.h>
#include <string.h>

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
