#include "model/rewrite.h"

#include "base/limits.h"
#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool is_fraction(const darc_expr *e)
{
    const darc_source nowhere = {"", 0, ""};
    fmpq_t q;
    fmpq_init(q);
    bool fraction = darc_expr_rational(q, e, "", &nowhere, NULL) == DARC_OK &&
                    !fmpz_is_one(fmpq_denref(q));
    fmpq_clear(q);
    return fraction;
}

static bool is_function(const darc_expr *e)
{
    return e->kind == DARC_EXPR_CALL ||
           (e->kind == DARC_EXPR_POWER && is_fraction(e->child[1]));
}

static bool contains_function(const darc_expr *e)
{
    bool found = is_function(e);
    for (int i = 0; i < e->count && !found; i++)
        found = contains_function(e->child[i]);
    return found;
}

bool darc_rewrite_needed(const darc_syntax *syntax)
{
    const darc_statements *lists[] = {&syntax->equations, &syntax->assumptions};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (contains_function(lists[k]->statement[i].left) ||
                contains_function(lists[k]->statement[i].right))
                return true;
    return false;
}

void darc_adjoineds_clear(darc_adjoineds *a)
{
    for (int i = 0; i < a->count; i++) {
        darc_free(a->item[i].name);
        darc_expr_free(a->item[i].call);
    }
    darc_free(a->item);
    *a = (darc_adjoineds){0};
}

darc_declaration *darc_rewrite_find(const darc_rewriter *rw, const char *name)
{
    for (size_t i = 0; i < rw->syntax->declarations; i++)
        if (strcmp(rw->syntax->declaration[i].name, name) == 0)
            return rw->syntax->declaration + i;
    return NULL;
}

int darc_rewrite_contents(const darc_rewriter *rw, const darc_expr *e)
{
    int has = e->kind == DARC_EXPR_DERIVATIVE ? DARC_HAS_DERIVATIVE : 0;
    for (int i = 0; i < e->count; i++)
        has |= darc_rewrite_contents(rw, e->child[i]);
    if (e->kind != DARC_EXPR_UNKNOWN)
        return has;
    has |= e->order > 0 ? DARC_HAS_DERIVATIVE : 0;
    const darc_declaration *d = darc_rewrite_find(rw, e->text);
    if (d == NULL)
        return has | DARC_HAS_MEASURED;
    switch (d->section) {
    case DARC_SECTION_STATES:
        return has | DARC_HAS_STATE;
    case DARC_SECTION_PARAMETERS:
        return has | DARC_HAS_PARAMETER;
    case DARC_SECTION_CONSTANTS:
        return has;
    default:
        return has | DARC_HAS_MEASURED;
    }
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
    while (!simple || darc_rewrite_find(rw, name) != NULL) {
        simple = true;
        snprintf(name, size, "%s_%d", word, ++rw->names);
    }
}

/* Where a declaration of the section goes: behind its last one. */
static size_t insertion_point(const darc_syntax *s, darc_section section)
{
    size_t at = s->declarations;
    for (size_t i = 0; i < s->declarations; i++)
        if (s->declaration[i].section == section)
            at = i + 1;
    return at;
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
        const darc_declaration *d = darc_rewrite_find(rw, e->text);
        return d != NULL && d->may_be_zero;
    }
    bool vanishes = e->kind == DARC_EXPR_SUM;
    for (int i = 0; i < e->count && !vanishes; i++)
        vanishes = may_vanish(rw, e->child[i]);
    return vanishes;
}

const char *darc_rewrite_declare(darc_rewriter *rw, const char *word,
                                 darc_section section, const darc_expr *call)
{
    bool zero = section == DARC_SECTION_PARAMETERS && may_vanish(rw, call);
    darc_syntax *s = rw->syntax;
    char name[DARC_MAX_NAME + 1];
    choose_name(rw, name, sizeof name, word, call);
    s->declaration = darc_grow(s->declaration, s->declarations,
                               &s->declaration_alloc, sizeof *s->declaration);
    darc_declaration *d = s->declaration + insertion_point(s, section);
    darc_declaration *end = s->declaration + s->declarations++;
    memmove(d + 1, d, (size_t)(end - d) * sizeof *d);
    darc_text_t text;
    darc_text_init(text);
    darc_expr_print(text, call);
    *d = (darc_declaration){.name = darc_strdup(name),
                            .unit = darc_strdup(""),
                            .text = darc_text_take(text),
                            .section = section,
                            .may_be_zero = zero,
                            .place = call->place};
    darc_text_clear(text);
    fmpq_init(d->exact);
    if (section == DARC_SECTION_DERIVED)
        d->value = darc_expr_copy(call);
    if (section == DARC_SECTION_STATES)
        rank_highest(s, name, call->place);

    darc_adjoineds *a = rw->adjoined;
    a->item = darc_grow(a->item, (size_t)a->count, &a->alloc, sizeof *a->item);
    a->item[a->count] =
        (darc_adjoined){darc_strdup(name), darc_expr_copy(call), false};
    return a->item[a->count++].name;
}

/* ---- states that are measured -------------------------------------------- */

/* Return what an equation `y = x` says the name, of a state or output, to be
 * equal to, of the other section. */
static const char *equal_to(const darc_rewriter *rw, const char *name,
                            darc_section section)
{
    const darc_statements *s = &rw->syntax->equations;
    for (size_t i = 0; i < s->count; i++)
        for (int side = 0; side < 2; side++) {
            const darc_expr *a = s->statement[i].left;
            const darc_expr *b = s->statement[i].right;
            const darc_expr *one = side ? a : b, *other = side ? b : a;
            if (a->kind != DARC_EXPR_UNKNOWN || b->kind != DARC_EXPR_UNKNOWN ||
                a->order > 0 || b->order > 0 || strcmp(one->text, name) != 0)
                continue;
            const darc_declaration *d = darc_rewrite_find(rw, other->text);
            if (d != NULL && d->section == section)
                return d->name;
        }
    return NULL;
}

/* Replace states that are measured by the outputs that measure them; for a
 * simulation outputs by states. */
static void use_equal(const darc_rewriter *rw, darc_expr *e)
{
    darc_section from = DARC_SECTION_STATES, to = DARC_SECTION_OUTPUTS;
    for (int i = 0; i < e->count; i++)
        use_equal(rw, e->child[i]);
    if (e->kind != DARC_EXPR_UNKNOWN || e->constant)
        return;
    if (rw->simulation) {
        from = DARC_SECTION_OUTPUTS;
        to = DARC_SECTION_STATES;
    }
    const darc_declaration *d = darc_rewrite_find(rw, e->text);
    const char *name =
        d == NULL || d->section != from ? NULL : equal_to(rw, e->text, to);
    if (name != NULL) {
        darc_free(e->text);
        e->text = darc_strdup(name);
    }
}

/* ---- the walk -------------------------------------------------------------
 */

static bool is_smooth(const darc_expr *e)
{
    return e->kind != DARC_EXPR_CALL || e->function < DARC_FUNCTION_ABS;
}

const char *darc_rewrite_known(const darc_rewriter *rw, const darc_expr *call)
{
    for (int i = 0; i < rw->adjoined->count; i++)
        if (darc_expr_equal(rw->adjoined->item[i].call, call))
            return rw->adjoined->item[i].name;
    return NULL;
}

static void put_name(darc_expr **e, const char *name)
{
    darc_expr *node =
        darc_expr_new(DARC_EXPR_UNKNOWN, (*e)->place, name, strlen(name));
    darc_expr_free(*e);
    *e = node;
}

/* Replace *e by a name that already stands for the same function. */
static bool use_known(const darc_rewriter *rw, darc_expr **e)
{
    const char *name = darc_rewrite_known(rw, *e);
    if (name != NULL)
        put_name(e, name);
    return name != NULL;
}

static void name_it(darc_rewriter *rw, darc_expr **e, darc_section section)
{
    const char *word = (*e)->kind == DARC_EXPR_CALL
                           ? darc_function_name((*e)->function)
                           : "power";
    put_name(e, darc_rewrite_declare(rw, word, section, *e));
}

/* Is the function computable from the recording, exactly? */
static bool becomes_derived(const darc_rewriter *rw, const darc_expr *e)
{
    darc_expr *copy = darc_expr_copy(e);
    use_equal(rw, copy);
    bool derived = darc_rewrite_contents(rw, copy) == DARC_HAS_MEASURED &&
                   !(rw->simulation && is_smooth(e));
    darc_expr_free(copy);
    return derived;
}

static darc_status rewrite_power(darc_rewriter *rw, darc_expr **e)
{
    fmpq_t n;
    fmpq_init(n);
    darc_status status = darc_expr_rational(n, (*e)->child[1], "the exponent",
                                            rw->source, rw->err);
    fmpz limit = DARC_MAX_EXPONENT;
    if (status == DARC_OK && (fmpz_cmpabs(fmpq_numref(n), &limit) > 0 ||
                              fmpz_cmpabs(fmpq_denref(n), &limit) > 0))
        status = darc_source_fail(rw->source, (*e)->child[1]->place, DARC_LIMIT,
                                  rw->err,
                                  "the exponent is not a quotient of integers "
                                  "up to %d",
                                  DARC_MAX_EXPONENT);
    if (status == DARC_OK)
        status = darc_rewrite_root(rw, e, fmpz_get_si(fmpq_numref(n)),
                                   fmpz_get_si(fmpq_denref(n)));
    fmpq_clear(n);
    return status;
}

/* sqrt(a) is a^(1/2). */
static void sqrt_to_power(darc_expr *e)
{
    if (e->kind != DARC_EXPR_CALL || e->function != DARC_FUNCTION_SQRT)
        return;
    darc_expr *half = darc_expr_new(DARC_EXPR_NUMBER, e->place, "0.5", 3);
    fmpq_set_si(half->value, 1, 2);
    e->kind = DARC_EXPR_POWER;
    e->function = (darc_function)0;
    darc_expr_append_take(e, half);
}

static darc_status rewrite_function(darc_rewriter *rw, darc_expr **e)
{
    if (rw->syntax->declarations + 2 > DARC_MAX_UNKNOWNS)
        return darc_source_fail(rw->source, (*e)->place, DARC_LIMIT, rw->err,
                                "more than %d names, with those that stand "
                                "for functions",
                                DARC_MAX_UNKNOWNS);
    if (rw->simulation && is_smooth(*e))
        use_equal(rw, *e);
    if (becomes_derived(rw, *e)) {
        use_equal(rw, *e);
        if (!use_known(rw, e))
            name_it(rw, e, DARC_SECTION_DERIVED);
        return DARC_OK;
    }
    sqrt_to_power(*e);
    if (use_known(rw, e))
        return DARC_OK;
    if ((*e)->kind == DARC_EXPR_POWER)
        return rewrite_power(rw, e);
    bool parameters =
        (darc_rewrite_contents(rw, *e) & ~DARC_HAS_PARAMETER) == 0;
    if (!parameters || !is_smooth(*e))
        return darc_rewrite_adjoin(rw, e);
    name_it(rw, e, DARC_SECTION_PARAMETERS);
    rw->adjoined->item[rw->adjoined->count - 1].free = true;
    return DARC_OK;
}

/* Inner functions first. */
static darc_status rewrite_tree(darc_rewriter *rw, darc_expr **e)
{
    darc_status status = DARC_OK;
    bool function = is_function(*e);
    for (int i = 0; i < (*e)->count; i++)
        DARC_TRY(rewrite_tree(rw, &(*e)->child[i]));
    if (function)
        status = rewrite_function(rw, e);
done:
    return status;
}

/* The lists grow and move while they are walked, so a tree is taken out while
 * it is rewritten. */
static darc_status rewrite_side(darc_rewriter *rw, darc_statements *s, size_t i,
                                bool left)
{
    darc_statement *at = s->statement + i;
    darc_expr *e = darc_expr_copy(left ? at->left : at->right);
    darc_status status = rewrite_tree(rw, &e);
    at = s->statement + i;
    darc_expr_free(left ? at->left : at->right);
    *(left ? &at->left : &at->right) = e;
    return status;
}

/* Names are compared by their text; they are bound anew afterwards. */
static void unbind(darc_expr *e)
{
    e->unknown = -1;
    for (int i = 0; i < e->count; i++)
        unbind(e->child[i]);
}

void darc_rewriter_init(darc_rewriter *rw, darc_syntax *syntax,
                        darc_adjoineds *adjoined, const darc_source *source,
                        darc_err *err)
{
    *rw = (darc_rewriter){
        .syntax = syntax, .adjoined = adjoined, .source = source, .err = err};
}

void darc_rewriter_clear(darc_rewriter *rw)
{
    for (int i = 0; i < rw->substitutions; i++) {
        darc_free(rw->substitution[i].name);
        darc_expr_free(rw->substitution[i].value);
    }
    darc_free(rw->substitution);
}

darc_status darc_rewrite(darc_rewriter *rw)
{
    darc_status status = DARC_OK;
    darc_statements *lists[] = {&rw->syntax->equations,
                                &rw->syntax->assumptions};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            unbind(lists[k]->statement[i].left);
            unbind(lists[k]->statement[i].right);
            DARC_TRY(rewrite_side(rw, lists[k], i, true));
            DARC_TRY(rewrite_side(rw, lists[k], i, false));
        }
    darc_substitute_all(rw);
done:
    return status;
}
