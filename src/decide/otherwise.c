/* otherwise.c - a structure that is refused, were inputs held, or means. */
#include "decide/judgement.h"

#include "base/mem.h"
#include "base/text.h"
#include "fit/cut.h"
#include "terms/readings.h"

#include <string.h>

/* Whether out would not be refused were inputs held, and that explains the
 * recording as well. */
static bool is_better(const darc_judgement *out, const darc_question *x,
                      const bool *more, const darc_table *table)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_judgement j;
    bool *hold = darc_cut_hold(x, more);
    by.held = hold;
    y.by = &by;
    y.listen = NULL;
    bool better = darc_judge_as_said(&j, &y, table, NULL) == DARC_OK &&
                  j.used[0] > 0 && j.decision.verdict != DARC_INCONSISTENT;
    if (better && by.tolerance > 0)
        better = j.decision.verdict == DARC_CONSISTENT;
    else if (better)
        better = j.left <= out->left &&
                 (!j.smoothed ||
                  j.decision.defect_high <= out->decision.defect_high);
    darc_judgement_clear(&j);
    darc_free(hold);
    return better;
}

static void refuse(darc_judgement *out, const darc_question *x,
                   const bool *more, bool means)
{
    darc_text_t which = DARC_TEXT;
    const darc_names_struct *names = x->io->jet->names;
    for (int u = 0; u < names->count; u++)
        if (more[u])
            darc_text_printf(which, "%s%s", which->len > 0 ? "," : "",
                             names->symbol[u].name);
    darc_decision_refuse_held(&out->decision, which->s, means);
    for (int q = 0; q < out->equations; q++)
        darc_decision_refuse_held(&out->equation[q].decision, which->s, means);
    darc_text_clear(which);
}

/* Whether the structure is consistent, and the recording likelier by far, were
 * samples of these inputs means of the time since the one before. */
static bool are_means(const darc_question *x, const bool *more,
                      const darc_table *table)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_judgement j;
    by.until = more;
    y.by = &by;
    y.listen = NULL;
    bool are = darc_judge_as_said(&j, &y, table, NULL) == DARC_OK &&
               j.used[0] > 0 && j.decision.verdict == DARC_CONSISTENT;
    darc_judgement_clear(&j);
    return are && darc_readings_gain_by_means(x, table, more);
}

static bool explains(const darc_judgement *out, const darc_question *x,
                     const bool *more, const darc_table *table, bool means)
{
    return means ? are_means(x, more, table) : is_better(out, x, more, table);
}

/* All inputs that may be held are tried together, then each alone. */
static void refuse_read(darc_judgement *out, const darc_question *x,
                        const darc_table *table, bool means)
{
    int unknowns = x->io->jet->names->count, inputs = 0;
    bool *more = darc_calloc((size_t)unknowns, sizeof *more);
    for (int u = 0; u < unknowns; u++)
        inputs += more[u] = darc_cut_may_hold(x, table, u);
    bool done = inputs > 0 && explains(out, x, more, table, means);
    for (int u = 0; u < unknowns && inputs > 1 && !done; u++) {
        memset(more, 0, (size_t)unknowns * sizeof *more);
        more[u] = darc_cut_may_hold(x, table, u);
        done = more[u] && explains(out, x, more, table, means);
    }
    if (done)
        refuse(out, x, more, means);
    darc_free(more);
}

darc_status darc_judge_structure(darc_judgement *out, const darc_question *x,
                                 const darc_table *table, darc_err *err)
{
    DARC_NEED(darc_judge_as_said(out, x, table, err));
    if (out->decision.verdict == DARC_INCONSISTENT &&
        !darc_table_is_patchy(table))
        refuse_read(out, x, table, false);
    if (out->decision.verdict == DARC_INCONSISTENT &&
        !darc_table_is_patchy(table) && x->by->until == NULL)
        refuse_read(out, x, table, true);
    return DARC_OK;
}
