#include "projection/dae.h"

#include "base/assignment.h"
#include "base/mem.h"

/* The smallest c and d with d_j - c_i >= order, equal where matched. */
static void set_offsets(darc_dae_t x, const int *column)
{
    int n = x->count;
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int order = x->order[i * n + j];
                if (order >= 0 && x->highest[j] < order + x->times[i])
                    x->highest[j] = order + x->times[i];
            }
        for (int i = 0; i < n; i++) {
            int c = x->highest[column[i]] - x->order[i * n + column[i]];
            moved = moved || c > x->times[i];
            x->times[i] = c;
        }
    }
    for (int k = 0; k < n; k++) {
        x->free += x->highest[k] - x->times[k];
        if (-x->highest[k] < x->first)
            x->first = -x->highest[k];
    }
}

darc_status darc_dae_model(darc_model **out, const darc_model *model,
                           darc_err *err)
{
    darc_model *chained = NULL;
    DARC_NEED(darc_model_refuse_late(model, "simulations of it", err));
    DARC_NEED(darc_model_chained(&chained, model, 1, err));
    darc_model_free(chained);
    return chained != NULL
               ? darc_fail(err, DARC_DOMAIN, "the model has unknown inputs")
               : darc_model_bound(out, model, err);
}

darc_status darc_dae_init(darc_dae_t x, const darc_model *model, darc_err *err)
{
    darc_status status;
    const darc_names_struct *names = darc_model_names(model);
    int *column = NULL;
    *x = (darc_dae_struct){.model = model};
    darc_model_frame(x->jet, model, NULL);
    x->unknown = darc_calloc((size_t)names->count + 1, sizeof(int));
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_STATE ||
            names->symbol[u].kind == DARC_OUTPUT)
            x->unknown[x->count++] = u;
    DARC_TRY(darc_model_equations(x->eq, x->ineq, model, x->jet, err));
    if (x->eq->count != x->count)
        DARC_TRY(darc_fail(err, DARC_DOMAIN, "%ld equations for %d unknowns",
                           (long)x->eq->count, x->count));
    size_t n = (size_t)x->count;
    x->order = darc_calloc(n * n + 1, sizeof *x->order);
    DARC_CALLOC(n + 1, x->times, x->highest, column);
    for (int i = 0; i < x->count; i++)
        for (int j = 0; j < x->count; j++)
            x->order[i * x->count + j] =
                darc_dpoly_order(x->eq->p + i, x->unknown[j], x->jet);
    if (!darc_assign(column, x->order, x->count, x->count))
        DARC_TRY(darc_fail(err, DARC_DOMAIN,
                           "some equations hold fewer unknowns than they are"));
    set_offsets(x, column);
    for (int i = 0; i < x->count; i++)
        for (int u = 0; u < names->count; u++) {
            int more = darc_dpoly_order(x->eq->p + i, u, x->jet) + x->times[i] +
                       x->first;
            if (names->symbol[u].kind == DARC_INPUT && x->beyond < more)
                x->beyond = more;
        }
done:
    darc_free(column);
    if (status != DARC_OK)
        darc_dae_clear(x);
    return status;
}

void darc_dae_clear(darc_dae_t x)
{
    DARC_EACH_IN(darc_dpolys_clear, x->jet, x->eq, x->ineq);
    darc_jet_clear(x->jet);
    DARC_FREE(x->unknown, x->order, x->times, x->highest);
}

/* Return the function that is the twin of function i of the model, -1: none.
 * As states twins are adjoined together, sin before cos; of measured signals
 * and of parameters each stands alone. */
static int twin_of(const darc_dae_t x, int i)
{
    const darc_expr *call = darc_adjoined_expr(x->model, i);
    int u = darc_adjoined_unknown(x->model, i);
    if (call->kind != DARC_EXPR_CALL ||
        x->jet->names->symbol[u].kind != DARC_STATE ||
        (x->apart != NULL && x->apart[u]))
        return -1;
    bool second = call->function == DARC_FUNCTION_COS ||
                  call->function == DARC_FUNCTION_COSH;
    bool first = call->function == DARC_FUNCTION_SIN ||
                 call->function == DARC_FUNCTION_SINH;
    return first ? i + 1 : second ? i - 1 : -1;
}

const ulong *darc_dae_twin(const darc_dae_t x, int i, const darc_solution_t s)
{
    int twin = twin_of(x, i);
    return twin < 0
               ? NULL
               : s->value + darc_adjoined_unknown(x->model, twin) * s->stride;
}

bool darc_dae_bond(darc_dpoly_t p, const darc_dae_t x, int i)
{
    const fmpz_mpoly_ctx_struct *ctx = x->jet->ctx;
    int twin = twin_of(x, i);
    if (twin != i + 1)
        return false;
    darc_dpoly_t q;
    darc_dpoly_init(q, x->jet);
    bool circle =
        darc_adjoined_expr(x->model, i)->function == DARC_FUNCTION_SIN;
    darc_dpoly_set_deriv(p, (darc_deriv){darc_adjoined_unknown(x->model, i), 0},
                         x->jet);
    darc_dpoly_set_deriv(
        q, (darc_deriv){darc_adjoined_unknown(x->model, twin), 0}, x->jet);
    fmpz_mpoly_mul(p, p, p, ctx);
    fmpz_mpoly_mul(q, q, q, ctx);
    if (circle)
        fmpz_mpoly_add(p, q, p, ctx);
    else
        fmpz_mpoly_sub(p, q, p, ctx);
    fmpz_mpoly_sub_ui(p, p, 1, ctx);
    darc_dpoly_clear(q, x->jet);
    return true;
}

/* ---- points -------------------------------------------------------------- */

/* A polynomial whose derivative of order `by` is to vanish at a stage. */
typedef struct {
    const darc_dpoly_struct *poly;
    int by;
    slong last; /* >= 0: solved for that variable of the list, last */
} condition;

typedef struct {
    const darc_dae_struct *x;
    darc_solution_struct *s;
    bool choose;        /* parameters, too, not inputs alone */
    bool bind;          /* twins by conditions; else they are drawn so */
    darc_dpolys_t bond; /* of twins: s^2 + c^2 - 1; none where drawn */
    int *bound;         /* of bond k: a function; owned */
    bool *drawn;        /* of unknown u; owned */
    /* one stage: */
    int stage;
    condition *row; /* owned */
    slong rows;
    darc_deriv *var; /* what may be solved for, in a random order; owned */
    bool *taken;     /* by a row as its last; owned */
    slong vars;
} searching;

static ulong *value_of(const searching *w, darc_deriv d)
{
    return w->s->value + d.unknown * w->s->stride + d.order;
}

static ulong residual(const condition *r, const searching *w)
{
    ulong *out = darc_calloc((size_t)r->by + 1, sizeof *out);
    darc_solution_derivatives(out, r->by + 1, r->poly, w->x->jet, w->s);
    ulong value = out[r->by];
    darc_free(out);
    return value;
}

/* The derivative of variable v that counts in a row: as high as its derivative
 * is, less those of the row. */
static slong variable_in(const condition *r, darc_deriv v, const searching *w)
{
    v.order -= r->by;
    return v.order < 0 ? -1 : darc_jet_var(w->x->jet, v);
}

static bool row_holds(const condition *r, slong k, const searching *w)
{
    slong v = variable_in(r, w->var[k], w);
    return v >= 0 && darc_dpoly_degree(r->poly, v, w->x->jet) > 0;
}

static void list_stage(searching *w, flint_rand_t rand)
{
    const darc_dae_struct *x = w->x;
    const darc_names_struct *names = x->jet->names;
    w->rows = w->vars = 0;
    for (int i = 0; i < x->count; i++)
        if (w->stage + x->times[i] >= 0)
            w->row[w->rows++] =
                (condition){x->eq->p + i, w->stage + x->times[i], -1};
    for (int j = 0; j < x->count; j++) {
        darc_deriv d = {x->unknown[j], w->stage + x->highest[j]};
        if (d.order > 0 || (d.order == 0 && !w->drawn[d.unknown]))
            w->var[w->vars++] = d;
        for (slong k = 0; k < w->bond->count && d.order == 0; k++)
            if (w->bound[k] == d.unknown)
                w->row[w->rows++] = (condition){w->bond->p + k, 0, -1};
    }
    for (int u = 0; u < names->count && w->stage == x->first; u++)
        if ((names->symbol[u].kind == DARC_PARAMETER && w->choose) ||
            names->symbol[u].kind == DARC_INPUT)
            w->var[w->vars++] = (darc_deriv){u, 0};
    for (slong k = w->vars - 1; k > 0; k--) {
        slong other = (slong)n_randint(rand, (ulong)k + 1);
        DARC_SWAP(darc_deriv, w->var[k], w->var[other]);
    }
    DARC_FILL(w->taken, w->vars, false);
}

/* Find a row with a variable that no other row, but for those set aside,
 * holds, and set it aside; return whether there was one. */
static bool set_aside(searching *w, slong *order, slong aside)
{
    for (slong k = 0; k < w->vars; k++) {
        slong only = -1, count = 0;
        for (slong i = 0; i < w->rows && !w->taken[k]; i++)
            if (w->row[i].last < 0 && row_holds(w->row + i, k, w)) {
                only = i;
                count++;
            }
        if (count != 1 || w->row[only].by > 0)
            continue;
        w->row[only].last = k;
        w->taken[k] = true;
        order[aside] = only;
        return true;
    }
    return false;
}

/* One step of Newton in the first variables that will do: it is exact where the
 * rows are linear in these together.  Return whether all of them vanish. */
static bool newton_step(searching *w)
{
    const darc_jet_struct *jet = w->x->jet;
    nmod_mat_t a;
    ulong *at = darc_calloc(2 * (size_t)jet->vars, sizeof *at);
    ulong *by = at + jet->vars;
    bool ok = true;
    nmod_mat_init(a, w->rows, w->vars + 1, w->s->mod.n);
    darc_solution_values(at, w->s, jet);
    for (slong i = 0; i < w->rows; i++) {
        const condition *r = w->row + i;
        if (r->last >= 0)
            continue;
        darc_finite_gradient(by, r->poly, at, w->s->mod, jet->ctx);
        for (slong k = 0; k < w->vars; k++)
            if (!w->taken[k] && row_holds(r, k, w))
                nmod_mat_entry(a, i, k) = by[variable_in(r, w->var[k], w)];
        nmod_mat_entry(a, i, w->vars) = residual(r, w);
    }
    slong rank = nmod_mat_rref(a);
    for (slong i = 0; i < rank && ok; i++) {
        slong k = 0;
        while (k < w->vars && nmod_mat_entry(a, i, k) == 0)
            k++;
        ok = k < w->vars;
        if (!ok)
            break;
        ulong *v = value_of(w, w->var[k]);
        *v = nmod_sub(*v, nmod_mat_entry(a, i, w->vars), w->s->mod);
    }
    for (slong i = 0; i < w->rows && ok; i++)
        ok = w->row[i].last >= 0 || residual(w->row + i, w) == 0;
    nmod_mat_clear(a);
    darc_free(at);
    return ok;
}

/* Set the last variable of the row to a root; return whether there is one. */
static bool solve_last(const condition *r, searching *w, flint_rand_t rand)
{
    const darc_jet_struct *jet = w->x->jet;
    ulong *value = value_of(w, w->var[r->last]);
    slong v = variable_in(r, w->var[r->last], w);
    return darc_solution_root(value, r->poly, v, jet, w->s, rand);
}

static bool solve_stage(searching *w, flint_rand_t rand)
{
    list_stage(w, rand);
    slong aside = 0;
    slong *order = darc_calloc((size_t)w->rows + 1, sizeof *order);
    while (set_aside(w, order, aside))
        aside++;
    bool ok = newton_step(w);
    while (aside > 0 && ok)
        ok = solve_last(w->row + order[--aside], w, rand);
    darc_free(order);
    return ok;
}

/* Draw twins on their curve, or bind them. */
static void settle_twins(searching *w)
{
    const darc_dae_struct *x = w->x;
    nmod_t mod = w->s->mod;
    for (int i = 0; i < darc_adjoined_count(x->model); i++) {
        int twin = twin_of(x, i), u = darc_adjoined_unknown(x->model, i);
        if (twin != i + 1)
            continue;
        bool circle =
            darc_adjoined_expr(x->model, i)->function == DARC_FUNCTION_SIN;
        int v = darc_adjoined_unknown(x->model, twin);
        w->drawn[u] = w->drawn[v] = !w->bind;
        if (w->bind) {
            darc_dpoly_t p;
            darc_dpoly_init(p, x->jet);
            darc_dae_bond(p, x, i);
            w->bound[w->bond->count] = u;
            darc_dpolys_append(w->bond, p, x->jet);
            darc_dpoly_clear(p, x->jet);
            continue;
        }
        /* sin, cos: 2t/(1 + t^2), (1 - t^2)/(1 + t^2); sinh, cosh:
         * (t^2 - 1)/(2t), (t^2 + 1)/(2t) */
        ulong t = *value_of(w, (darc_deriv){u, 0});
        ulong square = nmod_mul(t, t, mod), twice = nmod_add(t, t, mod);
        ulong sum = nmod_add(1, square, mod);
        ulong less = nmod_sub(circle ? 1 : square, circle ? square : 1, mod);
        if (sum == 0 || twice == 0)
            continue;
        *value_of(w, (darc_deriv){u, 0}) =
            circle ? nmod_div(twice, sum, mod) : nmod_div(less, twice, mod);
        *value_of(w, (darc_deriv){v, 0}) =
            circle ? nmod_div(less, sum, mod) : nmod_div(sum, twice, mod);
    }
}

/* Return whether the highest derivatives are determined, and nothing vanishes
 * that must not. */
static bool is_regular(const searching *w)
{
    const darc_dae_struct *x = w->x;
    const darc_solution_struct *s = w->s;
    const darc_jet_struct *jet = x->jet;
    ulong *at = darc_calloc(2 * (size_t)jet->vars, sizeof *at);
    ulong *by = at + jet->vars;
    bool ok = true;
    nmod_mat_t a;
    nmod_mat_init(a, x->count, x->count, s->mod.n);
    darc_solution_values(at, s, jet);
    for (slong i = 0; i < x->ineq->count && ok; i++)
        ok = darc_finite_eval(x->ineq->p + i, at, s->mod, jet->ctx) != 0;
    for (slong k = 0; k < w->bond->count && ok; k++)
        ok = darc_finite_eval(w->bond->p + k, at, s->mod, jet->ctx) == 0;
    for (int i = 0; i < x->count; i++) {
        darc_finite_gradient(by, x->eq->p + i, at, s->mod, jet->ctx);
        for (int j = 0; j < x->count; j++) {
            darc_deriv d = {x->unknown[j], x->highest[j] - x->times[i]};
            slong v = d.order < 0 ? -1 : darc_jet_var(jet, d);
            if (v >= 0)
                nmod_mat_entry(a, i, j) = by[v];
        }
    }
    ok = ok && nmod_mat_rank(a) == x->count;
    nmod_mat_clear(a);
    darc_free(at);
    return ok;
}

bool darc_dae_point(darc_solution_t s, const darc_dae_t x, int last,
                    ulong prime, const ulong *param, flint_rand_t rand)
{
    enum { TRIALS = 60 };
    const darc_names_struct *names = x->jet->names;
    size_t n = (size_t)names->count;
    searching w = {.x = x, .s = s, .choose = param == NULL};
    DARC_CALLOC(n + 1, w.bound, w.drawn);
    DARC_CALLOC(2 * n + 1, w.row, w.var, w.taken);
    bool ok = false;
    for (int t = 0; t < TRIALS && !ok; t++) {
        slong length = last - x->first + 1 + x->beyond;
        if (t > 0)
            darc_solution_clear(s);
        darc_solution_init(s, names, length, prime, param, rand);
        darc_dpolys_clear(w.bond, x->jet);
        w.bind = t % 2 == 1;
        settle_twins(&w);
        ok = true;
        for (w.stage = x->first; w.stage <= last && ok; w.stage++)
            ok = solve_stage(&w, rand) && (w.stage != 0 || is_regular(&w));
    }
    if (!ok)
        darc_solution_clear(s);
    darc_dpolys_clear(w.bond, x->jet);
    DARC_FREE(w.bound, w.drawn, w.row, w.var, w.taken);
    return ok;
}
