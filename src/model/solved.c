#include "model/solved.h"

#include "base/mem.h"
#include "model/thresholds.h"

static void list_unknowns(darc_solved_t s, const darc_solving *w)
{
    int n = w->names->count, states = 0;
    for (int u = 0; u < n; u++)
        states += w->top[u] > 0 ? w->top[u] : 0;
    s->state = darc_calloc((size_t)states, sizeof *s->state);
    s->output = darc_calloc((size_t)n, sizeof *s->output);
    for (int u = 0; u < n; u++) {
        for (int k = 0; k < (w->top[u] > 0 ? w->top[u] : 0); k++)
            s->state[s->states++] = (darc_deriv){u, k};
        if (w->names->symbol[u].kind == DARC_OUTPUT && !w->absent[u])
            s->output[s->outputs++] = u;
    }
}

/* Append p; to the inequations once. */
static darc_status append_moved(darc_dpolys_t to, const darc_dpoly_t p,
                                const darc_solved_t s, const darc_solving *w,
                                darc_err *err)
{
    darc_dpoly_t q;
    darc_dpoly_init(q, s->jet);
    darc_status status = darc_dpoly_move(q, s->jet, p, w->jet, err);
    if (status == DARC_OK &&
        (to != s->inequations || !darc_dpolys_contains(to, q, s->jet)))
        darc_dpolys_append_take(to, q, s->jet);
    darc_dpoly_clear(q, s->jet);
    return status;
}

/* Append the derivative d, or value[d.unknown] where that is what d is. */
static darc_status append_function(darc_solved_t s, darc_deriv d,
                                   const darc_solving *w, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_fraction_t r;
    darc_fraction_init(r, w->jet);
    if (w->defined[d.unknown] || d.order == w->top[d.unknown])
        darc_fraction_set(r, w->value + d.unknown, w->jet);
    else
        darc_dpoly_set_deriv(r->num, d, w->jet);
    DARC_TRY(append_moved(s->num, r->num, s, w, err));
    DARC_TRY(append_moved(s->den, r->den, s, w, err));
done:
    darc_fraction_clear(r, w->jet);
    return status;
}

static darc_status put_equations(darc_solved_t s, const darc_solving *w,
                                 darc_err *err)
{
    *s = (darc_solved_struct){.states = 0};
    int n = w->names->count;
    int *bound = darc_calloc((size_t)n, sizeof *bound);
    for (int u = 0; u < n; u++) {
        if (w->top[u] > 0)
            bound[u] = w->top[u] - 1;
        if (w->names->symbol[u].kind == DARC_INPUT)
            bound[u] = w->order[u];
        darc_dpoly_orders(bound, w->value[u].num, w->jet);
        darc_dpoly_orders(bound, w->value[u].den, w->jet);
    }
    darc_dpolys_orders(bound, w->ineq, w->jet);
    darc_jet_init(s->jet, w->names, w->jet->ranking, bound);
    darc_free(bound);
    list_unknowns(s, w);
    darc_status status = DARC_OK;
    for (int i = 0; i < s->states && status == DARC_OK; i++) {
        darc_deriv d = s->state[i];
        d.order++;
        status = append_function(s, d, w, err);
    }
    for (int j = 0; j < s->outputs && status == DARC_OK; j++)
        status = append_function(s, (darc_deriv){s->output[j], 0}, w, err);
    for (slong i = 0; i < w->ineq->count && status == DARC_OK; i++) {
        darc_dpoly_struct *p = w->ineq->p + i;
        darc_dpoly_primitive(p, p, w->jet);
        if (!fmpz_mpoly_is_fmpz(p, w->jet->ctx))
            status = append_moved(s->inequations, p, s, w, err);
    }
    if (status != DARC_OK)
        darc_solved_clear(s);
    return status;
}

static darc_status solve_model(darc_solved_t s, const darc_model *model,
                               bool dynamic, double work, darc_err *err)
{
    darc_solving w;
    darc_status status = darc_solving_init(&w, model, dynamic, err);
    if (status != DARC_OK)
        goto done;
    w.work = work;
    DARC_TRY(darc_solving_define(&w, err));
    DARC_TRY(darc_solving_highest(&w, err));
    for (int u = 0; u < w.names->count; u++)
        if (w.top[u] >= 0)
            DARC_TRY(darc_solving_eliminate(&w, u, w.top[u], err));
    status = put_equations(s, &w, err);
    s->shown = darc_model_chain(model);
done:
    darc_solving_clear(&w);
    return status;
}

/* One way first, then the other; a long way last. */
static darc_status try_both(darc_solved_t s, const darc_model *model,
                            bool dynamic, darc_err *err)
{
    const double work = DARC_SOLVING_WORK;
    darc_err own = {DARC_OK, ""};
    darc_status status = solve_model(s, model, dynamic, work, &own);
    if (status != DARC_OK &&
        solve_model(s, model, !dynamic, work, NULL) == DARC_OK)
        return DARC_OK;
    if (status == DARC_LIMIT)
        status = solve_model(s, model, dynamic, DARC_SOLVING_WORK_MOST, &own);
    if (status == DARC_LIMIT) /* of this form: other ways may do */
        status = DARC_DOMAIN;
    return darc_fail_as(err, status, &own);
}

darc_status darc_solved_init(darc_solved_t s, const darc_model *model,
                             darc_err *err)
{
    return try_both(s, model, false, err);
}

darc_status darc_solved_init_dynamic(darc_solved_t s, const darc_model *model,
                                     darc_err *err)
{
    return try_both(s, model, true, err);
}

void darc_solved_clear(darc_solved_t s)
{
    DARC_EACH_IN(darc_dpolys_clear, s->jet, s->num, s->den, s->inequations);
    DARC_FREE(s->state, s->output);
    darc_jet_clear(s->jet);
}
