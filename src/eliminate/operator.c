#include "eliminate/engine.h"

#include "base/mem.h"

#include <string.h>

/* Variable 0 of the ring of the entries is s. */
typedef struct {
    const darc_names_struct *names;
    darc_jet_t jet;  /* with the orders of the model */
    slong *column;   /* of unknown u, a state; owned */
    slong *variable; /* of unknown u, a constant, in the ring; owned */
    slong columns, vars;
    fmpz_mpoly_ctx_t ctx;
    darc_polymat A;
    darc_dpolys_t g;
    fmpz_mpoly_struct *w; /* the kernel: one entry an equation; owned */
    const darc_budget *budget;
} operators;

/* ---- A and g ------------------------------------------------------------ */

/* Set to, exponents in the ring, to those of a term; return the column of the
 * state in it, -1 if there is none, -2 if the term is not linear. */
static slong read_term(ulong *to, const ulong *exp, const operators *o)
{
    slong column = -1;
    bool signal = false;
    memset(to, 0, (size_t)o->vars * sizeof *to);
    for (slong v = 0; v < o->jet->vars; v++) {
        darc_deriv d = o->jet->deriv[v];
        if (exp[v] == 0)
            continue;
        if (o->variable[d.unknown] >= 0) {
            to[o->variable[d.unknown]] = exp[v];
        } else if (o->column[d.unknown] < 0) {
            signal = true;
        } else {
            if (column >= 0 || exp[v] > 1)
                return -2;
            column = o->column[d.unknown];
            to[0] = (ulong)d.order;
        }
    }
    return column >= 0 && signal ? -2 : column;
}

/* Enter equation i; return whether it is linear in the states. */
static bool read_equation(operators *o, const darc_dpoly_t p, slong i)
{
    const fmpz_mpoly_ctx_struct *ctx = o->jet->ctx;
    ulong *exp = darc_calloc((size_t)o->jet->vars, sizeof *exp);
    ulong *to = darc_calloc((size_t)o->vars, sizeof *to);
    darc_dpoly_t g;
    darc_dpoly_init(g, o->jet);
    bool linear = true;
    for (slong t = 0; t < p->length && linear; t++) {
        fmpz_mpoly_get_term_exp_ui(exp, p, t, ctx);
        slong k = read_term(to, exp, o);
        linear = k > -2;
        if (k >= 0)
            fmpz_mpoly_push_term_fmpz_ui(darc_polymat_entry(&o->A, i, k),
                                         p->coeffs + t, to, o->ctx);
        else
            fmpz_mpoly_push_term_fmpz_ui(g, p->coeffs + t, exp, ctx);
    }
    for (slong k = 0; k < o->columns; k++) {
        fmpz_mpoly_sort_terms(darc_polymat_entry(&o->A, i, k), o->ctx);
        fmpz_mpoly_combine_like_terms(darc_polymat_entry(&o->A, i, k), o->ctx);
    }
    darc_dpolys_append_take(o->g, g, o->jet);
    darc_dpoly_clear(g, o->jet);
    DARC_FREE(exp, to);
    return linear;
}

static darc_status read_model(operators *o, const darc_model *model,
                              darc_err *err)
{
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_status status = darc_model_equations(eq, ineq, model, o->jet, err);
    bool fits =
        status == DARC_OK && eq->count == o->columns + 1 && o->columns > 0;
    darc_polymat_init(&o->A, fits ? eq->count : 0, o->columns, o->ctx);
    for (slong i = 0; fits && i < eq->count; i++)
        fits = read_equation(o, eq->p + i, i);
    if (status == DARC_OK && !fits)
        status = darc_fail(err, DARC_DOMAIN,
                           "the model is not linear in its states with "
                           "constant coefficients, or has not one equation "
                           "more than states");
    DARC_EACH_IN(darc_dpolys_clear, o->jet, eq, ineq);
    return status;
}

/* ---- w(d/dt) g ---------------------------------------------------------- */

/* Set c, in frame jet, to the coefficient of s^k in f, whose terms from *t on
 * have at most that degree; *t is moved behind them. */
static void coefficient(darc_dpoly_t c, slong *t, ulong k,
                        const fmpz_mpoly_struct *f, const darc_jet_t jet,
                        const operators *o)
{
    ulong *exp = darc_calloc((size_t)o->vars, sizeof *exp);
    ulong *to = darc_calloc((size_t)jet->vars, sizeof *to);
    fmpz_mpoly_zero(c, jet->ctx);
    for (; *t < f->length; ++*t) {
        fmpz_mpoly_get_term_exp_ui(exp, f, *t, o->ctx);
        if (exp[0] < k)
            break;
        for (int u = 0; u < o->names->count; u++)
            if (o->variable[u] >= 0)
                to[darc_jet_var(jet, (darc_deriv){u, 0})] = exp[o->variable[u]];
        fmpz_mpoly_push_term_fmpz_ui(c, f->coeffs + *t, to, jet->ctx);
    }
    fmpz_mpoly_sort_terms(c, jet->ctx);
    DARC_FREE(exp, to);
}

/* Append the terms of w_i(d/dt) g_i by powers, highest first. */
static darc_status append_row(darc_dpolys_t terms, slong i,
                              const darc_jet_t jet, const operators *o,
                              darc_err *err)
{
    const fmpz_mpoly_struct *f = o->w + i;
    slong top = f->length > 0 ? fmpz_mpoly_degree_si(f, 0, o->ctx) : -1, t = 0;
    darc_dpoly_t c, d;
    darc_status status = DARC_OK;
    darc_dpoly_inits(jet->ctx, c, d, NULL);
    for (slong k = top; k >= 0; k--) {
        coefficient(c, &t, (ulong)k, f, jet, o);
        if (fmpz_mpoly_is_zero(c, jet->ctx))
            continue;
        DARC_TRY(darc_budget_check(o->budget, err));
        DARC_TRY(darc_dpoly_move(d, jet, o->g->p + i, o->jet, err));
        DARC_TRY(darc_dpoly_diff_n(d, d, (int)k, jet, err));
        fmpz_mpoly_mul(d, d, c, jet->ctx);
        darc_dpolys_append_take(terms, d, jet);
    }
done:
    darc_dpoly_clears(jet->ctx, c, d, NULL);
    return status;
}

/* Set q to the sum of p, which becomes 0, by halves: every term is moved as
 * often as p can be halved. */
static void add_up(darc_dpoly_t q, darc_dpolys_t p, const darc_jet_t jet)
{
    for (slong n = p->count; n > 1; n = (n + 1) / 2)
        for (slong i = 0; i < n / 2; i++) {
            darc_dpoly_struct *to = p->p + i, *from = p->p + n - 1 - i;
            fmpz_mpoly_add(to, to, from, jet->ctx);
            darc_dpoly_clear(from, jet); /* gives the memory back */
            darc_dpoly_init(from, jet);
        }
    if (p->count > 0)
        fmpz_mpoly_swap(q, p->p, jet->ctx);
}

/* Set frame to that of the model with room for the derivatives of g. */
static void widen(darc_jet_t frame, const operators *o)
{
    int *bound = darc_calloc((size_t)o->names->count, sizeof *bound);
    slong room = 0;
    for (slong i = 0; i <= o->columns; i++) {
        slong k =
            o->w[i].length > 0 ? fmpz_mpoly_degree_si(o->w + i, 0, o->ctx) : 0;
        room = k > room ? k : room;
    }
    for (int u = 0; u < o->names->count; u++)
        bound[u] = o->jet->bound[u] + (o->column[u] < 0 ? (int)room : 0);
    darc_jet_init(frame, o->names, o->jet->ranking, bound);
    darc_free(bound);
}

/* ---- factors ------------------------------------------------------------ */

/* Divide q by its factor in the constants. */
static darc_status divide_by_content(darc_dpoly_t q, const darc_jet_t jet,
                                     darc_err *err)
{
    slong n = 0;
    slong *signal = darc_calloc((size_t)jet->vars, sizeof *signal);
    for (slong v = 0; v < jet->vars; v++)
        if (!darc_jet_is_constant(jet, jet->deriv[v].unknown))
            signal[n++] = v;
    darc_dpoly_t g;
    darc_dpoly_init(g, jet);
    darc_status status = DARC_OK;
    if (!fmpz_mpoly_content_vars(g, q, signal, n, jet->ctx))
        status = darc_fail(err, DARC_LIMIT, "a gcd is out of reach");
    else if (!fmpz_mpoly_divides(q, q, g, jet->ctx))
        status = darc_fail(err, DARC_INTERNAL, "a content does not divide");
    darc_dpoly_clear(g, jet);
    darc_free(signal);
    return status;
}

static darc_status relation(darc_dpoly_t q, bool *certain, const darc_jet_t jet,
                            operators *o, darc_err *err)
{
    darc_status status;
    darc_jet_t wide;
    darc_dpoly_t p;
    darc_dpolys_t terms = {{0}};
    size_t rows = (size_t)o->columns + 1;
    o->w = darc_calloc(rows, sizeof *o->w);
    DARC_ALL_IN(fmpz_mpoly_init, o->ctx, o->w, rows);
    DARC_NEED(darc_polymat_kernel(o->w, &o->A, o->ctx, o->budget, err));
    widen(wide, o);
    darc_dpoly_init(p, wide);
    for (slong i = 0; i <= o->columns; i++)
        DARC_TRY(append_row(terms, i, wide, o, err));
    add_up(p, terms, wide);
    if (darc_dpoly_is_constant(p, wide))
        DARC_TRY(darc_fail(err, DARC_DOMAIN, "the signals cancel"));
    DARC_TRY(divide_by_content(p, wide, err));
    /* Irreducible is q, free of factors in the constants, if it has a
     * derivative in degree one with a coefficient of constants alone: a factor
     * that does not hold the derivative divides that coefficient, and is
     * constant. */
    bool found = false;
    darc_dpoly_t c;
    darc_dpoly_init(c, wide);
    for (slong v = 0; v < wide->vars && !found; v++) {
        if (darc_jet_is_constant(wide, wide->deriv[v].unknown) ||
            darc_dpoly_degree(p, v, wide) != 1)
            continue;
        darc_dpoly_coeff(c, p, v, 1, wide);
        found = darc_dpoly_is_constant(c, wide);
    }
    darc_dpoly_clear(c, wide);
    *certain = found;
    if (darc_dpoly_move(q, jet, p, wide, NULL) != DARC_OK)
        DARC_TRY(darc_fail(err, DARC_DOMAIN, "a relation of higher order"));
done:
    darc_dpoly_clear(p, wide);
    darc_dpolys_clear(terms, wide);
    darc_jet_clear(wide);
    return status;
}

darc_status darc_operator_relation(darc_dpoly_t q, bool *certain,
                                   const darc_jet_t jet,
                                   const darc_model *model,
                                   const darc_budget *budget, darc_err *err)
{
    operators o = {.names = darc_model_names(model), .budget = budget};
    size_t n = (size_t)o.names->count;
    darc_model_frame(o.jet, model, NULL);
    DARC_CALLOC(n, o.column, o.variable);
    o.vars = 1;
    for (int u = 0; u < o.names->count; u++) {
        bool state = o.names->symbol[u].kind == DARC_STATE;
        o.column[u] = state ? o.columns++ : -1;
        o.variable[u] = darc_jet_is_constant(o.jet, u) ? o.vars++ : -1;
    }
    fmpz_mpoly_ctx_init(o.ctx, o.vars, ORD_LEX);
    darc_status status = read_model(&o, model, err);
    DARC_THEN(relation(q, certain, jet, &o, err));
    for (slong i = 0; o.w != NULL && i <= o.columns; i++)
        fmpz_mpoly_clear(o.w + i, o.ctx);
    darc_free(o.w);
    darc_polymat_clear(&o.A, o.ctx);
    darc_dpolys_clear(o.g, o.jet);
    fmpz_mpoly_ctx_clear(o.ctx);
    DARC_FREE(o.column, o.variable);
    darc_jet_clear(o.jet);
    return status;
}
