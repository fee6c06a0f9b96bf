/* otherwise.c - a structure that is refused, were inputs held, or means. */
#include "decide/judgement.h"

#include "base/mem.h"
#include "base/text.h"
#include "decide/thresholds.h"
#include "fit/cut.h"
#include "stats/lanes.h"
#include "terms/readings.h"

#include <math.h>
#include <string.h>

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

/* Whether the recording is likelier by far were these inputs held, or samples
 * of them means of the time since the one before, and the structure not
 * refused; of means, which few loggers write, or within a tolerance:
 * consistent. */
static bool explains(const darc_question *x, const bool *more,
                     const darc_table *table, bool means)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_judgement j;
    bool *hold = darc_cut_hold(x, means ? NULL : more);
    by.held = hold;
    by.until = means ? more : by.until;
    y.by = &by;
    y.listen = NULL;
    darc_verdict least =
        means || by.tolerance > 0 ? DARC_CONSISTENT : DARC_UNDECIDED;
    bool explain =
        darc_judge_as_said(&j, &y, table, NULL) == DARC_OK && j.used[0] > 0 &&
        darc_verdict_rank(j.decision.verdict) <= darc_verdict_rank(least) &&
        darc_readings_gain(x, table, hold, by.until);
    darc_judgement_clear(&j);
    darc_free(hold);
    return explain;
}

/* All inputs that may be held are tried together, then each alone. */
static void refuse_read(darc_judgement *out, const darc_question *x,
                        const darc_table *table, bool means)
{
    int unknowns = x->io->jet->names->count, inputs = 0;
    bool *more = darc_calloc((size_t)unknowns, sizeof *more);
    for (int u = 0; u < unknowns; u++)
        inputs += more[u] = darc_cut_may_hold(x, table, u);
    bool done = inputs > 0 && explains(x, more, table, means);
    for (int u = 0; u < unknowns && inputs > 1 && !done; u++) {
        memset(more, 0, (size_t)unknowns * sizeof *more);
        more[u] = darc_cut_may_hold(x, table, u);
        done = more[u] && explains(x, more, table, means);
    }
    if (done)
        refuse(out, x, more, means);
    darc_free(more);
}

/* Whether more is left of an equation than noise makes. */
static bool is_left(const darc_judgement *j)
{
    bool left = false;
    for (int q = 0; q < j->equations; q++)
        left = left || j->equation[q].decision.defect > 0;
    return left;
}

/* Whether v is 0 but for pulses, which meet the samples at places of their own:
 * what samples miss of pulses that all meet them alike is no noise. */
static bool is_pulses(const double *v, const darc_table *table)
{
    double low = DARC_PULSE_REST * sqrt(darc_lanes_variance(v, table));
    double sum = 0, moment = 0, re = 0, im = 0;
    size_t near = 0, count = 0;
    for (size_t t = 0; t < table->samples; t++) {
        if (fabs(v[t]) >= low) {
            sum += fabs(v[t]);
            moment += fabs(v[t]) * (double)t;
            continue;
        }
        near++;
        if (sum > 0) { /* the end of one */
            double at = 2 * 3.14159265358979323846 * moment / sum;
            re += cos(at);
            im += sin(at);
            count++;
        }
        sum = moment = 0;
    }
    return near > table->samples / 2 && count >= DARC_PULSES_LEAST &&
           hypot(re, im) < DARC_PULSES_ALIKE * (double)count;
}

/* Whether all inputs that move are pulses.  Where some stand on a level, that
 * they go with it as the model says is what they tell, and most of that is lost
 * with their size. */
static bool has_pulses(const darc_question *x, const darc_table *table)
{
    const darc_names_struct *names = x->io->jet->names;
    bool pulses = true;
    for (int u = 0; u < names->count && pulses; u++) {
        int k = names->symbol[u].kind == DARC_INPUT
                    ? darc_table_find(table, names->symbol[u].name)
                    : -1;
        const double *v = k >= 0 ? table->signal[k].value : NULL;
        if (v != NULL && darc_lanes_variance(v, table) > 0)
            pulses = is_pulses(v, table);
    }
    return pulses;
}

/* What sampling may have made is asked again, with what samples miss of pulses
 * as their error: if that decides, it counts. */
static void read_pulses(darc_judgement *out, const darc_question *x,
                        const darc_table *table)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_judgement j;
    by.pulses = true;
    y.by = &by;
    darc_status status = darc_judge_as_said(&j, &y, table, NULL);
    darc_verdict v = j.decision.verdict;
    if (status == DARC_OK &&
        (v == DARC_INCONSISTENT || (v == DARC_CONSISTENT && !is_left(&j)))) {
        DARC_SWAP(darc_judgement, *out, j);
        darc_judgement_note(out, "pulses have few samples: what those miss of "
                                 "them counts as their error");
    }
    darc_judgement_clear(&j);
}

darc_status darc_judge_structure(darc_judgement *out, const darc_question *x,
                                 const darc_table *table, darc_err *err)
{
    DARC_NEED(darc_judge_as_said(out, x, table, err));
    if (out->folded && has_pulses(x, table))
        read_pulses(out, x, table);
    if (out->decision.verdict == DARC_INCONSISTENT &&
        !darc_table_is_patchy(table))
        refuse_read(out, x, table, false);
    if (out->decision.verdict == DARC_INCONSISTENT &&
        !darc_table_is_patchy(table) && x->by->until == NULL)
        refuse_read(out, x, table, true);
    return DARC_OK;
}
