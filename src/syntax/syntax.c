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

static void clear_statements(darc_statements *s)
{
    for (size_t i = 0; i < s->count; i++) {
        darc_expr_free(s->statement[i].left);
        darc_expr_free(s->statement[i].right);
    }
    darc_free(s->statement);
}

void darc_syntax_clear(darc_syntax *syntax)
{
    for (size_t i = 0; i < syntax->declarations; i++) {
        darc_declaration *d = syntax->declaration + i;
        darc_free(d->name);
        darc_free(d->unit);
        darc_free(d->text);
        darc_expr_free(d->value);
        fmpq_clear(d->exact);
    }
    for (size_t i = 0; i < syntax->ranked; i++)
        darc_free(syntax->rank[i].name);
    darc_free(syntax->rank);
    darc_free(syntax->declaration);
    clear_statements(&syntax->equations);
    clear_statements(&syntax->assumptions);
    darc_free(syntax->name);
    darc_free(syntax->title);
    *syntax = (darc_syntax){0};
}

static char *copy_text(const char *s)
{
    return s == NULL ? NULL : darc_strdup(s);
}

void darc_statements_append_take(darc_statements *s, darc_expr *left,
                                 darc_expr *right, darc_place place)
{
    s->statement =
        darc_grow(s->statement, s->count, &s->alloc, sizeof *s->statement);
    s->statement[s->count++] = (darc_statement){left, right, place};
}

static void copy_statements(darc_statements *copy, const darc_statements *s)
{
    *copy = (darc_statements){0};
    for (size_t i = 0; i < s->count; i++) {
        const darc_statement *from = s->statement + i;
        darc_statements_append_take(copy, darc_expr_copy(from->left),
                                    darc_expr_copy(from->right), from->place);
    }
}

static void copy_declarations(darc_syntax *copy, const darc_syntax *s)
{
    copy->declaration_alloc = copy->declarations = s->declarations;
    copy->declaration = darc_calloc(s->declarations, sizeof *copy->declaration);
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *from = s->declaration + i;
        darc_declaration *to = copy->declaration + i;
        *to = *from;
        to->name = darc_strdup(from->name);
        to->unit = darc_strdup(from->unit);
        to->text = darc_strdup(from->text);
        to->value = from->value == NULL ? NULL : darc_expr_copy(from->value);
        fmpq_init(to->exact);
        fmpq_set(to->exact, from->exact);
    }
}

void darc_syntax_copy(darc_syntax *copy, const darc_syntax *s)
{
    *copy = *s;
    copy->name = copy_text(s->name);
    copy->title = copy_text(s->title);
    copy_declarations(copy, s);
    copy_statements(&copy->equations, &s->equations);
    copy_statements(&copy->assumptions, &s->assumptions);
    copy->ranked_alloc = s->ranked;
    copy->rank = darc_calloc(s->ranked, sizeof *copy->rank);
    for (size_t i = 0; i < s->ranked; i++)
        copy->rank[i] = (darc_ranked){darc_strdup(s->rank[i].name),
                                      s->rank[i].block, s->rank[i].place};
}

darc_declaration *darc_syntax_find(const darc_syntax *s, const char *name)
{
    for (size_t i = 0; i < s->declarations; i++)
        if (strcmp(s->declaration[i].name, name) == 0)
            return s->declaration + i;
    return NULL;
}
