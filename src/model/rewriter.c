#include "model/rewriter.h"

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

bool darc_rewriter_is_measured(const darc_rewriter *rw, const darc_expr *e)
{
    return contents(rw, e) == MEASURED;
}

const char *darc_rewriter_known(const darc_rewriter *rw, const darc_expr *call)
{
    for (int i = 0; i < rw->adjoined->count; i++)
        if (darc_expr_equal(rw->adjoined->item[i].call, call))
            return rw->adjoined->item[i].name;
    return NULL;
}

/* ---- names of new unknowns ----------------------------------------------- */

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
    s->rank = darc_grow(s->rank, s->ranked, &s->ranked_alloc, sizeof *s->rank);
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

/* Make room for a declaration of the section behind its last one. */
static darc_declaration *insert_declaration(darc_syntax *s,
                                            darc_section section)
{
    s->declaration = darc_grow(s->declaration, s->declarations,
                               &s->declaration_alloc, sizeof *s->declaration);
    size_t at = s->declarations;
    for (size_t i = 0; i < s->declarations; i++)
        if (s->declaration[i].section == section && !s->declaration[i].unknown)
            at = i + 1;
    darc_declaration *d = s->declaration + at;
    darc_declaration *end = s->declaration + s->declarations++;
    memmove(d + 1, d, (size_t)(end - d) * sizeof *d);
    return d;
}

darc_adjoined *darc_rewriter_declare(darc_rewriter *rw, const char *word,
                                     darc_section section,
                                     const darc_expr *call)
{
    bool zero = section == DARC_SECTION_PARAMETERS && may_vanish(rw, call);
    char name[DARC_MAX_NAME + 1];
    choose_name(rw, name, sizeof name, word, call);
    darc_text_t text;
    darc_text_init(text);
    darc_expr_print(text, call);
    darc_declaration *d = insert_declaration(rw->syntax, section);
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
        rank_highest(rw->syntax, name, call->place);

    darc_adjoineds *a = rw->adjoined;
    a->item = darc_grow(a->item, (size_t)a->count, &a->alloc, sizeof *a->item);
    a->item[a->count] =
        (darc_adjoined){darc_strdup(name), darc_expr_copy(call), false};
    return a->item + a->count++;
}
