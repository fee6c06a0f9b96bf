#include "chain/rosenfeld.h"

#include "base/mem.h"
#include "chain/regular.h"
#include "chain/ritt.h"
#include "chain/thresholds.h"

#include <assert.h>
#include <stdio.h>

void darc_rosenfeld_init(darc_rosenfeld_t rg, const darc_system *s,
                         bool generic_only, const darc_solution_struct *point,
                         const darc_budget *budget)
{
    const darc_jet_struct *jet = s->jet;
    *rg = (darc_rosenfeld_struct){
        .jet = jet, .budget = budget, .generic_only = generic_only};
    if (point != NULL) {
        rg->mod = point->mod;
        rg->value = darc_calloc((size_t)jet->vars, sizeof *rg->value);
        darc_solution_values(rg->value, point, jet);
    }
    darc_branch *b = darc_branch_new(jet);
    for (slong i = 0; i < s->eq->count; i++)
        darc_branch_add_equation(b, s->eq->p + i, jet);
    for (slong i = 0; i < s->ineq->count; i++)
        if (fmpz_mpoly_is_zero(s->ineq->p + i, jet->ctx)) {
            darc_branch_free(b, jet);
            return; /* 0 != 0: no solution */
        } else {
            darc_branch_add_inequation(b, s->ineq->p + i, jet);
        }
    darc_tree_push_take(rg->open, b);
}

/* Return whether p vanishes on the component that is followed. */
static bool vanishes(const darc_rosenfeld_t rg, const darc_dpoly_t p)
{
    return darc_finite_eval(p, rg->value, rg->mod, rg->jet->ctx) == 0;
}

static void drop_branch(darc_rosenfeld_t rg)
{
    darc_branch_free(darc_tree_pop(rg->open), rg->jet);
}

/* h, the initial or separant of f, is not to vanish on the branch on top:
 * split on those of its factors that may.  Return false if h vanishes on all
 * of the component that is followed; then h and f are pending. */
static bool split_on(darc_rosenfeld_t rg, const darc_dpoly_t h,
                     const darc_dpoly_t f)
{
    darc_branch *b = darc_tree_top(rg->open);
    if (rg->value != NULL && vanishes(rg, h)) {
        darc_branch_add_equation(b, h, rg->jet);
        darc_branch_add_equation(b, f, rg->jet);
        return false;
    }
    if (rg->value != NULL || rg->generic_only) {
        darc_branch_add_inequation(b, h, rg->jet);
        return true;
    }
    darc_dpolys_t factor = {{0}};
    darc_branch_open_factors(factor, b, h, rg->jet);
    for (slong i = 0; i < factor->count; i++)
        darc_tree_split(rg->open, factor->p + i, f, false, rg->jet);
    darc_dpolys_clear(factor, rg->jet);
    return true;
}

/* Put f, irreducible and reduced by A, into A of the branch on top. */
static void insert(darc_rosenfeld_t rg, const darc_dpoly_t f)
{
    const darc_jet_struct *jet = rg->jet;
    darc_dpoly_t h;
    darc_dpoly_init(h, jet);
    darc_dpoly_initial(h, f, jet);
    rg->changes++;
    bool regular = split_on(rg, h, f);
    slong v = darc_dpoly_leader(f, jet);
    if (regular && darc_dpoly_degree(f, v, jet) > 1) {
        darc_dpoly_separant(h, f, jet);
        regular = split_on(rg, h, f);
    }
    if (regular)
        darc_branch_insert(darc_tree_top(rg->open), f, jet);
    darc_dpoly_clear(h, jet);
}

/* Return whether f and the equation of its unknown exclude each other: two
 * coprime polynomials in the same leader and time alone have no common zero
 * as a function of time. */
static bool excludes(const darc_branch *b, const darc_dpoly_t f,
                     const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(f, jet);
    const darc_dpoly_struct *g = darc_autored_get(b->A, jet->deriv[v].unknown);
    if (g == NULL || !darc_branch_is_in_time_and(f, v, jet) ||
        !darc_branch_is_in_time_and(g, v, jet))
        return false;
    darc_dpoly_t gcd;
    darc_dpoly_init(gcd, jet);
    bool coprime = fmpz_mpoly_gcd(gcd, f, g, jet->ctx) &&
                   darc_dpoly_degree(gcd, v, jet) == 0;
    darc_dpoly_clear(gcd, jet);
    return coprime;
}

/* r, reduced by A and not 0, vanishes on the branch on top. */
static void use_remainder(darc_rosenfeld_t rg, const darc_dpoly_t r)
{
    darc_dpolys_t f = {{0}};
    darc_branch_open_factors(f, darc_tree_top(rg->open), r, rg->jet);
    if (rg->value != NULL) {
        /* Of the factors keep those that vanish on the component followed: one
         * goes on, the others become pending. */
        for (slong i = f->count - 1; i >= 0; i--)
            if (!vanishes(rg, f->p + i))
                darc_dpolys_remove(f, i, rg->jet);
        for (; f->count > 1; darc_dpolys_remove(f, f->count - 1, rg->jet))
            darc_branch_add_equation(darc_tree_top(rg->open),
                                     f->p + f->count - 1, rg->jet);
    }
    if (f->count == 0) {
        drop_branch(rg);
    } else {
        /* Move the factor of highest rank, then most terms, to the front: it is
         * likely to be the one that the solutions in general position satisfy.
         */
        for (slong i = 1; i < f->count; i++) {
            int c = darc_dpoly_cmp_rank(f->p + i, f->p, rg->jet);
            if (c > 0 || (c == 0 && f->p[i].length > f->p->length))
                fmpz_mpoly_swap(f->p, f->p + i, rg->jet->ctx);
        }
        /* Branch i: f_i = 0 and f_j != 0, 0 < j < i; the top: f_0 = 0 and
         * all others != 0. */
        for (slong i = 1; i < f->count; i++)
            darc_tree_split(rg->open, f->p + i, NULL, true, rg->jet);
        if (excludes(darc_tree_top(rg->open), f->p, rg->jet))
            drop_branch(rg);
        else
            insert(rg, f->p);
    }
    darc_dpolys_clear(f, rg->jet);
}

static darc_status use_equation(darc_rosenfeld_t rg, const darc_dpoly_t p,
                                darc_err *err)
{
    darc_branch *b = darc_tree_top(rg->open);
    const darc_ritt_options o = {.known = b->S, .budget = rg->budget};
    darc_dpoly_t r;
    darc_dpoly_init(r, rg->jet);
    darc_status status = darc_ritt_reduce(r, p, b->A, &o, rg->jet, err);
    if (r->length > rg->terms)
        rg->terms = r->length;
    if (status == DARC_OK && !fmpz_mpoly_is_zero(r, rg->jet->ctx))
        use_remainder(rg, r);
    darc_dpoly_clear(r, rg->jet);
    return status;
}

static darc_status make_regular(darc_rosenfeld_t rg, darc_err *err)
{
    darc_regular_outcome outcome;
    darc_branch *top = darc_tree_top(rg->open);
    darc_dpoly_t h;
    darc_dpoly_init(h, rg->jet);
    darc_status status;
    rg->changes++;
    DARC_TRY(darc_regular_step(&outcome, h, top, rg->jet, rg->budget, err));
    if (outcome == DARC_REGULAR_DONE) {
        darc_tree_push_take(rg->regular, darc_tree_pop(rg->open));
    } else if (outcome == DARC_REGULAR_EMPTY) {
        drop_branch(rg);
    } else if (outcome == DARC_REGULAR_SPLIT && rg->value == NULL) {
        darc_tree_split(rg->open, h, NULL, true, rg->jet);
    } else if (outcome == DARC_REGULAR_SPLIT && vanishes(rg, h)) {
        /* What holds on the component that is followed. */
        darc_branch_add_equation(top, h, rg->jet);
    } else if (outcome == DARC_REGULAR_SPLIT) {
        darc_branch_add_inequation(top, h, rg->jet);
    } else if (outcome == DARC_REGULAR_OPEN) {
        rg->stuck = true;
        status = darc_fail(err, DARC_LIMIT,
                           "elimination: whether a chain is regular remains "
                           "open, its residue ring has a dimension over %d",
                           DARC_TOWER_MAX_DIM);
    }
done:
    darc_dpoly_clear(h, rg->jet);
    return status;
}

darc_status darc_rosenfeld_step(darc_rosenfeld_t rg, darc_err *err)
{
    assert(darc_tree_top(rg->open) != NULL);
    darc_status status = DARC_OK;
    DARC_NEED(darc_budget_check(rg->budget, err));
    char stage[64];
    snprintf(stage, sizeof stage, "elimination, %ld open, %ld done",
             (long)rg->open->count, (long)rg->regular->count);
    const darc_progress at = {stage, ++rg->steps, 0, rg->terms};
    darc_budget_progress(rg->budget, &at);

    darc_branch *b = darc_tree_top(rg->open);
    darc_dpoly_t p;
    darc_dpoly_init(p, rg->jet);
    if (darc_branch_take(p, b->P, rg->jet)) {
        status = use_equation(rg, p, err);
    } else if (darc_branch_take(p, b->D, rg->jet)) {
        /* the delta-polynomial of p and its constant */
        status = darc_dpoly_diff(p, p, rg->jet, err);
        if (status == DARC_OK)
            darc_branch_add_equation(b, p, rg->jet);
    } else {
        status = make_regular(rg, err);
    }
    darc_dpoly_clear(p, rg->jet);
    return status;
}
