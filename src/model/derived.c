#include "model/derived.h"

#include "model/model_struct.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

int darc_derived_count(const darc_model *model)
{
    int n = 0;
    for (size_t i = 0; i < model->syntax.declarations; i++)
        n += model->syntax.declaration[i].section == DARC_SECTION_DERIVED;
    return n;
}

int darc_derived_unknown(const darc_model *model, int i)
{
    for (int u = 0; u < model->names->count; u++) {
        const darc_declaration *d = darc_model_declaration(model, u);
        if (d != NULL && d->section == DARC_SECTION_DERIVED && i-- == 0)
            return u;
    }
    assert(false);
    return -1;
}

const darc_expr *darc_derived_expr(const darc_model *model, int i)
{
    const darc_declaration *d =
        darc_model_declaration(model, darc_derived_unknown(model, i));
    assert(d != NULL);
    return d->value;
}

int darc_derived_find(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    if (d == NULL || d->section != DARC_SECTION_DERIVED)
        return -1;
    int i = 0;
    while (darc_derived_unknown(model, i) != u)
        i++;
    return i;
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

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Append text, every word that is the name replaced. */
static void replace_name(darc_text_t out, const char *text, const char *name,
                         const char *by)
{
    for (const char *s = text; *s != '\0';) {
        size_t n = 1;
        while (is_word(s[0]) && is_word(s[n]))
            n++;
        bool same = strlen(name) == n && memcmp(s, name, n) == 0;
        darc_text_write(out, same ? by : s, same ? strlen(by) : n);
        s += n;
    }
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
        replace_name(to, from->s, a->name, what->s);
        darc_text_reset(from);
        darc_text_puts(from, to->s);
    }
    darc_text_puts(out, from->s);
    darc_text_clear(from);
    darc_text_clear(to);
    darc_text_clear(what);
}
