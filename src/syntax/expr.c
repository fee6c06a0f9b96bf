#include "syntax/expr.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

darc_expr *darc_expr_new(darc_expr_kind kind, darc_place place,
                         const char *text, size_t length)
{
    darc_expr *e = darc_calloc(1, sizeof *e);
    e->kind = kind;
    e->place = place;
    e->text = text == NULL ? NULL : darc_strndup(text, length);
    e->unknown = -1;
    fmpq_init(e->value);
    return e;
}

void darc_expr_free(darc_expr *e)
{
    if (e == NULL)
        return;
    for (int i = 0; i < e->count; i++)
        darc_expr_free(e->child[i]);
    fmpq_clear(e->value);
    darc_free(e->child);
    darc_free(e->text);
    darc_free(e);
}

void darc_expr_append_take(darc_expr *e, darc_expr *child)
{
    if (child == NULL)
        return;
    e->child =
        darc_grow(e->child, (size_t)e->count, &e->alloc, sizeof *e->child);
    e->child[e->count++] = child;
}

darc_expr *darc_expr_wrap_take(darc_expr_kind kind, darc_place place,
                               darc_expr *child)
{
    if (child == NULL)
        return NULL;
    darc_expr *e = darc_expr_new(kind, place, NULL, 0);
    darc_expr_append_take(e, child);
    return e;
}

darc_expr *darc_expr_copy(const darc_expr *e)
{
    darc_expr *copy = darc_expr_new(e->kind, e->place, e->text,
                                    e->text == NULL ? 0 : strlen(e->text));
    fmpq_set(copy->value, e->value);
    copy->constant = e->constant;
    copy->unknown = e->unknown;
    copy->order = e->order;
    copy->function = e->function;
    for (int i = 0; i < e->count; i++)
        darc_expr_append_take(copy, darc_expr_copy(e->child[i]));
    return copy;
}

bool darc_expr_equal(const darc_expr *a, const darc_expr *b)
{
    if (a->kind != b->kind || a->order != b->order || a->count != b->count ||
        a->unknown != b->unknown || a->function != b->function ||
        !fmpq_equal(a->value, b->value))
        return false;
    bool texts = a->text != NULL && b->text != NULL;
    if (a->kind != DARC_EXPR_NUMBER &&
        (texts ? strcmp(a->text, b->text) != 0 : a->text != b->text))
        return false;
    for (int i = 0; i < a->count; i++)
        if (!darc_expr_equal(a->child[i], b->child[i]))
            return false;
    return true;
}

darc_expr_kind darc_expr_get_kind(const darc_expr *e)
{
    return e->constant ? DARC_EXPR_NUMBER : e->kind;
}

darc_deriv darc_expr_deriv(const darc_expr *e)
{
    assert(e->kind == DARC_EXPR_UNKNOWN && e->unknown >= 0);
    return (darc_deriv){e->unknown, e->order};
}

static const struct {
    const char *name;
    int least, most;
} functions[] = {
#define ROW(id, name, least, most) {name, least, most},
    DARC_FUNCTION_LIST(ROW)
#undef ROW
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

bool darc_function_find(darc_function *f, const char *name, size_t n)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (strlen(functions[i].name) == n &&
            memcmp(functions[i].name, name, n) == 0) {
            *f = (darc_function)i;
            return true;
        }
    return false;
}

const char *darc_function_name(darc_function f)
{
    return functions[f].name;
}

int darc_function_least(darc_function f)
{
    return functions[f].least;
}

int darc_function_most(darc_function f)
{
    return functions[f].most;
}

int darc_expr_occurrences(const darc_expr *e, const char *name)
{
    int n = e->kind == DARC_EXPR_UNKNOWN && strcmp(e->text, name) == 0;
    for (int i = 0; i < e->count; i++)
        n += darc_expr_occurrences(e->child[i], name);
    return n;
}
