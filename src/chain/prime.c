#include "chain/prime.h"

#include "chain/frame.h"
#include "chain/thresholds.h"

/* Blocks by kind, highest first, in which solved forms are triangular. */
static const int outputs_first[] = {[DARC_STATE] = 1,
                                    [DARC_PARAMETER] = 3,
                                    [DARC_OUTPUT] = 0,
                                    [DARC_INPUT] = 2,
                                    [DARC_TIME] = 4};
static const int together[] = {[DARC_STATE] = 0,
                               [DARC_PARAMETER] = 2,
                               [DARC_OUTPUT] = 0,
                               [DARC_INPUT] = 1,
                               [DARC_TIME] = 3};
static const int *const rankings[] = {outputs_first, together};

/* Set rk to the blocks given for each kind, empty ones left out. */
static void set_blocks(darc_ranking_t rk, const int *of_kind,
                       const darc_names_t names)
{
    bool used[5] = {false};
    int number[5], n = 0;
    for (int u = 0; u < names->count; u++)
        used[of_kind[names->symbol[u].kind]] = true;
    for (int b = 0; b < 5; b++) {
        number[b] = n;
        n += used[b];
    }
    for (int u = 0; u < names->count; u++) {
        rk->block[u] = number[of_kind[names->symbol[u].kind]];
        rk->position[u] = u;
    }
}

/* Return whether every equation of c is linear in its leader. */
static bool is_linear(const darc_component *c, const darc_jet_t jet)
{
    for (slong i = 0; i < c->equations->count; i++) {
        const darc_dpoly_struct *p = c->equations->p + i;
        if (darc_dpoly_degree(p, darc_dpoly_leader(p, jet), jet) > 1)
            return false;
    }
    return true;
}

/* Return whether component 0 is linear and larger than all others. */
static bool is_suitable(const darc_decomposition_t d)
{
    if (d->count == 0 || !is_linear(d->component, d->jet))
        return false;
    for (int i = 1; i < d->count; i++)
        if (darc_components_cmp(d->component, d->component + i, d->jet) <= 0)
            return false;
    return true;
}

/* Decompose under the given blocks. */
static darc_status try_ranking(darc_prime_t p, const int *of_kind,
                               const darc_request *q)
{
    darc_status status;
    darc_ranking_t rk;
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    darc_ranking_init(rk, q->jet->names->count);
    set_blocks(rk, of_kind, q->jet->names);
    darc_jet_init(jet, q->jet->names, rk, q->jet->bound);
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
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
    DARC_TRY(darc_frame_move_all(eq, jet, q->eq, q->jet, NULL));
    DARC_TRY(darc_frame_move_all(ineq, jet, q->ineq, q->jet, NULL));
    DARC_TRY(darc_components_init(p->d, &r, NULL));
    p->found = is_suitable(p->d);
    p->whole = p->d->count == 1;
    if (!p->found)
        darc_decomposition_clear(p->d);
done:
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
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
        darc_status status = darc_budget_check(q->budget, err);
        if (status != DARC_OK)
            return status;
    }
    return DARC_OK;
}

void darc_prime_clear(darc_prime_t p)
{
    if (p->found)
        darc_decomposition_clear(p->d);
    p->found = false;
}
