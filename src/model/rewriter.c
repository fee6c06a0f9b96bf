#include "model/model_struct.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

void darc_adjoineds_clear(darc_adjoineds *a)
{
    for (int i = 0; i < a->count; i++) {
        darc_free(a->item[i].name);
        darc_expr_free(a->item[i].call);
    }
    darc_free(a->item);
    *a = (darc_adjoineds){0};
}

void darc_bind_names(darc_expr *e, const darc_names_struct *names)
{
    for (int i = 0; i < e->count; i++)
        darc_bind_names(e->child[i], names);
    if (e->kind == DARC_EXPR_UNKNOWN)
        e->unknown = darc_names_find(names, e->text, strlen(e->text));
}

void darc_rewriter_clear(darc_rewriter *rw)
{
    for (int i = 0; i < rw->substitutions; i++) {
        darc_free(rw->substitution[i].name);
        darc_expr_free(rw->substitution[i].value);
    }
    darc_free(rw->substitution);
}

/* What an expression contains. */
enum {
    MEASURED = 1, /* inputs, outputs, derived signals, time */
    PARAMETER = 2,
    STATE = 4,
    DERIVATIVE = 8
};

static int contents(const darc_rewriter *rw, const darc_expr *e)
{
    int has = e->kind == DARC_EXPR_DERIVATIVE ? DERIVATIVE : 0;
    for (int i = 0; i < e->count; i++)
        has |= contents(rw, e->child[i]);
    if (e->kind != DARC_EXPR_UNKNOWN)
        return has;
    has |= e->order > 0 ? DERIVATIVE : 0;
    const darc_declaration *d = darc_syntax_find(rw->syntax, e->text);
    switch (d == NULL ? DARC_SECTION_INPUTS : d->section) {
    case DARC_SECTION_STATES:
        return has | STATE;
    case DARC_SECTION_PARAMETERS:
        return has | PARAMETER;
    case DARC_SECTION_CONSTANTS:
        return has;
    default:
        return has | MEASURED;
    }
}

bool darc_rewriter_is_parametric(const darc_rewriter *rw, const darc_expr *e)
{
    return (contents(rw, e) & ~PARAMETER) == 0;
}

bool darc_rewriter_is_measured(const darc_rewriter *rw, const darc_expr *e,
                               bool rates)
{
    return (contents(rw, e) & ~(rates ? DERIVATIVE : 0)) == MEASURED;
}

bool darc_rewriter_is_measured_by(const darc_rewriter *rw, const darc_expr *e)
{
    return contents(rw, e) == (MEASURED | PARAMETER);
}

const char *darc_rewriter_known(const darc_rewriter *rw, const darc_expr *call)
{
    for (int i = 0; i < rw->adjoined->count; i++)
        if (darc_expr_equal(rw->adjoined->item[i].call, call))
            return rw->adjoined->item[i].name;
    return NULL;
}

/* Return what an equation `y = x` says the name, of a state or output, to be
 * equal to, of the other section; order not NULL: or what an equation `y' = x`
 * says it to be a derivative of, of that order, y perhaps so equal. */
static const char *equal_to(const darc_rewriter *rw, const char *name,
                            darc_section section, int *order)
{
    const darc_statements *s = &rw->syntax->equations;
    for (size_t i = 0; i < s->count; i++)
        for (int side = 0; side < 2; side++) {
            const darc_expr *a = s->statement[i].left;
            const darc_expr *b = s->statement[i].right;
            const darc_expr *one = side ? a : b, *other = side ? b : a;
            if (a->kind != DARC_EXPR_UNKNOWN || b->kind != DARC_EXPR_UNKNOWN ||
                one->order > 0 || (other->order > 0 && order == NULL) ||
                strcmp(one->text, name) != 0)
                continue;
            const darc_declaration *d =
                darc_syntax_find(rw->syntax, other->text);
            const char *found = d != NULL && d->section == section ? d->name
                                : d != NULL && order != NULL
                                    ? equal_to(rw, d->name, section, NULL)
                                    : NULL;
            if (order != NULL)
                *order = other->order;
            if (found != NULL)
                return found;
        }
    return NULL;
}

void darc_rewriter_use_equal(const darc_rewriter *rw, darc_expr *e,
                             darc_section to, bool rates)
{
    darc_section from =
        to == DARC_SECTION_OUTPUTS ? DARC_SECTION_STATES : DARC_SECTION_OUTPUTS;
    for (int i = 0; i < e->count; i++)
        darc_rewriter_use_equal(rw, e->child[i], to, rates);
    if (e->kind != DARC_EXPR_UNKNOWN || e->constant)
        return;
    const darc_declaration *d = darc_syntax_find(rw->syntax, e->text);
    if (d == NULL || d->section != from)
        return;
    int order = 0;
    const char *name = equal_to(rw, e->text, to, NULL);
    if (name == NULL && rates)
        name = equal_to(rw, e->text, to, &order);
    if (name != NULL) {
        e->order += order;
        darc_free(e->text);
        e->text = darc_strdup(name);
    }
}

/* word_argument where the argument is a name, else word_1, word_2, ... */
static void choose_name(darc_rewriter *rw, char *name, size_t size,
                        const char *word, const darc_expr *call)
{
    const darc_expr *a = call->child[0];
    bool simple = call->count > 0 && a->kind == DARC_EXPR_UNKNOWN &&
                  a->order == 0 && strlen(a->text) + strlen(word) < 50;
    if (simple)
        snprintf(name, size, "%.14s_%.49s", word, a->text);
    while (!simple || darc_syntax_find(rw->syntax, name) != NULL) {
        simple = true;
        snprintf(name, size, "%s_%d", word, ++rw->names);
    }
}

/* A ranking that the user gave must keep states above measured signals. */
static void rank_highest(darc_syntax *s, const char *name, darc_place place)
{
    if (s->ranked == 0)
        return;
    DARC_ROOM(s->rank, s->ranked);
    memmove(s->rank + 1, s->rank, s->ranked * sizeof *s->rank);
    s->rank[0] = (darc_ranked){darc_strdup(name), 0, place};
    s->ranked++;
}

/* May a function of parameters vanish, by its form or that of a root's base? */
static bool may_vanish(const darc_rewriter *rw, const darc_expr *e)
{
    if (e->kind == DARC_EXPR_CALL)
        return e->function != DARC_FUNCTION_EXP &&
               e->function != DARC_FUNCTION_COSH;
    if (e->kind == DARC_EXPR_UNKNOWN) {
        const darc_declaration *d = darc_syntax_find(rw->syntax, e->text);
        return d != NULL && d->may_be_zero;
    }
    bool vanishes = e->kind == DARC_EXPR_SUM;
    for (int i = 0; i < e->count && !vanishes; i++)
        vanishes = may_vanish(rw, e->child[i]);
    return vanishes;
}

darc_adjoined *darc_rewriter_declare(darc_rewriter *rw, const char *word,
                                     darc_section section,
                                     const darc_expr *call)
{
    bool zero = section == DARC_SECTION_PARAMETERS && may_vanish(rw, call);
    char name[DARC_MAX_NAME + 1];
    choose_name(rw, name, sizeof name, word, call);
    darc_text_t text = DARC_TEXT;
    darc_expr_print(text, call);
    /* Make room for a declaration of the section behind its last one. */
    darc_syntax *s = rw->syntax;
    DARC_ROOM(s->declaration, s->declarations);
    size_t at = s->declarations;
    for (size_t i = 0; i < s->declarations; i++)
        if (s->declaration[i].section == section && !s->declaration[i].unknown)
            at = i + 1;
    darc_declaration *d = s->declaration + at;
    darc_declaration *end = s->declaration + s->declarations++;
    memmove(d + 1, d, (size_t)(end - d) * sizeof *d);
    *d = (darc_declaration){.name = darc_strdup(name),
                            .unit = darc_strdup(""),
                            .text = darc_text_take(text),
                            .section = section,
                            .may_be_zero = zero,
                            .place = call->place};
    fmpq_init(d->exact);
    if (section == DARC_SECTION_DERIVED)
        d->value = darc_expr_copy(call);
    if (section == DARC_SECTION_STATES)
        rank_highest(s, name, call->place);

    darc_adjoineds *a = rw->adjoined;
    DARC_ROOM(a->item, a->count);
    a->item[a->count] =
        (darc_adjoined){darc_strdup(name), darc_expr_copy(call), false};
    return a->item + a->count++;
}

/* value - (the other terms), or value / (the other factors). */
static darc_expr *without_others(const darc_expr *e, int which,
                                 darc_expr *value)
{
    bool sum = e->kind == DARC_EXPR_SUM;
    darc_expr *rest = darc_expr_join_take(e->kind, value, NULL);
    for (int i = 0; i < e->count; i++) {
        const darc_expr *other = e->child[i];
        darc_expr_kind back = sum ? DARC_EXPR_NEGATE : DARC_EXPR_INVERT;
        if (i == which)
            continue;
        if (other->kind == back)
            darc_expr_append_take(rest, darc_expr_copy(other->child[0]));
        else
            darc_expr_append_take(
                rest, darc_expr_join_take(back, darc_expr_copy(other), NULL));
    }
    return rest;
}

/* Return what the derivative of that order of the name, which e contains once,
 * has to be for e = value; NULL, and value freed, when there is no such
 * formula. */
static darc_expr *isolate_name(const darc_expr *e, const char *name, int order,
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
        return isolate_name(e->child[0], name, order,
                            darc_expr_join_take(e->kind, value, NULL));
    case DARC_EXPR_SUM:
    case DARC_EXPR_PRODUCT:
        while (darc_expr_occurrences(e->child[which], name) == 0)
            which++;
        return isolate_name(e->child[which], name, order,
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
        *solution = isolate_name(e, d->name, 0, darc_expr_copy(value));
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
    return left == 1 ? isolate_name(s->left, name, 1, darc_expr_copy(s->right))
                     : isolate_name(s->right, name, 1, darc_expr_copy(s->left));
}

void darc_substitute_known(const darc_rewriter *rw, darc_expr **e)
{
    for (int i = 0; i < rw->substitutions; i++)
        darc_expr_substitute(e, rw->substitution[i].name,
                             rw->substitution[i].value);
}

void darc_substitute_later_take(darc_rewriter *rw, const char *name,
                                darc_expr *value, bool state)
{
    for (int i = 0; i < rw->substitutions; i++)
        darc_expr_substitute(&rw->substitution[i].value, name, value);
    DARC_ROOM(rw->substitution, rw->substitutions);
    rw->substitution[rw->substitutions++] =
        (darc_substitution){darc_strdup(name), value, state};
}

void darc_substitute_all(darc_rewriter *rw)
{
    darc_expr **side;
    for (size_t i = 0; (side = darc_syntax_side(rw->syntax, i)) != NULL; i++)
        darc_substitute_known(rw, side);
    for (int i = 0; i < rw->substitutions; i++) {
        const darc_substitution *u = rw->substitution + i;
        darc_place place = u->value->place;
        if (u->state)
            darc_statements_append_take(&rw->syntax->equations,
                                        darc_expr_name(place, u->name),
                                        darc_expr_copy(u->value), place);
    }
}
