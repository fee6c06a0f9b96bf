#include "relation/plan.h"

#include "algebra/minors.h"
#include "base/mem.h"
#include "relation/thresholds.h"

#include <assert.h>

/* What an expansion shares. */
typedef struct {
    const darc_relation *r;
    slong max_terms;
    const darc_budget *budget;
} expanding;

darc_status darc_fail_expansion(darc_err *err, slong columns, slong max_terms)
{
    return darc_fail(err, DARC_LIMIT,
                     "the expanded relation (determinant of %ld columns) "
                     "passes the bound of %ld terms; use --form matrix",
                     (long)columns, (long)max_terms);
}

static darc_status fail(const expanding *w, darc_err *err)
{
    return darc_fail_expansion(err, w->r->columns, w->max_terms);
}

/* See minors.h. */
static darc_status check(double product, slong length, void *user,
                         darc_err *err)
{
    const expanding *w = user;
    double most = DARC_EXPAND_FACTOR * (double)w->max_terms;
    return product > most || (double)length > most / 4
               ? fail(w, err)
               : darc_budget_check(w->budget, err);
}

/* Set *m to the minors of all rows of the matrix; on failure it is cleared. */
static darc_status matrix_minors(darc_minors *m, darc_minor_polys *p,
                                 darc_err *err)
{
    const expanding *w = p->user;
    slong n = w->r->columns;
    darc_status status = DARC_OK;
    assert(n <= DARC_MAX_MINOR_COLUMNS);
    darc_minors_init_polys(m, p, n, WORD_MAX);
    for (slong k = 0; k + 1 < n && status == DARC_OK; k++) {
        darc_progress at = {"expanding a determinant", k, n, 0};
        darc_budget_progress(w->budget, &at);
        status = darc_minors_add(m, w->r->matrix->p + k * n, 1, err);
    }
    if (status != DARC_OK)
        darc_minors_clear(m);
    return status;
}

/* Append the c_j = (-1)^j det(matrix without column j) to c. */
static darc_status cofactors(darc_dpolys_t c, expanding *w, darc_err *err)
{
    const darc_relation *r = w->r;
    darc_minor_polys p = {r->jet->ctx, check, w};
    darc_minors m;
    darc_dpoly_t d;
    DARC_NEED(matrix_minors(&m, &p, err));
    darc_dpoly_init(d, r->jet);
    uint64_t all = (UINT64_C(1) << r->columns) - 1;
    for (slong j = 0; j < r->columns; j++) {
        fmpz_mpoly_struct *minor =
            darc_minors_get(&m, all - (UINT64_C(1) << j));
        fmpz_mpoly_zero(d, r->jet->ctx);
        if (minor != NULL)
            fmpz_mpoly_swap(d, minor, r->jet->ctx);
        if (j % 2 == 1)
            fmpz_mpoly_neg(d, d, r->jet->ctx);
        darc_dpolys_append_take(c, d, r->jet);
    }
    darc_dpoly_clear(d, r->jet);
    darc_minors_clear(&m);
    return DARC_OK;
}

/* Set p to sum_j last[j] * c_j.  last is expanded like one more row below:
 * sum_j (-1)^(n-1-j) last_j M_j, which is (-1)^(n-1) times the determinant of
 * last above the matrix. */
static darc_status determinant(darc_dpoly_t p, expanding *w, darc_err *err)
{
    const darc_relation *r = w->r;
    assert(r->last->count == r->columns);
    darc_minor_polys polys = {r->jet->ctx, check, w};
    darc_minors m;
    DARC_NEED(matrix_minors(&m, &polys, err));
    darc_status status = darc_minors_add(&m, r->last->p, 1, err);
    fmpz_mpoly_zero(p, r->jet->ctx);
    if (status == DARC_OK && m.count == 1)
        fmpz_mpoly_swap(p, m.minor, r->jet->ctx);
    if (r->columns % 2 == 0)
        fmpz_mpoly_neg(p, p, r->jet->ctx);
    darc_minors_clear(&m);
    return status;
}

/* Divide the n polynomials c by their common divisor. */
static darc_status divide_gcd(darc_dpolys_t c, const darc_jet_t jet,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t g;
    darc_dpoly_init(g, jet);
    for (slong j = 0; j < c->count; j++)
        if (!fmpz_mpoly_gcd(g, g, c->p + j, jet->ctx)) {
            status = darc_fail(err, DARC_LIMIT,
                               "a common divisor of minors "
                               "could not be computed");
            break;
        }
    for (slong j = 0; j < c->count && status == DARC_OK; j++)
        if (!fmpz_mpoly_is_zero(c->p + j, jet->ctx))
            fmpz_mpoly_divides(c->p + j, c->p + j, g, jet->ctx);
    darc_dpoly_clear(g, jet);
    return status;
}

/* Set p to h(c), unless too many terms are multiplied. */
static darc_status compose(darc_dpoly_t p, const expanding *w,
                           const darc_dpolys_t c, darc_err *err)
{
    const darc_relation *r = w->r;
    size_t n = (size_t)r->columns;
    ulong *e = darc_calloc(n, sizeof *e);
    double cost = 0;
    for (slong t = 0; t < r->h->length; t++) {
        double term = 1;
        fmpz_mpoly_get_term_exp_ui(e, r->h, t, r->hctx);
        for (slong j = 0; j < r->columns; j++)
            for (ulong k = 0; k < e[j]; k++)
                term *= (double)c->p[j].length;
        cost += term;
    }
    darc_free(e);
    if (cost > DARC_EXPAND_FACTOR * (double)w->max_terms)
        return fail(w, err);
    fmpz_mpoly_struct **x = darc_calloc(n, sizeof *x);
    for (slong j = 0; j < r->columns; j++)
        x[j] = c->p + j;
    int ok = fmpz_mpoly_compose_fmpz_mpoly(p, r->h, x, r->hctx, r->jet->ctx);
    darc_free(x);
    return ok ? DARC_OK : fail(w, err);
}

/* Set p to the residual of the matrix form. */
static darc_status residual(darc_dpoly_t p, expanding *w, darc_err *err)
{
    darc_status status;
    darc_dpolys_t c;
    darc_dpolys_init(c);
    if (w->r->last->count > 0) {
        DARC_TRY(determinant(p, w, err));
    } else {
        DARC_TRY(cofactors(c, w, err));
        DARC_TRY(divide_gcd(c, w->r->jet, err));
        DARC_TRY(compose(p, w, c, err));
    }
done:
    darc_dpolys_clear(c, w->r->jet);
    return status;
}

/* Set r->poly to the factor of the product that vanishes on solutions. */
static darc_status true_factor(darc_relation *r, const darc_dpoly_t product,
                               const darc_plan_t p, darc_err *err)
{
    darc_status status;
    darc_solution_struct s[2];
    int solved = 0;
    bool found = false;
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, r->jet->ctx);
    flint_rand_t state;
    flint_randinit(state);
    DARC_TRY(darc_plan_solve(s, p, r->order + 1,
                             darc_finite_random_prime(state), state, err));
    solved = p->vec->vectors;
    if (!fmpz_mpoly_factor(f, product, r->jet->ctx))
        DARC_TRY(darc_fail(err, DARC_LIMIT,
                           "the expanded relation, %ld terms, could not be "
                           "factored; use --form matrix",
                           (long)product->length));
    for (slong i = 0; i < f->num && !found; i++) {
        found = darc_relation_value(f->poly + i, r, p->first, s) == 0;
        if (found)
            darc_dpoly_primitive(r->poly, f->poly + i, r->jet);
    }
    if (!found)
        status = darc_fail(err, DARC_INTERNAL,
                           "no factor of the expanded relation vanishes on a "
                           "solution");
done:
    DARC_ALL(darc_solution_clear, s, solved);
    flint_randclear(state);
    fmpz_mpoly_factor_clear(f, r->jet->ctx);
    return status;
}

static void add_inequation(darc_relation *r, const darc_dpoly_t g)
{
    darc_dpoly_t p;
    darc_dpoly_init(p, r->jet);
    darc_dpoly_primitive(p, g, r->jet);
    if (!fmpz_mpoly_is_fmpz(p, r->jet->ctx) &&
        !darc_dpolys_contains(r->inequations, p, r->jet))
        darc_dpolys_append(r->inequations, p, r->jet);
    darc_dpoly_clear(p, r->jet);
}

/* Note that g must not vanish, factor by factor where that is cheap. */
static void add_factors(darc_relation *r, const darc_dpoly_t g)
{
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, r->jet->ctx);
    if (g->length <= DARC_EXPAND_FACTORED &&
        fmpz_mpoly_factor(f, g, r->jet->ctx))
        for (slong i = 0; i < f->num; i++)
            add_inequation(r, f->poly + i);
    else
        add_inequation(r, g);
    fmpz_mpoly_factor_clear(f, r->jet->ctx);
}

static void add_inequations(darc_relation *r, const darc_plan_t p)
{
    darc_dpoly_t g;
    darc_dpoly_init(g, r->jet);
    darc_dpoly_initial(g, r->poly, r->jet);
    add_factors(r, g);
    slong v = darc_dpoly_leader(r->poly, r->jet);
    if (darc_dpoly_degree(r->poly, v, r->jet) > 1) {
        darc_dpoly_separant(g, r->poly, r->jet);
        add_factors(r, g);
    }
    darc_dpoly_clear(g, r->jet);
    /* A column of recording A or B alone: where its entry vanishes, that
     * recording does not see the changed parameter. */
    int *used = darc_calloc((size_t)p->col->vars + 1, sizeof *used);
    for (slong i = 0; i < r->matrix->count; i++) {
        bool doubled = false;
        fmpz_mpoly_used_vars(used, p->col->b + i % p->n, p->col->ctx);
        for (slong u = 0; u < p->col->vars; u++)
            doubled = doubled || (used[u] != 0 && p->col->copy[u] >= 0);
        if (doubled && p->row_order[i / p->n] == 0 &&
            !fmpz_mpoly_is_zero(r->matrix->p + i, r->jet->ctx))
            add_factors(r, r->matrix->p + i);
    }
    darc_free(used);
}

darc_status darc_expand(darc_relation *r, const darc_plan_t p, slong max_terms,
                        const darc_budget *budget, darc_err *err)
{
    darc_status status;
    expanding w = {r, max_terms, budget};
    darc_dpoly_t product;
    darc_dpoly_init(product, r->jet);
    DARC_TRY(residual(product, &w, err));
    DARC_TRY(true_factor(r, product, p, err));
    if (r->poly->length > max_terms)
        DARC_TRY(fail(&w, err));
    add_inequations(r, p);
    r->order = darc_dpoly_highest_order(r->poly, r->jet); /* or below that of
                                                             the matrix */
    r->expanded = true;
done:
    darc_dpoly_clear(product, r->jet);
    return status;
}
