#include "chain/regular.h"

#include "algebra/factors.h"
#include "algebra/pdiv.h"
#include "base/mem.h"
#include "chain/ritt.h"

#include <assert.h>

/* What the functions below share. */
typedef struct {
    darc_branch *b;
    darc_dpoly_struct *h; /* the polynomial to split on */
    const darc_jet_struct *jet;
    const darc_budget *budget;
    bool fine; /* nothing irregular was found after all */
    darc_regular_outcome outcome;
} examination;

darc_status darc_regular_test(bool *regular, const darc_dpoly_t p,
                              darc_autored_t a, const darc_jet_t jet,
                              darc_err *err)
{
    *regular = false;
    for (ulong seed = 1; seed <= DARC_REGULAR_FIBRES && !*regular; seed++) {
        darc_tower_t t;
        const darc_dpoly_struct *bad;
        DARC_NEED(darc_tower_init(t, &bad, a, seed, jet, err));
        darc_status status = DARC_OK;
        if (bad == NULL)
            status = darc_tower_is_regular(regular, t, p, a, jet, err);
        darc_tower_clear(t);
        DARC_NEED(status);
    }
    return DARC_OK;
}

/* darc_regular_test modulo the equations with leaders below v. */
static darc_status test_below(bool *regular, const darc_dpoly_t p, slong v,
                              const examination *x, darc_err *err)
{
    darc_autored_t lower;
    darc_autored_init(lower, x->jet);
    for (int u = 0; u < x->b->A->unknowns; u++) {
        const darc_dpoly_struct *g = darc_autored_get(x->b->A, u);
        if (g != NULL && darc_dpoly_leader(g, x->jet) > v)
            darc_autored_insert(lower, g, x->jet);
    }
    darc_status status = darc_regular_test(regular, p, lower, x->jet, err);
    darc_autored_clear(lower, x->jet);
    return status;
}

static darc_status examine(examination *x, const darc_dpoly_t s, darc_err *err);

/* c, reduced and not 0, is irregular modulo the equations below v: split on
 * one of its irregular factors, or examine it if it is an inequation. */
static darc_status split_on(examination *x, const darc_dpoly_t c, slong v,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpolys_t f = {{0}};
    darc_factors(f, c, x->jet);
    bool regular = true;
    slong i = 0;
    for (; i < f->count; i++) {
        DARC_TRY(test_below(&regular, f->p + i, v, x, err));
        if (!regular)
            break;
    }
    if (regular) {
        x->fine = true;
    } else if (darc_dpolys_contains(x->b->S, f->p + i, x->jet)) {
        DARC_TRY(examine(x, f->p + i, err));
    } else {
        x->outcome = DARC_REGULAR_SPLIT;
        fmpz_mpoly_set(x->h, f->p + i, x->jet->ctx);
    }
done:
    darc_dpolys_clear(f, x->jet);
    return status;
}

/* Replace the equation g of u by its cofactor g / gcd, on which gcd != 0. */
static darc_status replace_by_cofactor(examination *x, int u,
                                       const darc_dpoly_t gcd, slong v,
                                       darc_err *err)
{
    darc_status status;
    const darc_jet_struct *jet = x->jet;
    darc_dpoly_t q;
    darc_pdiv_t d;
    darc_dpoly_init(q, jet);
    darc_pdiv_init(d, true, jet, x->budget);
    DARC_TRY(darc_pdiv(d, darc_autored_get(x->b->A, u), gcd, v, err));
    if (darc_dpoly_degree(d->q, v, jet) == 0) {
        x->outcome = DARC_REGULAR_EMPTY;
        goto done;
    }
    x->outcome = DARC_REGULAR_CHANGED;
    darc_dpoly_primitive(d->q, d->q, jet);
    darc_autored_remove(x->b->A, u, jet);
    darc_branch_insert(x->b, d->q, jet);
    darc_dpoly_initial(q, d->q, jet);
    darc_branch_add_inequation(x->b, q, jet);
    darc_dpoly_separant(q, d->q, jet);
    darc_branch_add_inequation(x->b, q, jet);
done:
    darc_pdiv_clear(d);
    darc_dpoly_clear(q, jet);
    return status;
}

/* Drop the leading terms of p in v that vanish modulo the equations.  Set
 * *regular to whether the leading coefficient is then regular; c to it. */
static darc_status clean_lead(darc_dpoly_t p, darc_dpoly_t c, bool *regular,
                              slong v, const examination *x, darc_err *err)
{
    const darc_ritt_options o = {.budget = x->budget};
    darc_status status = DARC_OK;
    DARC_TRY(darc_ritt_reduce(p, p, x->b->A, &o, x->jet, err));
    *regular = true;
    if (fmpz_mpoly_is_zero(p, x->jet->ctx))
        goto done;
    darc_dpoly_primitive(p, p, x->jet);
    darc_dpoly_coeff(c, p, v, darc_dpoly_degree(p, v, x->jet), x->jet);
    DARC_TRY(test_below(regular, c, v, x, err));
done:
    return status;
}

/* gcd of the equation of u and r modulo the lower equations: remainders
 * until one is 0 or its leading coefficient (itself, if free of v) is
 * irregular.  All leading coefficients passed are regular. */
static darc_status examine_gcd(examination *x, int u, const darc_dpoly_t r,
                               slong v, darc_err *err)
{
    darc_status status;
    const darc_jet_struct *jet = x->jet;
    darc_dpoly_t a, b, c;
    darc_pdiv_t d;
    darc_dpoly_inits(jet->ctx, a, b, c, NULL);
    darc_pdiv_init(d, false, jet, x->budget);
    fmpz_mpoly_set(a, darc_autored_get(x->b->A, u), jet->ctx);
    fmpz_mpoly_set(b, r, jet->ctx);
    for (;;) {
        bool regular;
        DARC_TRY(clean_lead(b, c, &regular, v, x, err));
        if (fmpz_mpoly_is_zero(b, jet->ctx)) {
            status = replace_by_cofactor(x, u, a, v, err);
            break;
        }
        if (!regular) {
            status = split_on(x, c, v, err);
            break;
        }
        if (darc_dpoly_degree(b, v, jet) == 0) {
            x->fine = true;
            break;
        }
        DARC_TRY(darc_pdiv(d, a, b, v, err));
        fmpz_mpoly_swap(a, b, jet->ctx);
        fmpz_mpoly_swap(b, d->r, jet->ctx);
    }
done:
    darc_pdiv_clear(d);
    darc_dpoly_clears(jet->ctx, a, b, c, NULL);
    return status;
}

/* Find out why s, an inequation, is not regular. */
static darc_status examine(examination *x, const darc_dpoly_t s, darc_err *err)
{
    const darc_jet_struct *jet = x->jet;
    const darc_ritt_options o = {.budget = x->budget};
    darc_status status;
    darc_dpoly_t r, c;
    darc_dpoly_inits(jet->ctx, r, c, NULL);
    DARC_TRY(darc_ritt_reduce(r, s, x->b->A, &o, jet, err));
    if (fmpz_mpoly_is_zero(r, jet->ctx)) {
        x->outcome = DARC_REGULAR_EMPTY;
        goto done;
    }
    slong v = darc_dpoly_leader(r, jet);
    if (v < 0) {
        x->fine = true;
        goto done;
    }
    int u = jet->deriv[v].unknown;
    const darc_dpoly_struct *g = darc_autored_get(x->b->A, u);
    if (g != NULL && darc_dpoly_leader(g, jet) == v) {
        DARC_TRY(examine_gcd(x, u, r, v, err));
        goto done;
    }
    bool regular;
    darc_dpoly_initial(c, r, jet);
    DARC_TRY(test_below(&regular, c, v, x, err));
    x->fine = regular;
    if (!regular)
        DARC_TRY(split_on(x, c, v, err));
done:
    darc_dpoly_clears(jet->ctx, r, c, NULL);
    return status;
}

/* The initial or the separant of g is not invertible in a fibre. */
static darc_status examine_equation(examination *x, const darc_dpoly_t g,
                                    darc_err *err)
{
    darc_status status;
    darc_dpoly_t c;
    darc_dpoly_init(c, x->jet);
    darc_dpoly_initial(c, g, x->jet);
    DARC_TRY(examine(x, c, err));
    if (x->fine) {
        x->fine = false;
        darc_dpoly_separant(c, g, x->jet);
        DARC_TRY(examine(x, c, err));
    }
done:
    darc_dpoly_clear(c, x->jet);
    return status;
}

/* One attempt with one fibre. */
static darc_status attempt(examination *x, ulong seed, darc_err *err)
{
    const darc_dpolys_struct *S = x->b->S;
    const darc_dpoly_struct *bad, *s = NULL;
    darc_tower_t t;
    DARC_NEED(darc_tower_init(t, &bad, x->b->A, seed, x->jet, err));
    darc_status status = DARC_OK;
    x->fine = false;
    x->outcome = DARC_REGULAR_DONE;
    /* The inequation of lowest rank that is not invertible in t. */
    for (slong i = 0; bad == NULL && i < S->count; i++) {
        bool regular = true;
        if (s == NULL || darc_dpoly_cmp_rank(S->p + i, s, x->jet) < 0)
            DARC_TRY(darc_tower_is_regular(&regular, t, S->p + i, x->b->A,
                                           x->jet, err));
        s = regular ? s : S->p + i;
    }
    if (bad != NULL)
        DARC_TRY(examine_equation(x, bad, err));
    else if (s != NULL)
        DARC_TRY(examine(x, s, err));
done:
    darc_tower_clear(t);
    return status;
}

darc_status darc_regular_step(darc_regular_outcome *outcome, darc_dpoly_t h,
                              darc_branch *b, const darc_jet_t jet,
                              const darc_budget *budget, darc_err *err)
{
    assert(b->P->count == 0 && b->D->count == 0);
    examination x = {.b = b, .h = h, .jet = jet, .budget = budget};
    for (ulong seed = 1; seed <= DARC_REGULAR_FIBRES; seed++) {
        darc_status status = attempt(&x, seed, err);
        *outcome = x.outcome;
        if (status != DARC_OK || !x.fine)
            return status;
    }
    *outcome = DARC_REGULAR_OPEN;
    return DARC_OK;
}

darc_status darc_regular_autoreduce(darc_autored_t a, const darc_jet_t jet,
                                    const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    int *unknown = darc_calloc((size_t)a->unknowns, sizeof *unknown);
    int n = darc_autored_sorted(unknown, a, jet);
    darc_dpoly_t p, c;
    darc_dpoly_inits(jet->ctx, p, c, NULL);
    for (int i = 0; i < n; i++) {
        fmpz_mpoly_set(p, darc_autored_get(a, unknown[i]), jet->ctx);
        slong v = darc_dpoly_leader(p, jet);
        darc_autored_remove(a, unknown[i], jet);
        /* partially, then fully unless that has many more terms */
        darc_ritt_options o = {.partial = true, .budget = budget};
        DARC_TRY(darc_ritt_reduce(p, p, a, &o, jet, err));
        o.partial = false;
        o.max_terms =
            DARC_AUTOREDUCE_FACTOR * p->length + DARC_AUTOREDUCE_TERMS;
        if (darc_ritt_reduce(p, p, a, &o, jet, NULL) != DARC_OK)
            DARC_TRY(darc_budget_check(budget, err));
        assert(darc_dpoly_leader(p, jet) == v);
        if (darc_content(c, p, v, jet))
            fmpz_mpoly_divides(p, p, c, jet->ctx);
        darc_dpoly_primitive(p, p, jet);
        darc_autored_insert(a, p, jet);
    }
done:
    darc_dpoly_clears(jet->ctx, p, c, NULL);
    darc_free(unknown);
    return status;
}
