#include "syntax/expr.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
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
    DARC_ALL_OF(darc_expr_free, e->child, e->count);
    fmpq_clear(e->value);
    DARC_FREE(e->child, e->text, e);
}

void darc_expr_append_take(darc_expr *e, darc_expr *child)
{
    if (child == NULL)
        return;
    DARC_APPEND(e->child, e->count, child);
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

darc_expr *darc_expr_join_take(darc_expr_kind kind, darc_expr *a, darc_expr *b)
{
    darc_expr *e = darc_expr_wrap_take(kind, a->place, a);
    darc_expr_append_take(e, b);
    return e;
}

darc_expr *darc_expr_name(darc_place place, const char *name)
{
    return darc_expr_new(DARC_EXPR_UNKNOWN, place, name, strlen(name));
}

darc_expr *darc_expr_integer(darc_place place, slong n)
{
    char text[30];
    int length = snprintf(text, sizeof text, "%ld", (long)FLINT_ABS(n));
    darc_expr *e = darc_expr_new(DARC_EXPR_NUMBER, place, text, (size_t)length);
    fmpz_set_si(fmpq_numref(e->value), FLINT_ABS(n));
    return n < 0 ? darc_expr_wrap_take(DARC_EXPR_NEGATE, place, e) : e;
}

darc_expr *darc_expr_derive_take(darc_place place, darc_expr *e, int order)
{
    if (order > 0 && e->kind != DARC_EXPR_UNKNOWN &&
        e->kind != DARC_EXPR_DERIVATIVE)
        e = darc_expr_wrap_take(DARC_EXPR_DERIVATIVE, place, e);
    e->order += order;
    return e;
}

void darc_expr_substitute(darc_expr **e, const char *name, const darc_expr *by)
{
    darc_expr *old = *e;
    for (int i = 0; i < old->count; i++)
        darc_expr_substitute(&old->child[i], name, by);
    if (old->kind != DARC_EXPR_UNKNOWN || strcmp(old->text, name) != 0)
        return;
    *e = darc_expr_derive_take(old->place, darc_expr_copy(by), old->order);
    (*e)->place = old->place;
    darc_expr_free(old);
}

darc_expr *darc_expr_copy(const darc_expr *e)
{
    darc_expr *copy = darc_expr_new(e->kind, e->place, e->text,
                                    e->text == NULL ? 0 : strlen(e->text));
    fmpq_set(copy->value, e->value);
    DARC_SAME(copy, e, constant, unknown, order, function);
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

size_t darc_expr_nodes(const darc_expr *e)
{
    size_t n = 1;
    for (int i = 0; i < e->count; i++)
        n += darc_expr_nodes(e->child[i]);
    return n;
}

bool darc_function_find(darc_function *f, const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
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

void darc_function_arguments(int *least, int *most, darc_function f)
{
    *least = functions[f].least;
    *most = functions[f].most;
}

int darc_expr_occurrences(const darc_expr *e, const char *name)
{
    int n = e->kind == DARC_EXPR_UNKNOWN && strcmp(e->text, name) == 0;
    for (int i = 0; i < e->count; i++)
        n += darc_expr_occurrences(e->child[i], name);
    return n;
}
