/* sharing.c - what a model knows of the arguments of functions. */
#include "functions/arguments.h"
#include "model/model_struct.h"

typedef struct {
    const darc_rewriter *rw;
    bool (*measured)(const darc_rewriter *rw, const darc_expr *e);
    darc_rewriter says; /* substitutions */
} knowledge;

static darc_known known_of(const darc_expr *e, void *user)
{
    const knowledge *k = user;
    return k->measured(k->rw, e)                   ? DARC_KNOWN_MEASURED
           : darc_expr_is_constant(e, NULL)        ? DARC_KNOWN_NUMBER
           : darc_rewriter_is_parametric(k->rw, e) ? DARC_KNOWN_PARAMETRIC
                                                   : DARC_KNOWN_HIDDEN;
}

static void resolve(darc_expr **e, void *user)
{
    const knowledge *k = user;
    darc_substitute_known(&k->says, e);
}

static bool has_derivative(const darc_expr *e)
{
    bool has = e->kind == DARC_EXPR_DERIVATIVE ||
               (e->kind == DARC_EXPR_UNKNOWN && e->order > 0);
    for (int i = 0; i < e->count && !has; i++)
        has = has_derivative(e->child[i]);
    return has;
}

/* Remember a state that the equation tells from others. */
static void learn(darc_rewriter *says, const darc_statement *s)
{
    darc_expr *side[] = {darc_expr_copy(s->left), darc_expr_copy(s->right)};
    bool found = has_derivative(s->left) || has_derivative(s->right);
    for (int i = 0; i < 2; i++)
        darc_substitute_known(says, side + i);
    for (int i = 0; i < 2 && !found; i++) {
        darc_expr *value = NULL;
        const char *name = darc_solve_for(says, DARC_SECTION_STATES, side[i],
                                          side[1 - i], &value);
        found = name != NULL && darc_expr_occurrences(value, name) == 0;
        if (found)
            darc_substitute_later_take(says, name, value, true);
        else if (name != NULL)
            darc_expr_free(value);
    }
    DARC_ALL_OF(darc_expr_free, side, 2);
}

/* Return whether there are states that are not measured. */
static bool has_hidden(const darc_rewriter *rw,
                       bool (*measured)(const darc_rewriter *rw,
                                        const darc_expr *e))
{
    bool hidden = false;
    for (size_t i = 0; i < rw->syntax->declarations && !hidden; i++) {
        const darc_declaration *d = rw->syntax->declaration + i;
        darc_expr *e = darc_expr_name(d->place, d->name);
        hidden = d->section == DARC_SECTION_STATES && !measured(rw, e);
        darc_expr_free(e);
    }
    return hidden;
}

void darc_share_known(const darc_rewriter *rw,
                      bool (*measured)(const darc_rewriter *rw,
                                       const darc_expr *e))
{
    knowledge k = {rw, measured, {.syntax = rw->syntax}};
    const darc_statements *s = &rw->syntax->equations;
    for (size_t i = 0; i < s->count; i++)
        learn(&k.says, s->statement + i);
    const darc_arguments about = {known_of, resolve, &k,
                                  !has_hidden(rw, measured)};
    bool all = darc_share_arguments(rw->syntax, &about);
    if (!all && rw->syntax->note == NULL) {
        darc_text_t text = DARC_TEXT;
        darc_text_printf(
            text,
            "%s: warning: arguments of exp, sin or their like are "
            "large multiples of one another; their functions count "
            "as independent, and parameters may be told apart that "
            "are not",
            rw->script->file);
        rw->syntax->note = darc_text_take(text);
    }
    darc_rewriter_clear(&k.says);
}
