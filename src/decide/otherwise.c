/* otherwise.c - a structure that is refused, were inputs held. */
#include "decide/judgement.h"

#include "base/mem.h"
#include "base/text.h"
#include "model/model.h"

#include <string.h>

/* Set hold[u] for the inputs that may be held and are not said to be, for the
 * one of them with number `only`, or all (-1); return how many there are. */
static int choose(bool *hold, const darc_question *x, const darc_table *table,
                  int only)
{
    int inputs = 0;
    const darc_names_struct *names = x->io->jet->names;
    for (int u = 0; u < names->count; u++) {
        bool said = x->by->held != NULL && x->by->held[u];
        bool may = !said && names->symbol[u].kind == DARC_INPUT &&
                   darc_derived_expr(x->model, u) == NULL &&
                   darc_table_find(table, names->symbol[u].name) >= 0;
        hold[u] = said || (may && (only < 0 || only == inputs));
        inputs += may;
    }
    return inputs;
}

/* Whether out would not be refused were inputs held: of noise of any colour,
 * which explains nothing, less than half must be left then. */
static bool is_better(const darc_judgement *out, const darc_question *x,
                      const bool *hold, const darc_table *table)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_judgement j;
    by.held = hold;
    y.by = &by;
    y.listen = NULL;
    bool better = darc_judge_as_said(&j, &y, table, NULL) == DARC_OK &&
                  j.used > 0 && j.decision.verdict != DARC_INCONSISTENT;
    const darc_decision *a = &out->decision, *b = &j.decision;
    if (better && by.tolerance > 0)
        better = b->verdict == DARC_CONSISTENT;
    else if (better)
        better = b->p_value >= by.alpha ||
                 (strcmp(a->noise, "any") == 0 &&
                  b->statistic * a->dof < a->statistic * b->dof / 2);
    darc_judgement_clear(&j);
    return better;
}

static void refuse(darc_judgement *out, const darc_question *x,
                   const bool *hold)
{
    darc_text_t which = DARC_TEXT;
    const darc_names_struct *names = x->io->jet->names;
    for (int u = 0; u < names->count; u++)
        if (hold[u] && (x->by->held == NULL || !x->by->held[u]))
            darc_text_printf(which, "%s%s", which->len > 0 ? "," : "",
                             names->symbol[u].name);
    darc_decision_refuse_held(&out->decision, which->s);
    for (int q = 0; q < out->equations; q++)
        darc_decision_refuse_held(&out->equation[q].decision, which->s);
    darc_text_clear(which);
}

darc_status darc_judge_structure(darc_judgement *out, const darc_question *x,
                                 const darc_table *table, darc_err *err)
{
    DARC_NEED(darc_judge_as_said(out, x, table, err));
    if (out->decision.verdict != DARC_INCONSISTENT ||
        darc_table_is_patchy(table))
        return DARC_OK;
    bool *hold = darc_calloc((size_t)x->io->jet->names->count, sizeof *hold);
    int inputs = choose(hold, x, table, -1), tried = inputs > 1 ? -1 : 0;
    for (bool done = false; tried < inputs && !done; tried++) {
        choose(hold, x, table, tried);
        done = is_better(out, x, hold, table);
        if (done)
            refuse(out, x, hold);
    }
    darc_free(hold);
    return DARC_OK;
}
