#include "fit/cut.h"

#include "base/mem.h"
#include "data/table.h"
#include "derive/strip.h"
#include "fit/computed.h"
#include "fit/thresholds.h"
#include "model/model.h"
#include "noise/lattice.h"
#include "noise/levels.h"

#include <math.h>
#include <string.h>

/* An input that may jump between samples. */
typedef struct {
    int unknown;
    const double *y;
    double digit; /* steps of this size are no jumps, but rounding */
    double step;  /* between levels: each such step is a jump; 0: there are none
                   */
} jumping;

bool darc_cut_is_input(const darc_question *x, const darc_table *table, int u)
{
    const darc_symbol *s = x->io->jet->names->symbol + u;
    return s->kind == DARC_INPUT && darc_derived_expr(x->model, u) == NULL &&
           darc_table_find(table, s->name) >= 0;
}

bool darc_cut_may_hold(const darc_question *x, const darc_table *table, int u)
{
    return !darc_cut_is_said(x, table, u) && darc_cut_is_input(x, table, u);
}

bool darc_cut_is_said(const darc_question *x, const darc_table *table, int u)
{
    const darc_symbol *s = x->io->jet->names->symbol + u;
    int k = darc_table_find(table, s->name);
    return (x->by->held != NULL && x->by->held[u]) ||
           (s->kind == DARC_INPUT && k >= 0 && darc_table_is_held(table, k));
}

bool *darc_cut_hold(const darc_question *x, const bool *more)
{
    int n = x->io->jet->names->count;
    bool *hold = darc_calloc((size_t)n, sizeof *hold);
    for (int u = 0; u < n; u++)
        hold[u] = (x->by->held != NULL && x->by->held[u]) ||
                  (more != NULL && more[u]);
    return hold;
}

bool darc_cut_is_jump(const double *y, darc_segment g, size_t t, double digit)
{
    const size_t reach = DARC_JUMP_REACH;
    double most = fabs(y[t] - y[t - 1]) / DARC_JUMP_FACTOR;
    if (most <= digit)
        return false;
    size_t first = t > g.begin + reach ? t - reach : g.begin + 1;
    size_t end = t + reach + 1 < g.end ? t + reach + 1 : g.end;
    for (size_t k = first; k < end; k++)
        if (k != t && fabs(y[k] - y[k - 1]) > most)
            return false;
    return end - first > reach;
}

/* Whether unknown u is an input that may jump at any time. */
static bool may_jump(jumping *out, const darc_question *x,
                     const darc_table *table, int u, darc_cut_at at)
{
    if (x->by->until != NULL && x->by->until[u])
        return false; /* what it does is not in its samples */
    if (at == DARC_CUT_HELD ? !darc_cut_is_input(x, table, u)
                            : !darc_cut_may_hold(x, table, u))
        return false;
    int column = darc_table_find(table, x->io->jet->names->symbol[u].name);
    double sd;
    darc_signalnoise n = {.kernel = &sd};
    darc_segment g = darc_table_longest(table);
    out->unknown = u;
    out->y = table->signal[column].value;
    out->digit = darc_lattice_step(out->y + g.begin, g.end - g.begin);
    if (darc_lattice_is_held(out->y, table, out->digit, DARC_STAIRS))
        out->digit = 0;
    else if (darc_levels_read(&n, table, column))
        out->step = n.jump;
    else
        return true;
    return at != DARC_CUT_JUMPS;
}

/* Append a segment to those of t if it is long enough; return its length. */
static size_t append_segment(darc_table *t, size_t *room, size_t begin,
                             size_t end)
{
    if (end - begin <= DARC_CUT_LEAST)
        return 0;
    t->segment =
        darc_grow(t->segment, (size_t)t->segments, room, sizeof *t->segment);
    t->segment[t->segments++] = (darc_segment){begin, end};
    return end - begin;
}

static bool is_jump(const jumping *i, darc_segment g, size_t t)
{
    return i->step > 0 ? fabs(i->y[t] - i->y[t - 1]) >= i->step
                       : darc_cut_is_jump(i->y, g, t, i->digit);
}

/* Cut the segments of the table; return whether anything was cut, and half is
 * left. */
static bool cut_segments(darc_cut *cut, const jumping *input, int inputs,
                         const darc_table *table)
{
    size_t all = 0, left = 0, room = 0, jumps = 0;
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        size_t begin = g.begin;
        all += g.end - g.begin;
        for (size_t t = g.begin + 1; t < g.end; t++) {
            bool jump = false;
            if (t % DARC_CUT_DONE == 0)
                darc_table_done(table, t - DARC_CUT_DONE, t);
            for (int k = 0; k < inputs; k++)
                if (is_jump(input + k, g, t))
                    jump = cut->jumps[input[k].unknown] = true;
            if (!jump)
                continue;
            left += append_segment(&cut->table, &room, begin, t);
            begin = t;
            jumps++;
        }
        left += append_segment(&cut->table, &room, begin, g.end);
    }
    return jumps > 0 && 2 * left >= all;
}

/* What a controller computed is no input that jumps at any time: forget it and
 * the cuts.  Return whether there is such an input. */
static bool forget_computed(darc_cut *cut, jumping *input, int *inputs,
                            const darc_question *x, const darc_table *table)
{
    int left = 0;
    double rest;
    for (int i = 0; i < *inputs; i++) {
        int u = input[i].unknown;
        if (cut->jumps[u] && darc_computed_find(&rest, x, table, u))
            cut->jumps[u] = false;
        else
            input[left++] = input[i];
    }
    bool any = left < *inputs;
    *inputs = left;
    if (any) {
        darc_free(cut->table.segment);
        cut->table.segment = NULL;
        cut->table.segments = 0;
    }
    return any;
}

darc_cut *darc_cut_new(const darc_question *x, const darc_table *table,
                       darc_cut_at at)
{
    int unknowns = x->io->jet->names->count, inputs = 0;
    jumping *input = darc_calloc((size_t)unknowns, sizeof *input);
    darc_cut *cut = darc_calloc(1, sizeof *cut);
    cut->jumps = darc_calloc((size_t)unknowns, sizeof *cut->jumps);
    cut->table = *table;
    cut->table.segment = NULL;
    cut->table.segments = 0;
    for (int u = 0; u < unknowns && !darc_table_is_patchy(table); u++)
        inputs += may_jump(input + inputs, x, table, u, at);
    bool made = inputs > 0 && cut_segments(cut, input, inputs, table);
    if (made && forget_computed(cut, input, &inputs, x, table))
        made = inputs > 0 && cut_segments(cut, input, inputs, table);
    if (!made) {
        darc_cut_free(cut);
        cut = NULL;
    }
    darc_free(input);
    return cut;
}

/* Whether signals jump at the second side t of an event in segment g: inputs;
 * others. */
static void look_at_side(bool jumps[2], const darc_table *table,
                         const darc_model *model, darc_segment g, size_t t)
{
    const darc_names_struct *names = darc_model_names(model);
    jumps[0] = jumps[1] = false;
    for (int i = 0; i < table->signals; i++) {
        const darc_signal *s = table->signal + i;
        int u = darc_names_find(names, s->name, strlen(s->name));
        bool input = u >= 0 && names->symbol[u].kind == DARC_INPUT;
        bool moves = input && s->value[t] != s->value[t - 1] &&
                     darc_table_is_held(table, i);
        jumps[!input] |= moves || darc_cut_is_jump(s->value, g, t, 0);
    }
}

void darc_cut_sides(darc_table *table, const darc_model *model)
{
    size_t parts = 0;
    for (size_t k = 0; k < table->sides; k++) {
        size_t t = table->side[k], room = (size_t)table->segments;
        int i = (int)darc_segment_behind(table, t);
        darc_segment *g = table->segment + i;
        bool jumps[2] = {false, false};
        if (i < table->segments && g->begin < t && t < g->end)
            look_at_side(jumps, table, model, *g, t);
        if (jumps[0] || !jumps[1])
            continue;
        g = table->segment =
            darc_grow(table->segment, room, &room, sizeof *table->segment);
        memmove(g + i + 1, g + i, (size_t)(table->segments++ - i) * sizeof *g);
        g[i].end = g[i + 1].begin = t;
        parts++;
    }
    if (parts > 0)
        darc_table_remark(table,
                          "outputs jump at %zu of these rows, where no input "
                          "does: a segment begins there",
                          parts);
}

void darc_cut_free(darc_cut *cut)
{
    if (cut == NULL)
        return;
    DARC_FREE(cut->table.segment, cut->jumps, cut);
}
