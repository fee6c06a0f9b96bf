#include "chain/components.h"

#include "algebra/partial.h"
#include "base/mem.h"
#include "chain/chain.h"
#include "chain/regular.h"
#include "chain/rosenfeld.h"

/* Sort by rank, then length, then FLINT's order: a canonical order. */
static void sort_polys(darc_dpolys_t a, const darc_jet_t jet)
{
    for (slong i = 1; i < a->count; i++)
        for (slong j = i; j > 0; j--) {
            darc_dpoly_struct *p = a->p + j - 1, *q = a->p + j;
            int c = darc_dpoly_cmp_rank(p, q, jet);
            if (c == 0)
                c = (p->length > q->length) - (p->length < q->length);
            if (c == 0)
                c = fmpz_mpoly_cmp(p, q, jet->ctx);
            if (c <= 0)
                break;
            fmpz_mpoly_swap(p, q, jet->ctx);
        }
}

/* Append what must not vanish on c, as far as it could: initials, separants,
 * given. */
static void add_inequations(darc_component *c, const darc_dpolys_t given,
                            const darc_jet_t jet)
{
    darc_branch *b = darc_branch_new(jet);
    darc_dpoly_t h;
    darc_dpoly_init(h, jet);
    for (slong i = 0; i < given->count; i++)
        darc_branch_add_inequation(b, given->p + i, jet);
    for (slong i = 0; i < c->equations->count; i++) {
        darc_dpoly_initial(h, c->equations->p + i, jet);
        darc_branch_add_inequation(b, h, jet);
        darc_dpoly_separant(h, c->equations->p + i, jet);
        darc_branch_add_inequation(b, h, jet);
    }
    for (slong i = 0; i < b->S->count; i++)
        if (!darc_branch_is_in_time_and(b->S->p + i, -1, jet))
            darc_dpolys_append(c->inequations, b->S->p + i, jet);
    sort_polys(c->inequations, jet);
    darc_dpoly_clear(h, jet);
    darc_branch_free(b, jet);
}

/* Append the component of branch b, whose equations get autoreduced. */
static darc_status append_component(darc_decomposition_t out, darc_branch *b,
                                    const darc_dpolys_t given,
                                    const darc_budget *budget, darc_err *err)
{
    DARC_NEED(darc_regular_autoreduce(b->A, out->jet, budget, err));
    DARC_ROOM(out->component, out->count);
    darc_component *c = out->component + out->count++;
    *c = (darc_component){.generic = b->generic};
    int *unknown = darc_calloc((size_t)b->A->unknowns, sizeof *unknown);
    int n = darc_autored_sorted(unknown, b->A, out->jet);
    for (int i = 0; i < n; i++)
        darc_dpolys_append(c->equations, darc_autored_get(b->A, unknown[i]),
                           out->jet);
    darc_free(unknown);
    add_inequations(c, given, out->jet);
    /* Set free and constants of c. */
    int *order = darc_calloc((size_t)out->jet->names->count, sizeof *order);
    DARC_FILL(order, out->jet->names->count, -1);
    for (slong i = 0; i < c->equations->count; i++) {
        slong v = darc_dpoly_leader(c->equations->p + i, out->jet);
        order[out->jet->deriv[v].unknown] = out->jet->deriv[v].order;
    }
    c->free = c->constants = 0;
    for (int u = 0; u < out->jet->names->count; u++) {
        darc_kind kind = out->jet->names->symbol[u].kind;
        if (order[u] > 0)
            c->constants += order[u];
        else if (order[u] < 0 && kind == DARC_PARAMETER)
            c->constants++;
        else if (order[u] < 0 && kind != DARC_TIME)
            c->free++;
    }
    darc_free(order);
    return DARC_OK;
}

/* Return whether a and b have equations for the same unknowns. */
static bool same_unknowns(const darc_component *a, const darc_component *b,
                          const darc_jet_t jet)
{
    int *has = darc_calloc((size_t)jet->names->count, sizeof *has);
    for (slong i = 0; i < a->equations->count; i++)
        has[jet->deriv[darc_dpoly_leader(a->equations->p + i, jet)].unknown]++;
    for (slong i = 0; i < b->equations->count; i++)
        has[jet->deriv[darc_dpoly_leader(b->equations->p + i, jet)].unknown]--;
    bool same = true;
    for (int u = 0; u < jet->names->count; u++)
        same = same && has[u] == 0;
    darc_free(has);
    return same;
}

/* The number of constants is that of the degrees of freedom over the free
 * unknowns, so it compares only if there are none or they are the same. */
int darc_components_cmp(const darc_component *a, const darc_component *b,
                        const darc_jet_t jet)
{
    int c = (a->free > b->free) - (a->free < b->free);
    if (c != 0 || (a->free > 0 && !same_unknowns(a, b, jet)))
        return c;
    return (a->constants > b->constants) - (a->constants < b->constants);
}

/* Components in front are generic, then of great dimension. */
static bool stands_before(const darc_component *a, const darc_component *b)
{
    if (a->generic != b->generic)
        return a->generic;
    return a->free != b->free ? a->free > b->free : a->constants > b->constants;
}

/* Take the mark from generic components that are smaller than another one,
 * but where one leaves free as many unknowns as equations are short of, from
 * those that leave more: there equations depend on each other.  Then sort
 * (insertion: equals keep their order). */
static void mark_and_sort(darc_decomposition_t out, const darc_request *q)
{
    darc_component *c = out->component;
    const darc_names_struct *names = out->jet->names;
    bool right = false;
    slong free = -q->eq->count;
    for (int u = 0; u < names->count; u++)
        free += names->symbol[u].kind != DARC_PARAMETER &&
                names->symbol[u].kind != DARC_TIME;
    for (int i = 0; i < out->count; i++)
        right = right || (c[i].generic && c[i].free == free);
    for (int i = 0; i < out->count; i++)
        c[i].generic = c[i].generic && (!right || c[i].free <= free);
    for (int i = 0; i < out->count; i++)
        for (int j = 0; j < out->count; j++)
            if (!(right && c[j].free > free) &&
                darc_components_cmp(c + i, c + j, out->jet) < 0)
                c[i].generic = false;
    for (int i = 1; i < out->count; i++) {
        darc_component x = c[i];
        int j = i;
        for (; j > 0 && stands_before(&x, c + j - 1); j--)
            c[j] = c[j - 1];
        c[j] = x;
    }
}

static void component_clear(darc_component *c, const darc_jet_t jet)
{
    DARC_EACH_IN(darc_dpolys_clear, jet, c->equations, c->inequations);
}

void darc_decomposition_clear(darc_decomposition_t d)
{
    DARC_ALL_IN(component_clear, d->jet, d->component, d->count);
    darc_free(d->component);
    d->component = NULL;
    d->count = 0;
    darc_jet_clear(d->jet);
}

/* Return whether the low power theorem shows that c, a singular component of
 * the one equation of the system, is not essential.  f is the equation's
 * general component. */
static bool is_inessential(const darc_component *c, const darc_component *f,
                           const darc_decomposition_t out,
                           const darc_request *q)
{
    const darc_jet_struct *jet = out->jet;
    if (q->eq->count != 1 || c->equations->count != 1 ||
        f->equations->count != 1 || c->generic || !f->generic)
        return false;
    const darc_dpoly_struct *a = c->equations->p, *b = f->equations->p;
    int u = jet->deriv[darc_dpoly_leader(a, jet)].unknown;
    bool essential = true;
    if (jet->deriv[darc_dpoly_leader(b, jet)].unknown != u ||
        darc_jet_is_constant(jet, u) || darc_dpoly_cmp_rank(a, b, jet) >= 0 ||
        darc_chain_member(b, c, jet, q->budget) != DARC_TRUE)
        return false;
    return darc_lowpower(&essential, b, a, jet, q->budget) == DARC_OK &&
           !essential;
}

/* Remove the components that another one contains, last first; with
 * generic_only all that are not generic. */
static void remove_redundant(darc_decomposition_t out, const darc_request *q)
{
    const darc_component *c = out->component;
    for (int j = out->count - 1; j >= 0; j--) {
        bool redundant = q->generic_only && !c[j].generic;
        for (int i = 0; !redundant && i < out->count; i++)
            redundant =
                i != j && darc_components_cmp(c + i, c + j, out->jet) >= 0 &&
                (darc_chain_contains(c + i, c + j, out->jet, q->budget) ==
                     DARC_TRUE ||
                 is_inessential(c + j, c + i, out, q));
        if (!redundant)
            continue;
        component_clear(out->component + j, out->jet);
        out->count--;
        for (int i = j; i < out->count; i++)
            out->component[i] = out->component[i + 1];
    }
}

/* Append the equations of b to p. */
static void reach_branch(darc_partial_t p, const darc_branch *b,
                         darc_item_place place, int component)
{
    int *unknown = darc_calloc((size_t)b->A->unknowns, sizeof *unknown);
    int n = darc_autored_sorted(unknown, b->A, p->jet);
    for (int i = 0; i < n; i++) {
        const darc_dpoly_struct *f = darc_autored_get(b->A, unknown[i]);
        bool whole = f->length <= DARC_MAX_ITEM_TERMS;
        darc_item *item = darc_partial_add(
            p, place, whole ? DARC_ITEM_EQUATION : DARC_ITEM_SIZE,
            p->jet->deriv[darc_dpoly_leader(f, p->jet)], (long)f->length);
        item->component = component;
        if (whole)
            fmpz_mpoly_set(item->poly, f, p->jet->ctx);
    }
    darc_free(unknown);
}

/* Hand over the components found so far and the set A of the branch on top;
 * return whether it was taken. */
static bool reach_components(const darc_rosenfeld_t rg,
                             const darc_budget *budget)
{
    if (!darc_budget_is_read(budget))
        return true;
    darc_partial_t p;
    darc_partial_init(p, rg->jet->names, rg->jet->ranking, rg->jet->bound);
    p->done = rg->steps;
    for (slong i = 0; i < rg->regular->count; i++)
        reach_branch(p, rg->regular->branch[i], DARC_ITEM_COMPONENT, (int)i);
    if (darc_tree_top(rg->open) != NULL)
        reach_branch(p, darc_tree_top(rg->open), DARC_ITEM_CHAIN, 0);
    bool taken = darc_budget_reached(budget, p);
    darc_partial_clear(p);
    return taken;
}

/* Fails: DARC_LIMIT when the bounds of the request are passed. */
static darc_status check_bounds(darc_rosenfeld_t rg, const darc_request *q,
                                darc_err *err)
{
    rg->stuck = true;
    if (q->max_steps > 0 && rg->steps >= q->max_steps)
        return darc_fail(err, DARC_LIMIT, "more than %ld steps", q->max_steps);
    if (q->max_terms > 0 && rg->terms > q->max_terms)
        return darc_fail(err, DARC_LIMIT, "a remainder of more than %ld terms",
                         (long)q->max_terms);
    rg->stuck = false;
    return DARC_OK;
}

/* Set *grow when the frame out->jet is too small for q, which lies in it. */
static darc_status decompose(darc_decomposition_t out, const darc_request *q,
                             const darc_solution_struct *point, bool *grow,
                             darc_err *err)
{
    darc_rosenfeld_t rg;
    darc_rosenfeld_init(rg, &(darc_system){q->eq, q->ineq, out->jet},
                        q->generic_only, point, q->budget);
    /* The loop: step until done, a step fails, or a bound is passed. */
    darc_status status = DARC_OK;
    long known = -1;
    while (darc_tree_top(rg->open) != NULL) {
        DARC_TRY(check_bounds(rg, q, err));
        DARC_TRY(darc_rosenfeld_step(rg, err));
        if (rg->changes != known && reach_components(rg, q->budget))
            known = rg->changes;
    }
done:
    for (slong i = 0; status == DARC_OK && i < rg->regular->count; i++)
        status = append_component(out, rg->regular->branch[i], q->ineq,
                                  q->budget, err);
    *grow = status == DARC_LIMIT && !rg->stuck &&
            darc_budget_check(q->budget, NULL) == DARC_OK;
    DARC_EACH_IN(darc_tree_clear, rg->jet, rg->open, rg->regular);
    darc_free(rg->value);
    return status;
}

darc_status darc_components_point(darc_solution_t s, const darc_dpolys_t chain,
                                  const darc_jet_t from, const darc_jet_t jet,
                                  int number, darc_err *err)
{
    slong a = darc_frame_max_order(jet), b = darc_frame_max_order(from);
    flint_rand_t state;
    flint_randinit(state);
    ulong prime = darc_finite_random_prime(state);
    for (int i = 1; i < number; i++)
        prime = darc_finite_random_prime(state);
    darc_solution_init(s, from->names, FLINT_MAX(a, b) + 1, prime, NULL, state);
    darc_status status = darc_solution_solve(s, chain, from, state, err);
    flint_randclear(state);
    if (status != DARC_OK)
        darc_solution_clear(s);
    return status;
}

/* One attempt with the given bounds; out is initialised on success only. */
static darc_status attempt(darc_decomposition_t out, const darc_request *q,
                           const int *bound, bool *grow, darc_err *err)
{
    *out = (darc_decomposition_struct){.count = 0};
    darc_jet_init(out->jet, q->jet->names, q->jet->ranking, bound);
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_request moved = *q;
    moved.eq = eq;
    moved.ineq = ineq;
    moved.jet = out->jet;
    darc_solution_struct point = {.value = NULL};
    darc_status status;
    *grow = false;
    DARC_TRY(darc_dpolys_move(eq, out->jet, q->eq, q->jet, err));
    DARC_TRY(darc_dpolys_move(ineq, out->jet, q->ineq, q->jet, err));
    if (q->prime != NULL)
        DARC_TRY(darc_components_point(&point, q->prime, q->prime_jet, out->jet,
                                       1, err));
    DARC_TRY(
        decompose(out, &moved, q->prime != NULL ? &point : NULL, grow, err));
    mark_and_sort(out, &moved);
    remove_redundant(out, &moved);
done:
    darc_solution_clear(&point);
    DARC_EACH_IN(darc_dpolys_clear, out->jet, eq, ineq);
    if (status != DARC_OK)
        darc_decomposition_clear(out);
    return status;
}

darc_status darc_components_init(darc_decomposition_t out,
                                 const darc_request *q, darc_err *err)
{
    size_t n = (size_t)q->jet->names->count;
    int *order = darc_calloc(n, sizeof *order);
    int *bound = darc_calloc(n, sizeof *bound);
    darc_dpolys_orders(order, q->eq, q->jet);
    darc_dpolys_orders(order, q->ineq, q->jet);
    darc_frame_guess(bound, order, q->jet);
    darc_status status;
    bool grow;
    do {
        darc_err failure = {DARC_OK, ""};
        status = attempt(out, q, bound, &grow, &failure);
        grow = grow && darc_frame_grow(bound, q->jet);
        if (status != DARC_OK && !grow)
            status = darc_fail(err, status, "%s", failure.message);
    } while (grow);
    DARC_FREE(order, bound);
    return status;
}
