#include "chain/elim.h"

#include "base/mem.h"
#include "chain/components.h"
#include "chain/thresholds.h"

/* Return whether every equation of c vanishes, and no inequation does, at a
 * random point of the prime component other than the one that led to c. */
static bool holds_on_prime(const darc_component *c, const darc_jet_t jet,
                           const darc_prime_t prime)
{
    darc_solution_t s;
    if (darc_components_point(s, prime->d->component->equations, prime->d->jet,
                              jet, 2, NULL) != DARC_OK)
        return false;
    ulong *value = darc_calloc((size_t)jet->vars, sizeof *value);
    darc_solution_values(value, s, jet);
    bool holds = true;
    for (slong i = 0; holds && i < c->equations->count; i++)
        holds =
            darc_finite_eval(c->equations->p + i, value, s->mod, jet->ctx) == 0;
    for (slong i = 0; holds && i < c->inequations->count; i++)
        holds = darc_finite_eval(c->inequations->p + i, value, s->mod,
                                 jet->ctx) != 0;
    darc_free(value);
    darc_solution_clear(s);
    return holds;
}

/* Follow the prime component alone.  *done tells whether that worked, which
 * is certain up to the second point: the equations of the one component
 * found vanish on the prime one, and it has the same dimension. */
static darc_status follow_prime(darc_decomposition_t out, const darc_request *q,
                                const darc_prime_t prime, bool *done,
                                darc_err *err)
{
    darc_request r = *q;
    r.generic_only = true;
    r.prime = prime->d->component->equations;
    r.prime_jet = prime->d->jet;
    DARC_NEED(darc_components_init(out, &r, err));
    const darc_component *chain = prime->d->component;
    *done =
        out->count == 1 && out->component->free == chain->free &&
        (chain->free > 0 || out->component->constants == chain->constants) &&
        holds_on_prime(out->component, out->jet, prime);
    if (!*done)
        darc_decomposition_clear(out);
    return DARC_OK;
}

darc_status darc_elim(darc_decomposition_t out, const darc_system *s,
                      bool generic_only, const darc_budget *budget,
                      darc_err *err)
{
    const darc_request q = {.eq = s->eq,
                            .ineq = s->ineq,
                            .jet = s->jet,
                            .generic_only = generic_only,
                            .budget = budget};
    *out = (darc_decomposition_struct){.count = 0};
    bool done = false;
    darc_prime_t prime;
    darc_status status = darc_prime_init(prime, &q, err);
    if (status != DARC_OK)
        return status;
    if (prime->found && (prime->whole || generic_only))
        status = follow_prime(out, &q, prime, &done, err);
    if (status == DARC_OK && !done)
        status = darc_components_init(out, &q, err);
    darc_prime_clear(prime);
    return status;
}

/* Blocks by kind, highest first, in which solved forms are triangular. */
static const int rankings[][5] = {{[DARC_STATE] = 1,
                                   [DARC_PARAMETER] = 3,
                                   [DARC_OUTPUT] = 0,
                                   [DARC_INPUT] = 2,
                                   [DARC_TIME] = 4},
                                  {[DARC_STATE] = 0,
                                   [DARC_PARAMETER] = 2,
                                   [DARC_OUTPUT] = 0,
                                   [DARC_INPUT] = 1,
                                   [DARC_TIME] = 3}};

/* Return whether component 0 is linear in its leaders and larger than all
 * others. */
static bool is_suitable(const darc_decomposition_t d)
{
    bool suitable = d->count > 0;
    for (slong i = 0; suitable && i < d->component->equations->count; i++) {
        const darc_dpoly_struct *p = d->component->equations->p + i;
        suitable =
            darc_dpoly_degree(p, darc_dpoly_leader(p, d->jet), d->jet) <= 1;
    }
    for (int i = 1; suitable && i < d->count; i++)
        suitable =
            darc_components_cmp(d->component, d->component + i, d->jet) > 0;
    return suitable;
}

/* Decompose under the given blocks. */
static darc_status try_ranking(darc_prime_t p, const int *of_kind,
                               const darc_request *q)
{
    darc_status status;
    darc_ranking_t rk;
    darc_jet_t jet;
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_ranking_init(rk, q->jet->names->count);
    for (int u = 0; u < q->jet->names->count; u++)
        rk->block[u] = of_kind[q->jet->names->symbol[u].kind];
    darc_jet_init(jet, q->jet->names, rk, q->jet->bound);
    darc_budget silent; /* what another ranking reaches is no result */
    darc_budget_init(&silent);
    if (q->budget != NULL)
        silent = *q->budget;
    silent.reached = NULL;
    const darc_request r = {.eq = eq,
                            .ineq = ineq,
                            .jet = jet,
                            .budget = &silent,
                            .max_steps = DARC_PRIME_STEPS * (q->eq->count + 1),
                            .max_terms = DARC_PRIME_TERMS};
    DARC_TRY(darc_dpolys_move(eq, jet, q->eq, q->jet, NULL));
    DARC_TRY(darc_dpolys_move(ineq, jet, q->ineq, q->jet, NULL));
    DARC_TRY(darc_components_init(p->d, &r, NULL));
    p->found = is_suitable(p->d);
    p->whole = p->d->count == 1;
    if (!p->found)
        darc_decomposition_clear(p->d);
done:
    DARC_EACH_IN(darc_dpolys_clear, jet, eq, ineq);
    darc_jet_clear(jet);
    darc_ranking_clear(rk);
    return status;
}

darc_status darc_prime_init(darc_prime_t p, const darc_request *q,
                            darc_err *err)
{
    *p = (darc_prime_struct){.found = false};
    for (size_t i = 0; i < sizeof rankings / sizeof *rankings; i++) {
        if (p->found || try_ranking(p, rankings[i], q) == DARC_OK)
            continue;
        DARC_NEED(darc_budget_check(q->budget, err));
    }
    return DARC_OK;
}

void darc_prime_clear(darc_prime_t p)
{
    if (p->found)
        darc_decomposition_clear(p->d);
    p->found = false;
}
