#include "fit/regression.h"

#include "base/mem.h"
#include "fit/thresholds.h"
#include "model/model.h"
#include "stats/lanes.h"
#include "weak/steps.h"

#include <math.h>

void darc_criteria_init(darc_criteria *c)
{
    *c = (darc_criteria){.alpha = 0.01};
}

const darc_ioeq *darc_question_equation(const darc_question *x, int q)
{
    return x->io->eq + x->equation[q];
}

/* Split a part that holds no parameter into its leading terms and the rest, so
 * that there is something to compare them with. */
static void split(darc_dpolys_t out, const darc_ioeq *eq, const darc_jet_t jet)
{
    darc_dpoly_t side[2];
    slong var = darc_jet_var(jet, eq->leader);
    const fmpz_mpoly_struct *p = eq->part->p;
    for (int i = 0; i < 2; i++)
        darc_dpoly_init(side[i], jet);
    for (slong t = 0; t < p->length; t++) {
        darc_dpoly_t term;
        darc_dpoly_init(term, jet);
        fmpz_mpoly_get_term(term, p, t, jet->ctx);
        bool leads =
            darc_dpoly_degree(term, var, jet) > 0 && (t > 0 || p->length > 1);
        fmpz_mpoly_add(side[leads ? 0 : 1], side[leads ? 0 : 1], term,
                       jet->ctx);
        darc_dpoly_clear(term, jet);
    }
    for (int i = 0; i < 2; i++) {
        darc_dpolys_append(out, side[i], jet);
        darc_dpoly_clear(side[i], jet);
    }
}

static darc_status open_equation(darc_regression *r, const darc_question *x,
                                 int q, darc_err *err)
{
    const darc_ioeq *eq = darc_question_equation(x, q);
    const darc_jet_struct *jet = x->io->jet;
    bool search = eq->part->count <= DARC_WEAK_MAX_COEFFS;
    r->settled[q] = eq->part->count < 2;
    if (!r->settled[q])
        return darc_total_init(r->total + q, eq->part, jet, search, err);
    darc_dpolys_t part;
    darc_dpolys_init(part);
    split(part, eq, jet);
    darc_status status = darc_total_init(r->total + q, part, jet, search, err);
    darc_dpolys_clear(part, jet);
    return status;
}

static bool is_used(const darc_regression *r, int u)
{
    for (int q = 0; q < r->equations; q++)
        for (int v = 0; v < r->total[q].vars; v++)
            if (r->total[q].var[v].unknown == u &&
                darc_weak_uses(r->total + q, v))
                return true;
    return false;
}

/* Set column[u] of every signal, -1 for time and what is not used. */
static darc_status find_signal_columns(darc_regression *r,
                                       const darc_question *x,
                                       const darc_table *table, darc_err *err)
{
    for (int u = 0; u < r->unknowns; u++) {
        const darc_symbol *s = x->io->jet->names->symbol + u;
        r->column[u] = -1;
        if (s->kind == DARC_TIME || !is_used(r, u))
            continue;
        r->column[u] = darc_table_find(table, s->name);
        if (r->column[u] < 0)
            return darc_fail(err, DARC_DOMAIN, "%s: no signal '%s'",
                             table->file, s->name);
    }
    return DARC_OK;
}

/* Constants solve every equation that has a place for them: they are no
 * evidence. */
static darc_status check_signals(darc_regression *r, const darc_table *table,
                                 darc_err *err)
{
    r->idle = table->segments > 0;
    for (int u = 0; u < r->unknowns && r->idle; u++) {
        if (r->column[u] < 0)
            continue;
        const double *y = table->signal[r->column[u]].value;
        r->idle = sqrt(darc_lanes_variance(y, table)) <=
                  DARC_STILL * fabs(y[table->segment[0].begin]);
    }
    return !r->idle ? DARC_OK
                    : darc_fail(err, DARC_DATA,
                                "%s: no signal moves, and constant ones excite "
                                "nothing",
                                table->file);
}

static darc_status check_orders(darc_regression *r, darc_err *err)
{
    int order = 0;
    for (int q = 0; q < r->equations; q++) {
        int own = darc_total_order(r->total + q);
        order = own > order ? own : order;
    }
    r->idle = order > DARC_WEAK_MAX_ORDER;
    return !r->idle ? DARC_OK
                    : darc_fail(err, DARC_DATA,
                                "the io-equation has order %d, of which "
                                "recordings show little; the weak form takes "
                                "up to %d",
                                order, (int)DARC_WEAK_MAX_ORDER);
}

/* Return the first measured unknown that the terms of coefficient j of total
 * hold; -1: they hold time alone. */
static int signal_of(const darc_regression *r, const darc_total_struct *total,
                     int j)
{
    for (int i = 0; i < total->count; i++)
        for (int v = 0; v < total->vars && total->term[i].coeff == j; v++) {
            int u = total->var[v].unknown;
            if (r->column[u] >= 0 && darc_total_holds(total->term + i, v))
                return u;
        }
    return -1;
}

darc_status darc_regression_vanishes(darc_regression *r, const darc_weak *weak,
                                     const darc_question *x,
                                     const darc_table *table, darc_err *err)
{
    int j = darc_weak_vanishing(weak), q = 0;
    if (j < 0)
        return DARC_OK;
    while (q + 1 < r->equations && weak->first[q + 1] <= j)
        q++;
    r->idle = true;
    j -= weak->first[q];
    int u = signal_of(r, r->total + q, j), at = u < 0 ? -1 : r->column[u];
    const char *name = at < 0 ? "time" : table->signal[at].name;
    if (at < 0 || x->io->jet->names->symbol[u].kind != DARC_INPUT ||
        !darc_table_stands_still(table, at))
        return darc_fail(err, DARC_DATA,
                         "%s does not excite the term of c%d, with the signal "
                         "'%s': it is 0 throughout",
                         table->file, j, name);
    return darc_fail(err, DARC_DATA,
                     "%s: the signal '%s' stands still, and says nothing of "
                     "the term of c%d: take it for a constant of the model "
                     "('%s = %.10g' under constants, in the place of the "
                     "signal; of two recordings only if it is the same in "
                     "both), or let it move",
                     table->file, name, j, name, table->signal[at].value[0]);
}

bool darc_regression_has_input(const darc_question *x,
                               const darc_total_struct *total, int coeff)
{
    for (int i = 0; i < total->count; i++)
        for (int v = 0; v < total->vars && total->term[i].coeff == coeff; v++) {
            int u = total->var[v].unknown;
            if (darc_total_holds(total->term + i, v) &&
                x->io->jet->names->symbol[u].kind == DARC_INPUT &&
                darc_derived_expr(x->model, u) == NULL)
                return true;
        }
    return false;
}

/* What is found of n unknowns, nothing yet. */
static void make_room(darc_regression *r, size_t n)
{
    r->coloured = r->clipped = -1;
    r->noise = darc_calloc(n, sizeof *r->noise);
    r->signal = darc_calloc(n, sizeof *r->signal);
    r->channel = darc_calloc(3 * n, sizeof *r->channel);
    r->edge = darc_calloc(n, sizeof *r->edge);
    r->held = darc_calloc(n, sizeof *r->held);
    r->until = darc_calloc(n, sizeof *r->until);
    r->early = darc_calloc(n, sizeof *r->early);
    r->switched = darc_calloc(n, sizeof *r->switched);
    r->at = darc_calloc(n, sizeof *r->at);
}

darc_status darc_regression_init(darc_regression *r, const darc_question *x,
                                 const darc_table *table, darc_err *err)
{
    size_t e = (size_t)x->equations, n = (size_t)x->io->jet->names->count;
    *r = (darc_regression){.equations = x->equations, .unknowns = (int)n};
    r->total = darc_calloc(e, sizeof *r->total);
    r->settled = darc_calloc(e, sizeof *r->settled);
    r->column = darc_calloc(n, sizeof *r->column);
    for (int q = 0; q < x->equations; q++)
        DARC_NEED(open_equation(r, x, q, err));
    DARC_NEED(find_signal_columns(r, x, table, err));
    DARC_NEED(check_signals(r, table, err));
    DARC_NEED(check_orders(r, err));
    make_room(r, n);
    DARC_NEED(darc_carriers_find(r, x, table, err));
    return DARC_OK;
}

void darc_regression_clear(darc_regression *r)
{
    for (int q = 0; q < r->equations && r->total != NULL; q++)
        darc_total_clear(r->total + q);
    for (int u = 0; u < r->unknowns && r->noise != NULL; u++)
        darc_signalnoise_clear(r->noise + u);
    for (int u = 0; u < r->unknowns && r->signal != NULL; u++)
        darc_free((void *)r->signal[u].source);
    for (int i = 0; i < r->owns; i++)
        darc_free(r->own[i]);
    darc_steps_free(r->steps);
    DARC_FREE(r->edge, r->early, r->switched, r->at, r->held, r->until,
              r->noise, r->signal, r->channel, r->own);
    DARC_FREE(r->total, r->settled, r->column);
    *r = (darc_regression){0};
}

bool darc_regression_are_copies(const darc_regression *r,
                                const darc_question *x,
                                const darc_table *const table[2])
{
    for (int u = 0; u < r->unknowns; u++) {
        const char *name = x->io->jet->names->symbol[u].name;
        int i = darc_table_find(table[0], name);
        int j = darc_table_find(table[1], name);
        if (r->column[u] >= 0 && i >= 0 && j >= 0 &&
            !darc_table_is_copy(table[0], i, table[1], j))
            return false;
    }
    return true;
}
