#include "chain/elim.h"

#include "base/mem.h"
#include "chain/components.h"
#include "chain/prime.h"

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
static darc_status follow(darc_decomposition_t out, const darc_request *q,
                          const darc_prime_t prime, bool *done, darc_err *err)
{
    darc_request r = *q;
    r.generic_only = true;
    r.prime = prime->d->component->equations;
    r.prime_jet = prime->d->jet;
    darc_status status = darc_components_init(out, &r, err);
    if (status != DARC_OK)
        return status;
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
        status = follow(out, &q, prime, &done, err);
    if (status == DARC_OK && !done)
        status = darc_components_init(out, &q, err);
    darc_prime_clear(prime);
    return status;
}
