#include "chain/branch.h"

#include "algebra/factors.h"
#include "base/mem.h"
#include "chain/thresholds.h"

#include <assert.h>

darc_branch *darc_branch_new(const darc_jet_t jet)
{
    darc_branch *b = darc_calloc(1, sizeof *b);
    darc_autored_init(b->A, jet);
    b->generic = true;
    return b;
}

static darc_branch *copy_branch(const darc_branch *b, const darc_jet_t jet)
{
    darc_branch *c = darc_branch_new(jet);
    assert(c->A->unknowns == b->A->unknowns);
    for (int u = 0; u < c->A->unknowns; u++)
        darc_dpolys_set(c->A->of + u, b->A->of + u, jet);
    darc_dpolys_set(c->D, b->D, jet);
    darc_dpolys_set(c->P, b->P, jet);
    darc_dpolys_set(c->S, b->S, jet);
    c->generic = b->generic;
    return c;
}

void darc_branch_free(darc_branch *b, const darc_jet_t jet)
{
    if (b == NULL)
        return;
    darc_autored_clear(b->A, jet);
    DARC_EACH_IN(darc_dpolys_clear, jet, b->D, b->P, b->S);
    darc_free(b);
}

void darc_branch_add_equation(darc_branch *b, const darc_dpoly_t p,
                              const darc_jet_t jet)
{
    if (!fmpz_mpoly_is_zero(p, jet->ctx))
        darc_dpolys_append(b->P, p, jet);
}

void darc_branch_add_inequation(darc_branch *b, const darc_dpoly_t p,
                                const darc_jet_t jet)
{
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    fmpz_mpoly_set(q, p, jet->ctx);
    darc_cancel_factors(q, NULL, b->S, jet);
    if (q->length <= DARC_BRANCH_FACTORED)
        darc_factors(b->S, q, jet);
    else
        darc_dpolys_append(b->S, q, jet);
    darc_dpoly_clear(q, jet);
}

bool darc_branch_is_in_time_and(const darc_dpoly_t p, slong v,
                                const darc_jet_t jet)
{
    for (slong w = 0; w < jet->vars; w++)
        if (w != v && darc_dpoly_degree(p, w, jet) > 0 &&
            jet->names->symbol[jet->deriv[w].unknown].kind != DARC_TIME)
            return false;
    return true;
}

void darc_branch_open_factors(darc_dpolys_t out, const darc_branch *b,
                              const darc_dpoly_t p, const darc_jet_t jet)
{
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    fmpz_mpoly_set(q, p, jet->ctx);
    darc_cancel_factors(q, NULL, b->S, jet);
    darc_factors(out, q, jet);
    for (slong i = out->count - 1; i >= 0; i--)
        if (darc_branch_is_in_time_and(out->p + i, -1, jet))
            darc_dpolys_remove(out, i, jet);
    darc_dpoly_clear(q, jet);
}

bool darc_branch_take(darc_dpoly_t p, darc_dpolys_t from, const darc_jet_t jet)
{
    slong best = 0;
    if (from->count == 0)
        return false;
    for (slong i = 1; i < from->count; i++) {
        int c = darc_dpoly_cmp_rank(from->p + i, from->p + best, jet);
        if (c < 0 || (c == 0 && from->p[i].length < from->p[best].length))
            best = i;
    }
    fmpz_mpoly_swap(p, from->p + best, jet->ctx);
    darc_dpolys_remove(from, best, jet);
    return true;
}

void darc_branch_insert(darc_branch *b, const darc_dpoly_t f,
                        const darc_jet_t jet)
{
    int u = jet->deriv[darc_dpoly_leader(f, jet)].unknown;
    if (darc_autored_get(b->A, u) != NULL) {
        assert(darc_dpoly_cmp_rank(f, darc_autored_get(b->A, u), jet) < 0);
        /* Move the equation of u from A (and D) to P. */
        const darc_dpoly_struct *g = darc_autored_get(b->A, u);
        darc_branch_add_equation(b, g, jet);
        for (slong i = b->D->count - 1; i >= 0; i--)
            if (fmpz_mpoly_equal(b->D->p + i, g, jet->ctx))
                darc_dpolys_remove(b->D, i, jet);
        darc_autored_remove(b->A, u, jet);
    }
    darc_autored_insert(b->A, f, jet);
    if (darc_jet_is_constant(jet, u))
        darc_dpolys_append(b->D, f, jet);
}

void darc_tree_clear(darc_tree_t tree, const darc_jet_t jet)
{
    DARC_ALL_OF_IN(darc_branch_free, jet, tree->branch, tree->count);
    darc_free(tree->branch);
    *tree = (darc_tree_struct){0};
}

void darc_tree_push_take(darc_tree_t tree, darc_branch *b)
{
    DARC_APPEND(tree->branch, tree->count, b);
}

darc_branch *darc_tree_top(const darc_tree_t tree)
{
    return tree->count > 0 ? tree->branch[tree->count - 1] : NULL;
}

darc_branch *darc_tree_pop(darc_tree_t tree)
{
    assert(tree->count > 0);
    return tree->branch[--tree->count];
}

void darc_tree_split(darc_tree_t tree, const darc_dpoly_t h,
                     const darc_dpoly_struct *also, bool generic,
                     const darc_jet_t jet)
{
    darc_branch *top = darc_tree_pop(tree), *other = copy_branch(top, jet);
    darc_branch_add_equation(other, h, jet);
    if (also != NULL)
        darc_branch_add_equation(other, also, jet);
    other->generic = top->generic && generic;
    darc_branch_add_inequation(top, h, jet);
    darc_tree_push_take(tree, other);
    darc_tree_push_take(tree, top);
    tree->splits++;
}
