/* engine_model.c - equations that hold no state, as they stand. */
#include "base/mem.h"
#include "eliminate/engine.h"
#include "syntax/expr.h"

#include <string.h>

/* ---- equations of the model, each irreducible ---------------------------- */

/* Return whether p is linear in a signal, with a number in front of it, and so
 * irreducible. */
static bool is_plain(const darc_dpoly_t p, const darc_jet_t jet)
{
    bool plain = false;
    darc_dpoly_t c;
    darc_dpoly_init(c, jet);
    for (slong v = 0; v < jet->vars && !plain; v++) {
        if (darc_jet_is_constant(jet, jet->deriv[v].unknown) ||
            darc_dpoly_degree(p, v, jet) != 1)
            continue;
        darc_dpoly_coeff(c, p, v, 1, jet);
        plain = fmpz_mpoly_is_fmpz(c, jet->ctx);
    }
    darc_dpoly_clear(c, jet);
    return plain;
}

/* Read the equations of model, states that equations give replaced; widen the
 * frame of out to their orders. */
static darc_status read_replaced(darc_dpolys_t eq, darc_dpolys_t ineq,
                                 darc_ioeqs_t out, const darc_model *model,
                                 const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_jet_t jet;
    darc_dpolys_t a = {{0}}, b = {{0}};
    size_t names = (size_t)out->jet->names->count;
    int *order = darc_malloc(names * sizeof *order);
    memcpy(order, out->jet->bound, names * sizeof *order);
    darc_jet_init(jet, out->jet->names, out->jet->ranking, out->jet->bound);
    DARC_TRY(darc_model_equations(a, b, model, jet, err));
    DARC_TRY(darc_engine_replace(a, b, jet, budget, err));
    darc_dpolys_orders(order, a, jet);
    darc_dpolys_orders(order, b, jet);
    darc_ioeqs_reframe(out, jet->names, jet->ranking, order);
    DARC_TRY(darc_dpolys_move(eq, out->jet, a, jet, err));
    DARC_TRY(darc_dpolys_move(ineq, out->jet, b, jet, err));
done:
    DARC_EACH_IN(darc_dpolys_clear, jet, a, b);
    darc_jet_clear(jet);
    darc_free(order);
    return status;
}

/* Append the equations of model, without factors in the parameters, and what
 * must not vanish, in the frame of out, which they may widen.
 * Fails: DARC_DOMAIN when one holds a state, or falls into factors, or what
 * must not vanish does. */
static darc_status read_equations(darc_dpolys_t eq, darc_dpolys_t ineq,
                                  darc_ioeqs_t out, const darc_model *model,
                                  const darc_budget *budget, darc_err *err)
{
    DARC_NEED(read_replaced(eq, ineq, out, model, budget, err));
    const darc_jet_struct *jet = out->jet;
    bool good = eq->count > 0;
    for (slong i = 0; i < eq->count; i++)
        good = good && !darc_engine_has_state(eq->p + i, jet);
    for (slong i = 0; i < ineq->count; i++)
        good = good && !fmpz_mpoly_is_zero(ineq->p + i, jet->ctx);
    darc_dpoly_t core;
    darc_dpoly_init(core, jet);
    for (slong i = 0; i < eq->count && good; i++) {
        if (is_plain(eq->p + i, jet))
            continue;
        good = darc_engine_core(core, eq->p + i, jet) == 1;
        fmpz_mpoly_swap(eq->p + i, core, jet->ctx);
    }
    darc_dpoly_clear(core, jet);
    return good ? DARC_OK
                : darc_fail(err, DARC_DOMAIN,
                            "the equations hold states or have factors");
}

/* Return whether a is reduced by b, of another leader: it holds the leader
 * of b in a lower degree and none of its derivatives. */
static bool is_reduced(const darc_dpoly_t a, const darc_dpoly_t b,
                       const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(b, jet);
    darc_deriv d = jet->deriv[v];
    int order = darc_dpoly_order(a, d.unknown, jet);
    return order < d.order ||
           (order == d.order &&
            darc_dpoly_degree(a, v, jet) < darc_dpoly_degree(b, v, jet));
}

darc_status darc_engine_model(darc_ioeqs_t out, const darc_model *model,
                              const darc_budget *budget, darc_err *err)
{
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_status status = darc_budget_check(budget, err);
    DARC_THEN(read_equations(eq, ineq, out, model, budget, err));
    const darc_jet_struct *jet = out->jet;
    DARC_TRY(status);
    for (slong i = 0; i < eq->count; i++)
        for (slong j = 0; j < eq->count; j++)
            if (i != j && !is_reduced(eq->p + i, eq->p + j, jet))
                DARC_TRY(darc_fail(err, DARC_DOMAIN,
                                   "the equations are not reduced by one "
                                   "another"));
    for (slong i = 0; i < eq->count; i++)
        darc_ioeqs_append(out, eq->p + i, "model");
    DARC_TRY(darc_engine_inequations(out, ineq, jet, err));
done:
    DARC_EACH_IN(darc_dpolys_clear, jet, eq, ineq);
    return status;
}

/* ---- equations that are linear in highest derivatives together ----------- */

/* n equations F = A z + b: z holds the highest derivative of an output each. */
typedef struct {
    const darc_model *model;
    const darc_jet_struct *jet;
    const darc_dpolys_struct *eq;
    slong n;
    slong *z;             /* variables; owned */
    darc_dpoly_struct *a; /* entries of A, by rows; owned */
    darc_dpoly_struct *b; /* owned */
    ulong *value;         /* of all variables, at a point; owned */
    darc_rng rng;
    nmod_t mod;
} coupled;

static void coupled_clear(coupled *c)
{
    DARC_ALL_IN(darc_dpoly_clear, c->jet, c->a, c->n * c->n);
    DARC_ALL_IN(darc_dpoly_clear, c->jet, c->b, c->n);
    DARC_FREE(c->a, c->b, c->z, c->value);
}

/* Draw a point that obeys the laws of derived signals; z is random yet. */
static bool draw(coupled *c)
{
    const darc_jet_struct *jet = c->jet;
    ulong *own = darc_malloc((size_t)jet->vars * sizeof *own);
    memcpy(own, c->value, (size_t)jet->vars * sizeof *own);
    bool good = darc_laws_point(c->value, c->model, jet, c->mod, &c->rng,
                                NULL) == DARC_OK;
    for (slong v = 0; v < jet->vars; v++) /* the parameters stay */
        if (darc_jet_is_constant(jet, jet->deriv[v].unknown))
            c->value[v] = own[v];
    darc_free(own);
    return good;
}

/* Return the highest order of u in the equations, -1: none. */
static int highest(const coupled *c, int u)
{
    int order = -1;
    for (slong i = 0; i < c->eq->count; i++) {
        int k = darc_dpoly_order(c->eq->p + i, u, c->jet);
        order = k > order ? k : order;
    }
    return order;
}

/* Return whether a derived signal in the equations is computed from the
 * derivative d, or a higher one. */
static bool is_computed_from(const darc_expr *e, darc_deriv d, int more)
{
    if (e->kind == DARC_EXPR_UNKNOWN && !e->constant)
        return e->unknown == d.unknown && e->order + more >= d.order;
    more += e->kind == DARC_EXPR_DERIVATIVE ? e->order : 0;
    for (int i = 0; i < e->count; i++)
        if (is_computed_from(e->child[i], d, more))
            return true;
    return false;
}

/* A derived signal may be made of others. */
static bool is_bound_by_laws(const coupled *c, darc_deriv d, int depth)
{
    const darc_names_struct *names = c->jet->names;
    bool bound = depth > names->count;
    for (int u = 0; u < names->count && !bound; u++) {
        const darc_expr *e = darc_derived_expr(c->model, u);
        int k = e != NULL ? c->jet->bound[u] : -1;
        if (k < 0 || !is_computed_from(e, d, k))
            continue;
        bound = highest(c, u) >= 0 ||
                is_bound_by_laws(c, (darc_deriv){u, 0}, depth + 1);
    }
    return bound;
}

/* Set column j of the matrix to the derivatives of the equations by v; return
 * whether all are linear in it. */
static bool take_column(nmod_mat_t m, slong j, slong v, const coupled *c)
{
    bool linear = true;
    darc_dpoly_t by;
    darc_dpoly_init(by, c->jet);
    for (slong i = 0; i < c->n && linear; i++) {
        linear = darc_dpoly_degree(c->eq->p + i, v, c->jet) <= 1;
        darc_dpoly_coeff(by, c->eq->p + i, v, 1, c->jet);
        nmod_mat_entry(m, i, j) =
            darc_finite_eval(by, c->value, c->mod, c->jet->ctx);
    }
    for (slong i = 0; i < c->n && !linear; i++)
        nmod_mat_entry(m, i, j) = 0;
    darc_dpoly_clear(by, c->jet);
    return linear;
}

/* Choose n highest derivatives of outputs in which the equations are linear and
 * that they determine at a random point: of the highest order first. */
static bool choose(coupled *c)
{
    const darc_names_struct *names = c->jet->names;
    slong columns = 0;
    slong *var = darc_calloc((size_t)names->count + 1, sizeof *var);
    for (slong v = 0; v < c->jet->vars; v++) { /* highest rank first */
        darc_deriv d = c->jet->deriv[v];
        if (names->symbol[d.unknown].kind == DARC_OUTPUT &&
            highest(c, d.unknown) == d.order && !is_bound_by_laws(c, d, 0))
            var[columns++] = v;
    }
    nmod_mat_t m;
    nmod_mat_init(m, c->n, columns, c->mod.n);
    for (slong j = 0; j < columns; j++)
        take_column(m, j, var[j], c);
    bool good = nmod_mat_rref(m) == c->n;
    for (slong i = 0; i < c->n && good; i++) {
        slong j = i;
        while (nmod_mat_entry(m, i, j) == 0)
            j++;
        c->z[i] = var[j];
    }
    nmod_mat_clear(m);
    darc_free(var);
    return good;
}

/* Set A and b; return whether the equations are linear in all z together. */
static bool divide(coupled *c)
{
    bool linear = true;
    for (slong i = 0; i < c->n; i++) {
        darc_dpoly_struct *b = c->b + i;
        fmpz_mpoly_set(b, c->eq->p + i, c->jet->ctx);
        for (slong j = 0; j < c->n; j++) {
            darc_dpoly_struct *a = c->a + i * c->n + j;
            darc_dpoly_coeff(a, c->eq->p + i, c->z[j], 1, c->jet);
            darc_dpoly_coeff(b, b, c->z[j], 0, c->jet);
            for (slong k = 0; k < c->n; k++)
                linear = linear && darc_dpoly_degree(a, c->z[k], c->jet) <= 0;
        }
    }
    return linear;
}

/* Give z the values that solve the equations at the point; return whether they
 * are determined. */
static bool solve_highest(coupled *c)
{
    nmod_mat_t a, b;
    nmod_mat_init(a, c->n, c->n, c->mod.n);
    nmod_mat_init(b, c->n, 1, c->mod.n);
    for (slong i = 0; i < c->n; i++) {
        for (slong j = 0; j < c->n; j++)
            nmod_mat_entry(a, i, j) = darc_finite_eval(
                c->a + i * c->n + j, c->value, c->mod, c->jet->ctx);
        nmod_mat_entry(b, i, 0) = nmod_neg(
            darc_finite_eval(c->b + i, c->value, c->mod, c->jet->ctx), c->mod);
    }
    bool good = nmod_mat_solve(b, a, b) != 0;
    for (slong i = 0; i < c->n && good; i++)
        c->value[c->z[i]] = nmod_mat_entry(b, i, 0);
    DARC_EACH(nmod_mat_clear, a, b);
    return good;
}

/* Return whether the parts of every equation obey no relation but the equation
 * itself, at random solutions with the same parameters. */
static bool are_telling(coupled *c, const darc_ioeqs_t io)
{
    slong most = 0;
    nmod_mat_t *m = darc_calloc((size_t)io->count, sizeof *m);
    for (int e = 0; e < io->count; e++)
        most = FLINT_MAX(most, io->eq[e].part->count);
    most += DARC_DEPENDENCE_SPARE;
    for (int e = 0; e < io->count; e++)
        nmod_mat_init(m[e], most, io->eq[e].part->count, c->mod.n);
    bool good = true;
    for (slong i = 0; i < most && good; i++) {
        good = draw(c) && solve_highest(c);
        for (int e = 0; e < io->count && good; e++)
            for (slong k = 0; k < m[e]->c; k++)
                nmod_mat_entry(m[e], i, k) = darc_finite_eval(
                    io->eq[e].part->p + k, c->value, c->mod, io->jet->ctx);
    }
    for (int e = 0; e < io->count; e++) {
        good = good && nmod_mat_rank(m[e]) == m[e]->c - 1;
        nmod_mat_clear(m[e]);
    }
    darc_free(m);
    return good;
}

/* Give every equation one of the z as leader, itself included where it can be:
 * a perfect matching, by augmenting paths. */
static bool match(slong *of, slong i, bool *seen, const coupled *c)
{
    for (slong k = 0; k < c->n; k++) {
        slong j = (i + k) % c->n;
        if (seen[j] || fmpz_mpoly_is_zero(c->a + i * c->n + j, c->jet->ctx))
            continue;
        seen[j] = true;
        if (of[j] < 0 || match(of, of[j], seen, c)) {
            of[j] = i;
            return true;
        }
    }
    return false;
}

static void append_led(darc_ioeqs_t out, const coupled *c)
{
    slong *of = darc_calloc((size_t)c->n, sizeof *of);
    bool *seen = darc_calloc((size_t)c->n, sizeof *seen);
    DARC_FILL(of, c->n, -1);
    for (slong i = 0; i < c->n; i++) {
        memset(seen, 0, (size_t)c->n * sizeof *seen);
        match(of, i, seen, c);
    }
    for (slong j = 0; j < c->n; j++)
        darc_ioeqs_append_led(out, c->eq->p + of[j], c->z[j], "model");
    DARC_FREE(of, seen);
}

static bool coupled_init(coupled *c, const darc_model *model,
                         const darc_dpolys_t eq, const darc_jet_t jet)
{
    slong n = eq->count;
    *c = (coupled){.model = model, .jet = jet, .eq = eq, .n = n};
    c->z = darc_calloc((size_t)n, sizeof *c->z);
    c->a = darc_calloc((size_t)(n * n), sizeof *c->a);
    c->b = darc_calloc((size_t)n, sizeof *c->b);
    c->value = darc_calloc((size_t)jet->vars, sizeof *c->value);
    DARC_ALL_IN(darc_dpoly_init, jet, c->a, n * n);
    DARC_ALL_IN(darc_dpoly_init, jet, c->b, n);
    if (darc_laws_field(&c->mod, model, jet, &c->rng, NULL) != DARC_OK)
        return false;
    for (slong v = 0; v < jet->vars; v++) /* those of parameters stay */
        c->value[v] = darc_rng_residue(&c->rng, c->mod);
    return draw(c) && choose(c) && divide(c) && solve_highest(c);
}

darc_status darc_engine_coupled(darc_ioeqs_t out, const darc_model *model,
                                const darc_budget *budget, darc_err *err)
{
    coupled c = {.n = 0};
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_status status = darc_budget_check(budget, err);
    DARC_THEN(read_equations(eq, ineq, out, model, budget, err));
    const darc_jet_struct *jet = out->jet;
    DARC_TRY(status);
    status = DARC_DOMAIN;
    if (coupled_init(&c, model, eq, jet)) {
        append_led(out, &c);
        out->coupled = true;
        status = darc_ioeqs_make_independent(out, model, budget, err);
        if (status == DARC_OK && !(out->count == c.n && are_telling(&c, out)))
            status = DARC_DOMAIN;
        DARC_THEN(darc_engine_inequations(out, ineq, jet, err));
        if (status != DARC_OK)
            darc_ioeqs_drop(out);
    }
    if (status == DARC_DOMAIN)
        darc_fail(err, status,
                  "the equations, as they stand, are not linear in highest "
                  "derivatives, or say the same twice");
done:
    coupled_clear(&c);
    DARC_EACH_IN(darc_dpolys_clear, jet, eq, ineq);
    return status;
}
