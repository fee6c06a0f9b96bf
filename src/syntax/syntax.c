#include "syntax/syntax.h"

#include "base/mem.h"

#include <string.h>

const char *darc_section_word(darc_section section)
{
    static const char *const words[] = {
#define ROW(id, word) word,
        DARC_SECTION_LIST(ROW)
#undef ROW
    };
    return words[section];
}

void darc_statements_clear(darc_statements *s)
{
    for (size_t i = 0; i < s->count; i++) {
        darc_expr_free(s->statement[i].left);
        darc_expr_free(s->statement[i].right);
    }
    darc_free(s->statement);
}

void darc_declaration_clear(darc_declaration *d)
{
    darc_free(d->name);
    darc_free(d->unit);
    darc_free(d->taken);
    darc_free(d->text);
    darc_expr_free(d->value);
    fmpq_clear(d->exact);
}

void darc_syntax_clear(darc_syntax *syntax)
{
    for (size_t i = 0; i < syntax->declarations; i++)
        darc_declaration_clear(syntax->declaration + i);
    for (size_t i = 0; i < syntax->ranked; i++)
        darc_free(syntax->rank[i].name);
    darc_free(syntax->rank);
    darc_free(syntax->declaration);
    darc_statements_clear(&syntax->equations);
    darc_statements_clear(&syntax->assumptions);
    darc_free(syntax->name);
    darc_free(syntax->title);
    *syntax = (darc_syntax){0};
}

darc_declaration *darc_syntax_find(const darc_syntax *s, const char *name)
{
    for (size_t i = 0; i < s->declarations; i++)
        if (strcmp(s->declaration[i].name, name) == 0)
            return s->declaration + i;
    return NULL;
}

void darc_statements_append_take(darc_statements *s, darc_expr *left,
                                 darc_expr *right, darc_place place)
{
    s->statement =
        darc_grow(s->statement, s->count, &s->alloc, sizeof *s->statement);
    s->statement[s->count++] = (darc_statement){left, right, place};
}
