#include "syntax/chained.h"

#include "base/mem.h"

/* Return a name that no declaration has: "w_1", "w_1_", ... */
static char *name_link(const darc_syntax *s, const char *input, int k)
{
    char *name = darc_text_of("%s_%d", input, k);
    while (darc_syntax_find(s, name) != NULL) {
        char *longer = darc_text_of("%s_", name);
        darc_free(name);
        name = longer;
    }
    return name;
}

/* Append left' = right, right a new state; without one 0. */
static void append_link(darc_syntax *s, char *left, const char *right,
                        darc_place at)
{
    darc_expr *rate = darc_expr_derive_take(at, darc_expr_name(at, left), 1);
    darc_expr *next =
        right != NULL ? darc_expr_name(at, right) : darc_expr_integer(at, 0);
    darc_statements_append_take(&s->equations, rate, next, at);
    if (right == NULL)
        return;
    DARC_ROOM(s->declaration, s->declarations);
    darc_declaration *d = s->declaration + s->declarations++;
    *d = (darc_declaration){.name = darc_strdup(right),
                            .unit = darc_strdup(""),
                            .text = darc_strdup(""),
                            .section = DARC_SECTION_STATES,
                            .place = at};
    fmpq_init(d->exact);
}

bool darc_syntax_chain(darc_syntax *s, int length)
{
    size_t n = s->declarations;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!s->declaration[i].unknown)
            continue;
        any = true;
        s->declaration[i].unknown = false;
        darc_place at = s->declaration[i].place;
        char *input = darc_strdup(s->declaration[i].name);
        char *left = darc_strdup(input);
        for (int k = 1; k <= length; k++) {
            char *right = k < length ? name_link(s, input, k) : NULL;
            append_link(s, left, right, at);
            darc_free(left);
            left = right;
        }
        darc_free(input);
    }
    return any;
}
