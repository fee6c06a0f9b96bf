#include "model/model_struct.h"

#include <string.h>

/* Would a line that begins with this name read as the head of a section? */
static bool is_keyword(const char *name)
{
    bool found = strcmp(name, "model") == 0;
    for (int s = 0; s < DARC_SECTIONS; s++)
        found = found || strcmp(name, darc_section_word((darc_section)s)) == 0;
    return found;
}

static void print_declaration(darc_text_t out, const darc_declaration *d)
{
    darc_text_printf(out, "    %s", d->name);
    if (d->unit[0] != '\0' || (d->value == NULL && is_keyword(d->name)))
        darc_text_printf(out, " [%s]", d->unit);
    if (d->text[0] != '\0') {
        darc_text_putc(out, ' ');
        darc_quoted_print(out, d->text);
    }
    if (d->may_be_zero)
        darc_text_puts(out, " may be zero");
    if (d->value != NULL) {
        darc_text_puts(out, " = ");
        darc_expr_print(out, d->value);
    }
    darc_text_putc(out, '\n');
}

static void print_declarations(darc_text_t out, const darc_syntax *s)
{
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        if (i == 0 || d->section != d[-1].section)
            darc_text_printf(out, "\n%s\n", darc_section_word(d->section));
        print_declaration(out, d);
    }
}

static void print_statements(darc_text_t out, const darc_statements *s,
                             const char *head, const char *relation)
{
    if (s->count > 0)
        darc_text_puts(out, head);
    for (size_t i = 0; i < s->count; i++) {
        darc_text_puts(out, "    ");
        darc_expr_print(out, s->statement[i].left);
        darc_text_puts(out, relation);
        darc_expr_print(out, s->statement[i].right);
        darc_text_putc(out, '\n');
    }
}

static void print_ranking(darc_text_t out, const darc_syntax *s)
{
    if (s->ranked == 0)
        return;
    darc_text_puts(out, "\nranking");
    darc_text_puts(out, is_keyword(s->rank[0].name) ? " " : "\n    ");
    for (size_t i = 0; i < s->ranked; i++) {
        bool same = i > 0 && s->rank[i].block == s->rank[i - 1].block;
        darc_text_puts(out, i == 0 ? "" : same ? " " : " >> ");
        darc_text_puts(out, s->rank[i].name);
    }
    darc_text_putc(out, '\n');
}

static void print_syntax(darc_text_t out, const darc_syntax *s)
{
    darc_text_printf(out, "model %s", s->name);
    if (s->title != NULL && s->title[0] != '\0') {
        darc_text_putc(out, ' ');
        darc_quoted_print(out, s->title);
    }
    darc_text_putc(out, '\n');
    print_declarations(out, s);
    print_statements(out, &s->equations, "\nequations\n", " = ");
    print_statements(out, &s->assumptions, "\nassume\n", " != ");
    print_ranking(out, s);
}

void darc_model_print(darc_text_t out, const darc_model *model)
{
    print_syntax(out, model->rewritten ? &model->written : &model->syntax);
}

bool darc_model_is_rewritten(const darc_model *model)
{
    return model->rewritten;
}

void darc_model_print_rewritten(darc_text_t out, const darc_model *model)
{
    print_syntax(out, &model->syntax);
}
