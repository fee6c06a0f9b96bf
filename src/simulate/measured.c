#include "simulate/plant.h"

#include "algebra/fraction.h"
#include "base/mem.h"

#include <math.h>

static darc_status refuse_unknown(const darc_model *model, int u,
                                  const char *why, darc_err *err)
{
    return darc_fail(err, DARC_MODEL,
                     "derived signal '%s' cannot be simulated: %s",
                     darc_model_names(model)->symbol[u].name, why);
}

/* Return whether e is delay(u, T) of an input that is not derived. */
static bool is_delayed_input(const darc_expr *e, const darc_model *model)
{
    if (darc_expr_get_kind(e) != DARC_EXPR_CALL ||
        e->function != DARC_FUNCTION_DELAY)
        return false;
    const darc_expr *x = e->child[0];
    if (darc_expr_get_kind(x) != DARC_EXPR_UNKNOWN)
        return false;
    darc_deriv d = darc_expr_deriv(x);
    return d.order == 0 && darc_derived_expr(model, d.unknown) == NULL &&
           darc_model_names(model)->symbol[d.unknown].kind == DARC_INPUT;
}

static int find_leaf(const darc_measured *m, darc_deriv d)
{
    for (int i = 0; i < m->leaves; i++)
        if (m->leaf[i].unknown == d.unknown && m->leaf[i].order == d.order)
            return i;
    return -1;
}

/* Collect the derivatives of outputs in e, the expression of u. */
static darc_status add_leaves(darc_measured *m, int u, const darc_expr *e,
                              darc_signals *signals, darc_err *err)
{
    darc_expr_kind kind = darc_expr_get_kind(e);
    if (kind == DARC_EXPR_UNKNOWN) {
        darc_deriv d = darc_expr_deriv(e);
        darc_kind of = darc_model_names(m->model)->symbol[d.unknown].kind;
        if (of == DARC_INPUT && d.order > 0 &&
            darc_derived_expr(m->model, d.unknown) != NULL)
            return refuse_unknown(m->model, u,
                                  "it needs the derivative of a derived signal",
                                  err);
        if (of == DARC_INPUT)
            darc_signals_require(signals, d.unknown, d.order);
        if (of != DARC_OUTPUT || find_leaf(m, d) >= 0)
            return DARC_OK;
        DARC_ROOM(m->leaf, m->leaves);
        m->leaf[m->leaves++] = d;
        return DARC_OK;
    }
    if (kind == DARC_EXPR_DERIVATIVE)
        return refuse_unknown(m->model, u,
                              "it needs the derivative of an expression", err);
    darc_function f = kind == DARC_EXPR_CALL ? e->function : DARC_FUNCTION_SQRT;
    if (f == DARC_FUNCTION_DELAY || f == DARC_FUNCTION_MEAN ||
        (f == DARC_FUNCTION_TABLE && e->text != NULL))
        return refuse_unknown(
            m->model, u,
            "it is a mean, or more than the delay of an input, or looks up a "
            "table",
            err);
    if (f == DARC_FUNCTION_INT)
        return refuse_unknown(
            m->model, u,
            "it is an integral; declare a state, whose derivative "
            "its argument is",
            err);
    for (int i = 0; i < e->count; i++)
        DARC_NEED(add_leaves(m, u, e->child[i], signals, err));
    return DARC_OK;
}

/* Set r to function i of s in the wide jet. */
static darc_status get_function(darc_fraction_t r, const darc_measured *m,
                                const darc_solved_t s, slong i, darc_err *err)
{
    DARC_NEED(darc_dpoly_move(r->num, m->jet, s->num->p + i, s->jet, err));
    return darc_dpoly_move(r->den, m->jet, s->den->p + i, s->jet, err);
}

/* Replace the highest derivatives of the states by their equations. */
static darc_status replace_highest(darc_fraction_t r, const darc_measured *m,
                                   const darc_solved_t s, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_fraction_t f;
    darc_fraction_init(f, m->jet);
    for (int i = 0; i < s->states; i++) {
        darc_deriv d = s->state[i];
        if (i + 1 < s->states && s->state[i + 1].unknown == d.unknown)
            continue;
        d.order++;
        DARC_TRY(get_function(f, m, s, i, err));
        DARC_TRY(
            darc_fraction_replace(r, darc_jet_var(m->jet, d), f, m->jet, err));
    }
done:
    darc_fraction_clear(f, m->jet);
    return status;
}

/* Append the leaf d to num and den. */
static darc_status append_leaf(darc_dpolys_t num, darc_dpolys_t den,
                               const darc_measured *m, const darc_solved_t s,
                               darc_deriv d, darc_err *err)
{
    darc_status status = DARC_OK;
    int j = 0;
    while (s->output[j] != d.unknown)
        j++;
    darc_fraction_t r;
    darc_fraction_init(r, m->jet);
    DARC_TRY(get_function(r, m, s, s->states + j, err));
    for (int k = 0; k < d.order; k++) {
        DARC_TRY(darc_fraction_diff(r, m->jet, err));
        darc_fraction_cancel(r, m->jet);
        DARC_TRY(replace_highest(r, m, s, err));
    }
    for (int u = 0; u < m->jet->names->count; u++)
        if (darc_derived_expr(m->model, u) != NULL &&
            (darc_dpoly_order(r->num, u, m->jet) >= 0 ||
             darc_dpoly_order(r->den, u, m->jet) >= 0))
            DARC_TRY(darc_fail(err, DARC_MODEL,
                               "derived signals cannot be simulated from a "
                               "derivative of output '%s' that depends on '%s' "
                               "itself",
                               m->jet->names->symbol[d.unknown].name,
                               m->jet->names->symbol[u].name));
    darc_dpolys_append(num, r->num, m->jet);
    darc_dpolys_append(den, r->den, m->jet);
done:
    darc_fraction_clear(r, m->jet);
    return status;
}

static darc_status init_functions(darc_measured *m, const darc_solved_t s,
                                  const darc_places *at, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpolys_t num, den;
    DARC_EACH(darc_dpolys_init, num, den);
    int n = s->jet->names->count, extra = 1;
    for (int i = 0; i < m->leaves; i++)
        extra = m->leaf[i].order + 1 > extra ? m->leaf[i].order + 1 : extra;
    int *bound = darc_calloc((size_t)n, sizeof *bound);
    for (int u = 0; u < n; u++)
        bound[u] = s->jet->bound[u] + extra;
    darc_jet_init(m->jet, s->jet->names, s->jet->ranking, bound);
    m->has_jet = true;
    darc_free(bound);
    for (int i = 0; i < m->leaves; i++)
        DARC_TRY(append_leaf(num, den, m, s, m->leaf[i], err));
    for (slong i = 0; i < den->count; i++)
        darc_dpolys_append(num, den->p + i, m->jet);
    darc_evaluator_init(&m->functions, num, false, m->jet, at);
    m->value = darc_calloc((size_t)m->leaves, sizeof *m->value);
done:
    DARC_EACH_IN(darc_dpolys_clear, m->jet, num, den);
    return status;
}

darc_status darc_measured_init(darc_measured *m, const darc_model *model,
                               const darc_solved_t s, const darc_places *at,
                               darc_err *err)
{
    *m = (darc_measured){.model = model};
    darc_status status = DARC_OK;
    int names = darc_model_names(model)->count;
    for (int u = 0; u < names && status == DARC_OK; u++) {
        const darc_expr *e = darc_derived_expr(model, u);
        if (e == NULL)
            continue;
        if (s->jet->bound[u] > 0)
            status = refuse_unknown(model, u,
                                    "the equations need its derivative", err);
        else if (!is_delayed_input(e, model))
            status = add_leaves(m, u, e, at->signals, err);
    }
    if (status == DARC_OK && m->leaves > 0)
        status = init_functions(m, s, at, err);
    if (status != DARC_OK)
        darc_measured_clear(m);
    return status;
}

void darc_measured_clear(darc_measured *m)
{
    darc_evaluator_clear(&m->functions);
    if (m->has_jet)
        darc_jet_clear(m->jet);
    DARC_FREE(m->leaf, m->value);
    *m = (darc_measured){0};
}

typedef struct {
    const darc_measured *m;
    const darc_signals *signals;
    double t; /* s */
} moment;

static double value_at(void *user, darc_deriv d)
{
    const moment *now = user;
    switch (darc_model_names(now->m->model)->symbol[d.unknown].kind) {
    case DARC_TIME:
        return now->t;
    case DARC_INPUT:
        return now->signals->value[d.unknown][d.order];
    default:
        return now->m->value[find_leaf(now->m, d)];
    }
}

/* Return u(t - T); before the begin of a recording its first value. */
static double delayed(const darc_expr *e, double t, const darc_signals *signals)
{
    double delay = 0, from, to, x;
    darc_expr_is_constant(e->child[1], &delay);
    const darc_wave *wave = signals->wave[darc_expr_deriv(e->child[0]).unknown];
    darc_wave_span(wave, &from, &to);
    double at = fmin(t, signals->until) - delay;
    darc_wave_eval(wave, fmax(at, from), 0, &x);
    return x;
}

void darc_measured_set(darc_measured *m, double t, const double *y,
                       darc_signals *signals)
{
    if (m->leaves > 0)
        darc_evaluator_run(&m->functions, t, y, NULL);
    for (int i = 0; i < m->leaves; i++)
        m->value[i] = m->functions.out[i] / m->functions.out[m->leaves + i];
    moment now = {m, signals, t};
    for (int u = 0; u < signals->unknowns; u++) {
        const darc_expr *e = darc_derived_expr(m->model, u);
        if (e == NULL)
            continue;
        signals->value[u][0] = is_delayed_input(e, m->model)
                                   ? delayed(e, t, signals)
                                   : darc_expr_eval(e, value_at, &now);
    }
}
