#include "model/substitute.h"

#include "base/mem.h"

#include <string.h>

static darc_expr *wrap(darc_expr_kind kind, darc_expr *e)
{
    return darc_expr_wrap_take(kind, e->place, e);
}

/* value - (the other terms), or value / (the other factors). */
static darc_expr *without_others(const darc_expr *e, int which,
                                 darc_expr *value)
{
    bool sum = e->kind == DARC_EXPR_SUM;
    darc_expr *rest = wrap(e->kind, value);
    for (int i = 0; i < e->count; i++) {
        const darc_expr *other = e->child[i];
        darc_expr_kind back = sum ? DARC_EXPR_NEGATE : DARC_EXPR_INVERT;
        if (i == which)
            continue;
        if (other->kind == back)
            darc_expr_append_take(rest, darc_expr_copy(other->child[0]));
        else
            darc_expr_append_take(rest, wrap(back, darc_expr_copy(other)));
    }
    return rest;
}

/* Return what the derivative of that order of the name, which e contains once,
 * has to be for e = value; NULL, and value freed, when there is no such
 * formula. */
static darc_expr *solve(const darc_expr *e, const char *name, int order,
                        darc_expr *value)
{
    int which = 0;
    switch (e->kind) {
    case DARC_EXPR_UNKNOWN:
        if (e->order == order)
            return value;
        break;
    case DARC_EXPR_NEGATE:
    case DARC_EXPR_INVERT:
        return solve(e->child[0], name, order, wrap(e->kind, value));
    case DARC_EXPR_SUM:
    case DARC_EXPR_PRODUCT:
        while (darc_expr_occurrences(e->child[which], name) == 0)
            which++;
        return solve(e->child[which], name, order,
                     without_others(e, which, value));
    default:
        break;
    }
    darc_expr_free(value);
    return NULL;
}

const char *darc_solve_for(const darc_rewriter *rw, darc_section section,
                           const darc_expr *e, const darc_expr *value,
                           darc_expr **solution)
{
    const darc_syntax *s = rw->syntax;
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        if (d->section != section || darc_expr_occurrences(e, d->name) != 1)
            continue;
        *solution = solve(e, d->name, 0, darc_expr_copy(value));
        if (*solution != NULL)
            return d->name;
    }
    return NULL;
}

darc_expr *darc_solve_rate(const darc_statement *s, const char *name)
{
    int left = darc_expr_occurrences(s->left, name),
        right = darc_expr_occurrences(s->right, name);
    if (left + right != 1)
        return NULL;
    return left == 1 ? solve(s->left, name, 1, darc_expr_copy(s->right))
                     : solve(s->right, name, 1, darc_expr_copy(s->left));
}

static void substitute(darc_expr **e, const char *name, const darc_expr *value)
{
    for (int i = 0; i < (*e)->count; i++)
        substitute(&(*e)->child[i], name, value);
    if ((*e)->kind != DARC_EXPR_UNKNOWN || strcmp((*e)->text, name) != 0)
        return;
    darc_expr *copy = darc_expr_copy(value);
    if ((*e)->order > 0) {
        copy = wrap(DARC_EXPR_DERIVATIVE, copy);
        copy->order = (*e)->order;
    }
    copy->place = (*e)->place;
    darc_expr_free(*e);
    *e = copy;
}

void darc_substitute_known(const darc_rewriter *rw, darc_expr **e)
{
    for (int i = 0; i < rw->substitutions; i++)
        substitute(e, rw->substitution[i].name, rw->substitution[i].value);
}

void darc_substitute_later_take(darc_rewriter *rw, const char *name,
                                darc_expr *value, bool state)
{
    for (int i = 0; i < rw->substitutions; i++)
        substitute(&rw->substitution[i].value, name, value);
    rw->substitution =
        darc_grow(rw->substitution, (size_t)rw->substitutions,
                  &rw->substitution_alloc, sizeof *rw->substitution);
    rw->substitution[rw->substitutions++] =
        (darc_substitution){darc_strdup(name), value, state};
}

void darc_substitute_all(darc_rewriter *rw)
{
    darc_statements *lists[] = {&rw->syntax->equations,
                                &rw->syntax->assumptions};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            darc_substitute_known(rw, &lists[k]->statement[i].left);
            darc_substitute_known(rw, &lists[k]->statement[i].right);
        }
    for (int i = 0; i < rw->substitutions; i++) {
        const darc_substitution *u = rw->substitution + i;
        darc_expr *x = darc_expr_new(DARC_EXPR_UNKNOWN, u->value->place,
                                     u->name, strlen(u->name));
        if (u->state)
            darc_statements_append_take(lists[0], x, darc_expr_copy(u->value),
                                        x->place);
        else
            darc_expr_free(x);
    }
}
