#include "fulfil/matching.h"

#include "algebra/factors.h"
#include "base/mem.h"
#include "chain/ritt.h"
#include "model/model.h"
#include "model/solved.h"

#include <string.h>

/* Both models in one frame: the signals, then the parameters. */
typedef struct {
    darc_matching *m;
    const darc_matching_side *of[2]; /* model, target */
    darc_names_t names, parameters;
    int signals;
    int *map[2]; /* unknowns to names; -1: states; owned */
    darc_jet_t jet;
    darc_autored_t target;
} matcher;

static const darc_names_struct *names_of(const matcher *w, int k)
{
    return w->of[k]->io->jet->names;
}

static bool is_signal_kind(darc_kind kind)
{
    return kind != DARC_STATE && kind != DARC_PARAMETER;
}

static char *definition(const darc_model *model, int u)
{
    const darc_expr *e = darc_derived_expr(model, u);
    darc_text_t t = DARC_TEXT;
    if (e != NULL)
        darc_expr_print(t, e);
    return darc_text_take(t);
}

/* Are unknown u of one and v of the other the same signal? */
static bool same_signal(const matcher *w, int k, int u, int v)
{
    if (v < 0 ||
        names_of(w, k)->symbol[u].kind != names_of(w, 1 - k)->symbol[v].kind)
        return false;
    char *a = definition(w->of[k]->model, u);
    char *b = definition(w->of[1 - k]->model, v);
    bool same = strcmp(a, b) == 0;
    DARC_FREE(a, b);
    return same;
}

static darc_status compare_signals(const matcher *w, darc_err *err)
{
    for (int k = 0; k < 2; k++)
        for (int u = 0; u < names_of(w, k)->count; u++) {
            const darc_symbol *s = &names_of(w, k)->symbol[u];
            int v =
                darc_names_find(names_of(w, 1 - k), s->name, strlen(s->name));
            if (is_signal_kind(s->kind) && s->kind != DARC_TIME &&
                !same_signal(w, k, u, v))
                return darc_fail(err, DARC_USAGE,
                                 "%s: the signal '%s' is not the same in %s; "
                                 "both need the same inputs and outputs",
                                 darc_model_file(w->of[k]->model), s->name,
                                 darc_model_file(w->of[1 - k]->model));
        }
    return w->of[0]->io->count == w->of[1]->io->count
               ? DARC_OK
               : darc_fail(
                     err, DARC_USAGE,
                     "%s binds %d signals by its equations, %s %d",
                     darc_model_file(w->of[0]->model), w->of[0]->io->count,
                     darc_model_file(w->of[1]->model), w->of[1]->io->count);
}

/* Name the signals, in the order of the target's ranking, and the time. */
static void name_signals(matcher *w)
{
    const darc_jet_struct *jet = w->of[1]->io->jet;
    for (slong v = 0; v < jet->vars; v++) {
        int u = jet->deriv[v].unknown;
        const darc_symbol *s = jet->names->symbol + u;
        if (jet->deriv[v].order == 0 && is_signal_kind(s->kind))
            w->map[1][u] = darc_names_add(w->names, s->name, s->kind);
    }
    for (int u = 0; u < names_of(w, 0)->count; u++) {
        const darc_symbol *s = &names_of(w, 0)->symbol[u];
        if (is_signal_kind(s->kind))
            w->map[0][u] = darc_names_find(w->names, s->name, strlen(s->name));
        if (s->kind == DARC_TIME && w->map[0][u] < 0)
            w->map[0][u] = darc_names_add(w->names, s->name, DARC_TIME);
    }
    w->signals = w->names->count;
}

/* Name the parameters of model k that are sought, or are given: a name that
 * both have is one quantity where the model's is given. */
static void name_parameters(matcher *w, int k, bool sought)
{
    darc_matching *m = w->m;
    const darc_names_struct *names = names_of(w, k);
    for (int u = 0; u < names->count; u++) {
        if (names->symbol[u].kind != DARC_PARAMETER ||
            w->of[k]->free[u] != sought)
            continue;
        darc_text_t name = DARC_TEXT;
        darc_text_puts(name, names->symbol[u].name);
        int at = darc_names_find(w->parameters, name->s, name->len);
        if (at >= 0 && (at < m->own || sought)) {
            darc_text_puts(name, "_target");
            at = darc_names_find(w->parameters, name->s, name->len);
        }
        if (at < 0)
            at = darc_names_add(w->parameters, name->s, DARC_PARAMETER);
        m->name[k][u] = at;
        darc_text_clear(name);
    }
}

static void init_names(matcher *w)
{
    darc_matching *m = w->m;
    for (int k = 0; k < 2; k++) {
        size_t n = (size_t)names_of(w, k)->count + 1;
        w->map[k] = darc_calloc(n, sizeof(int));
        m->name[k] = darc_calloc(n, sizeof(int));
        for (size_t u = 0; u < n; u++)
            w->map[k][u] = m->name[k][u] = -1;
    }
    name_signals(w);
    name_parameters(w, 0, true);
    m->own = w->parameters->count;
    name_parameters(w, 1, true);
    m->free = w->parameters->count;
    name_parameters(w, 0, false);
    name_parameters(w, 1, false);
    for (int i = 0; i < w->parameters->count; i++)
        darc_names_add(w->names, w->parameters->symbol[i].name, DARC_PARAMETER);
    for (int k = 0; k < 2; k++)
        for (int u = 0; u < names_of(w, k)->count; u++)
            if (m->name[k][u] >= 0)
                w->map[k][u] = w->signals + m->name[k][u];
    if (w->parameters->count == 0) /* a frame has a variable */
        darc_names_add(w->parameters, "none", DARC_PARAMETER);
}

static void init_frames(matcher *w)
{
    darc_ranking_t rk;
    const darc_ranking_struct *target = w->of[1]->io->jet->ranking;
    const darc_names_struct *names = names_of(w, 1);
    int n = w->names->count, order = 1, block = 0;
    for (int k = 0; k < 2; k++) {
        const darc_ioeqs_struct *io = w->of[k]->io;
        int most = 0;
        for (int i = 0; i < io->count; i++)
            most = FLINT_MAX(most, darc_ioeq_order(io->eq + i, io->jet));
        order += most;
    }
    int *bound = darc_calloc((size_t)n + 1, sizeof *bound);
    darc_ranking_init(rk, w->parameters->count);
    darc_jet_init(w->m->jet, w->parameters, rk, bound);
    darc_ranking_clear(rk);
    DARC_FILL(bound, n, order);
    darc_ranking_init(rk, n);
    for (int i = 0; i < n; i++) { /* blocks as the target's, then parameters */
        bool new = i == w->signals;
        for (int u = 0; u < names->count && i < w->signals; u++)
            for (int v = 0; v < names->count; v++)
                new |= i > 0 && w->map[1][u] == i && w->map[1][v] == i - 1 &&
                       target->block[u] != target->block[v];
        block += new &&i > 0;
        rk->block[i] = block;
        rk->position[i] = i;
    }
    darc_jet_init(w->jet, w->names, rk, bound);
    darc_ranking_clear(rk);
    darc_free(bound);
}

/* Append p, in parameters alone, to `to` unless it is there. */
static darc_status append_condition(darc_dpolys_t to, const darc_dpoly_t p,
                                    const matcher *w, const darc_jet_t from,
                                    const int *map, darc_err *err)
{
    const darc_jet_struct *jet = w->m->jet;
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    darc_status status = darc_dpoly_map(q, jet, p, from, map, err);
    if (status == DARC_OK) {
        darc_dpoly_primitive(q, q, jet);
        if (!darc_dpolys_contains(to, q, jet) &&
            !(to == w->m->ineq && fmpz_mpoly_is_fmpz(q, jet->ctx)))
            darc_dpolys_append(to, q, jet);
    }
    darc_dpoly_clear(q, jet);
    return status;
}

/* List what must not vanish in model k. */
static darc_status list_conditions(const matcher *w, int k, darc_err *err)
{
    const darc_model *model = w->of[k]->model;
    darc_matching *m = w->m;
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_jet_t jet;
    darc_status status;
    darc_model_frame(jet, model, NULL);
    DARC_TRY(darc_model_equations(eq, ineq, model, jet, err));
    for (slong i = 0; i < ineq->count; i++)
        if (darc_dpoly_is_constant(ineq->p + i, jet))
            DARC_TRY(append_condition(m->ineq, ineq->p + i, w, jet, m->name[k],
                                      err));
    for (int u = 0; u < jet->names->count; u++)
        if (m->name[k][u] >= 0)
            m->positive[m->name[k][u]] |= darc_model_is_positive(model, u);
done:
    DARC_EACH_IN(darc_dpolys_clear, jet, eq, ineq);
    darc_jet_clear(jet);
    return status;
}

static void list_nonzero(darc_matching *m)
{
    darc_dpoly_t p;
    darc_dpoly_init(p, m->jet);
    for (slong v = 0; v < m->jet->vars; v++) {
        fmpz_mpoly_gen(p, v, m->jet->ctx);
        m->nonzero[v] =
            m->positive[v] || darc_dpolys_contains(m->ineq, p, m->jet);
        if (m->positive[v] && !darc_dpolys_contains(m->ineq, p, m->jet))
            darc_dpolys_append(m->ineq, p, m->jet);
    }
    darc_dpoly_clear(p, m->jet);
    m->sign = (darc_signs){m->jet->ctx, m->free, m->nonzero, m->positive};
}

/* The solutions of a model in solved form are the graph of a function, over
 * all values of the parameters where no divisor vanishes: what holds of most
 * of them, as an io-equation does, holds of all. */
static void make_sure(const matcher *w)
{
    const darc_model *model = w->of[0]->model;
    darc_matching *m = w->m;
    darc_solved_t s;
    m->sure = false;
    if (darc_solved_init(s, model, NULL) != DARC_OK)
        return;
    m->sure = !w->of[1]->io->linked;
    darc_dpolys_t divisor = {{0}};
    for (slong i = 0; i < s->inequations->count && m->sure; i++)
        if (darc_dpoly_is_constant(s->inequations->p + i, s->jet))
            m->sure = append_condition(divisor, s->inequations->p + i, w,
                                       s->jet, m->name[0], NULL) == DARC_OK;
    for (slong i = 0; i < divisor->count; i++) {
        /* a product of what must not vanish, or without zero by its signs */
        darc_cancel_factors(divisor->p + i, NULL, m->ineq, m->jet);
        m->sure &= fmpz_mpoly_is_fmpz(divisor->p + i, m->jet->ctx) ||
                   darc_signs_exclude(&m->sign, divisor->p + i, true);
    }
    darc_dpolys_clear(divisor, m->jet);
    darc_solved_clear(s);
}

/* Append the coefficients of p, by monomials of the signals, to f. */
static darc_status append_coefficients(const matcher *w, const darc_dpoly_t p,
                                       darc_err *err)
{
    darc_monomials g;
    darc_status status = DARC_OK;
    int *map = darc_calloc((size_t)w->names->count + 1, sizeof *map);
    for (int u = 0; u < w->names->count; u++)
        map[u] = u < w->signals ? -1 : u - w->signals;
    darc_monomials_init(&g, p, w->jet);
    for (slong i = 0; i < g.coeff->count && status == DARC_OK; i++)
        status = append_condition(w->m->f, g.coeff->p + i, w, w->jet, map, err);
    darc_monomials_clear(&g, w->jet);
    darc_free(map);
    return status;
}

/* Reduce the equations of the model by those of the target. */
static darc_status match(matcher *w, const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_ritt_options how = {.budget = budget};
    darc_dpoly_t p;
    for (int k = 1; k >= 0; k--) {
        const darc_ioeqs_struct *io = w->of[k]->io;
        for (int i = 0; i < io->count && status == DARC_OK; i++) {
            darc_dpoly_init(p, w->jet);
            status = darc_dpoly_map(p, w->jet, io->eq[i].poly, io->jet,
                                    w->map[k], err);
            if (status == DARC_OK && k == 1)
                darc_autored_insert(w->target, p, w->jet);
            else if (status == DARC_OK)
                status = darc_ritt_reduce(p, p, w->target, &how, w->jet, err);
            if (status == DARC_OK && k == 0 &&
                !fmpz_mpoly_is_zero(p, w->jet->ctx))
                status = append_coefficients(w, p, err);
            w->m->dropped += (k == 0 ? 1 : -1) * io->eq[i].leader.order;
            darc_dpoly_clear(p, w->jet);
        }
    }
    return status;
}

/* Is there one equation, linear in the signals? */
static bool is_one_linear(const darc_ioeqs_t io)
{
    for (slong i = 0; i < io->eq[0].part->count; i++)
        if (io->count > 1 ||
            fmpz_mpoly_total_degree_si(io->eq[0].part->p + i, io->jet->ctx) > 1)
            return false;
    return true;
}

/* Set q (initialised, empty) to the quotient of sum a_i s^i by sum b_i s^i,
 * times a power of the last b_i; a is overwritten. */
static void divide_series(darc_dpolys_t q, darc_dpolys_t a,
                          const darc_dpolys_t b, const darc_jet_t jet)
{
    slong n = b->count - 1;
    darc_dpoly_t t;
    darc_dpoly_init(t, jet);
    for (slong k = 0; k < a->count - n; k++)
        darc_dpolys_append(q, t, jet);
    for (slong k = q->count - 1; k >= 0; k--) {
        fmpz_mpoly_set(q->p + k, a->p + n + k, jet->ctx);
        for (slong i = 0; i < a->count; i++)
            fmpz_mpoly_mul(a->p + i, a->p + i, b->p + n, jet->ctx);
        for (slong i = 0; i <= n; i++) {
            fmpz_mpoly_mul(t, q->p + k, b->p + i, jet->ctx);
            fmpz_mpoly_sub(a->p + k + i, a->p + k + i, t, jet->ctx);
        }
        for (slong i = k + 1; i < q->count; i++)
            fmpz_mpoly_mul(q->p + i, q->p + i, b->p + n, jet->ctx);
    }
    darc_dpoly_clear(t, jet);
}

/* Find the modes that cancel; the highest coefficient of the model's output may
 * not vanish with the others. */
static darc_status find_modes(const matcher *w, darc_err *err)
{
    darc_matching *m = w->m;
    darc_status status = DARC_OK;
    darc_dpolys_t c[2] = {{{0}}, {{0}}};
    for (int k = 0; k < 2; k++) { /* of the output, its derivative and so on */
        const darc_ioeq *eq = w->of[k]->io->eq;
        const darc_jet_struct *jet = w->of[k]->io->jet;
        darc_deriv d = {eq->leader.unknown, 0};
        darc_dpoly_t p, q;
        darc_dpoly_init(p, jet);
        darc_dpoly_init(q, m->jet);
        int highest = darc_dpoly_order(eq->poly, d.unknown, jet);
        for (; d.order <= highest && status == DARC_OK; d.order++) {
            darc_dpoly_coeff(p, eq->poly, darc_jet_var(jet, d), 1, jet);
            status = darc_dpoly_map(q, m->jet, p, jet, m->name[k], err);
            darc_dpolys_append(c[k], q, m->jet);
        }
        darc_dpoly_clear(p, jet);
        darc_dpoly_clear(q, m->jet);
        DARC_TRY(status);
    }
    darc_dpolys_append(m->ineq, c[0]->p + c[0]->count - 1, m->jet);
    if (m->dropped > 0)
        divide_series(m->mode, c[0], c[1], m->jet);
done:
    DARC_EACH_IN(darc_dpolys_clear, m->jet, c[0], c[1]);
    return status;
}

/* Do the io-equations tell all of the signals?  Functions of states and
 * parameters obey more. */
static bool is_whole(const darc_matching_side *of)
{
    bool whole = !of->io->linked;
    for (int i = 0; i < darc_adjoined_count(of->model); i++) {
        int u = darc_adjoined_unknown(of->model, i);
        whole &= is_signal_kind(darc_model_names(of->model)->symbol[u].kind);
    }
    return whole;
}

static darc_status put_coefficients(matcher *w, const darc_budget *budget,
                                    darc_err *err)
{
    darc_matching *m = w->m;
    size_t n = (size_t)w->parameters->count;
    DARC_CALLOC(n, m->positive, m->nonzero);
    DARC_NEED(list_conditions(w, 0, err));
    DARC_NEED(list_conditions(w, 1, err));
    list_nonzero(m);
    make_sure(w);
    m->whole = is_whole(w->of[0]) && is_whole(w->of[1]);
    DARC_NEED(match(w, budget, err));
    for (int i = 0; i < w->signals; i++)
        m->driven |= w->names->symbol[i].kind == DARC_INPUT;
    m->linear = is_one_linear(w->of[0]->io) && is_one_linear(w->of[1]->io);
    if (m->linear)
        DARC_NEED(find_modes(w, err));
    return DARC_OK;
}

darc_status darc_matching_init(darc_matching *m,
                               const darc_matching_side *model,
                               const darc_matching_side *target,
                               const darc_budget *budget, darc_err *err)
{
    matcher w = {.m = m, .of = {model, target}};
    *m = (darc_matching){.dropped = 0};
    DARC_NEED(compare_signals(&w, err));
    init_names(&w);
    init_frames(&w);
    darc_autored_init(w.target, w.jet);
    darc_status status = put_coefficients(&w, budget, err);
    darc_autored_clear(w.target, w.jet);
    darc_jet_clear(w.jet);
    DARC_EACH(darc_names_clear, w.names, w.parameters);
    DARC_FREE(w.map[0], w.map[1]);
    if (status != DARC_OK)
        darc_matching_clear(m);
    return status;
}

void darc_matching_clear(darc_matching *m)
{
    DARC_EACH_IN(darc_dpolys_clear, m->jet, m->f, m->ineq, m->mode);
    DARC_FREE(m->positive, m->nonzero, m->name[0], m->name[1]);
    darc_jet_clear(m->jet);
}
