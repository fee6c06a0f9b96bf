#include "syntax/syntax.h"

#include "base/mem.h"

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

static void copy_statements(darc_statements *copy, const darc_statements *s)
{
    copy->alloc = s->count;
    copy->statement = darc_calloc(s->count, sizeof *copy->statement);
    for (copy->count = 0; copy->count < s->count; copy->count++) {
        const darc_statement *from = s->statement + copy->count;
        copy->statement[copy->count] =
            (darc_statement){darc_expr_copy(from->left),
                             darc_expr_copy(from->right), from->place};
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
