#include "chain/chain.h"

#include "base/mem.h"
#include "chain/frame.h"
#include "chain/regular.h"
#include "chain/ritt.h"

#include <string.h>

static darc_status fill(darc_autored_t a, const darc_component *c,
                        const darc_jet_t to, const darc_jet_t from,
                        darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t p;
    darc_dpoly_init(p, to);
    for (slong i = 0; i < c->equations->count; i++) {
        DARC_TRY(darc_dpoly_move(p, to, c->equations->p + i, from, err));
        darc_autored_insert(a, p, to);
    }
done:
    darc_dpoly_clear(p, to);
    return status;
}

/* Return whether f reduces to 0 in the frame `wide`; *grow: that is too small,
 * or the budget is spent. */
static darc_truth reduces(bool *grow, const darc_dpoly_t f,
                          const darc_component *c, const darc_jet_t jet,
                          const darc_jet_t wide, const darc_budget *budget)
{
    darc_truth truth = DARC_UNKNOWN;
    darc_status status;
    darc_autored_t a;
    darc_dpoly_t p;
    darc_autored_init(a, wide);
    darc_dpoly_init(p, wide);
    const darc_ritt_options o = {.budget = budget};
    *grow = false;
    DARC_TRY(darc_dpoly_move(p, wide, f, jet, NULL));
    DARC_TRY(fill(a, c, wide, jet, NULL));
    status = darc_ritt_reduce(p, p, a, &o, wide, NULL);
    *grow = status != DARC_OK;
    if (!*grow)
        truth = fmpz_mpoly_is_zero(p, wide->ctx) ? DARC_TRUE : DARC_FALSE;
done:
    darc_dpoly_clear(p, wide);
    darc_autored_clear(a, wide);
    return truth;
}

darc_truth darc_chain_member(const darc_dpoly_t f, const darc_component *c,
                             const darc_jet_t jet, const darc_budget *budget)
{
    darc_truth truth;
    bool grow;
    size_t size = (size_t)jet->names->count * sizeof *jet->bound;
    int *bound = darc_malloc(size);
    memcpy(bound, jet->bound, size);
    do {
        darc_jet_t wide;
        darc_jet_init(wide, jet->names, jet->ranking, bound);
        truth = reduces(&grow, f, c, jet, wide, budget);
        darc_jet_clear(wide);
    } while (grow && darc_budget_check(budget, NULL) == DARC_OK &&
             darc_frame_grow(bound, jet));
    darc_free(bound);
    return truth;
}

/* Return whether initial and separant of f are proved regular modulo b. */
static bool is_squarefree_modulo(const darc_dpoly_t f, darc_autored_t b,
                                 const darc_jet_t jet)
{
    bool regular = false;
    darc_dpoly_t p;
    darc_dpoly_init(p, jet);
    darc_dpoly_initial(p, f, jet);
    if (darc_regular_test(&regular, p, b, jet, NULL) == DARC_OK && regular) {
        darc_dpoly_separant(p, f, jet);
        if (darc_regular_test(&regular, p, b, jet, NULL) != DARC_OK)
            regular = false;
    }
    darc_dpoly_clear(p, jet);
    return regular;
}

darc_truth darc_chain_contains(const darc_component *a, const darc_component *b,
                               const darc_jet_t jet, const darc_budget *budget)
{
    darc_truth truth = DARC_TRUE;
    for (slong i = 0; truth == DARC_TRUE && i < a->equations->count; i++)
        truth = darc_chain_member(a->equations->p + i, b, jet, budget);
    if (truth != DARC_TRUE)
        return truth;
    darc_autored_t set;
    darc_autored_init(set, jet);
    if (fill(set, b, jet, jet, NULL) != DARC_OK)
        truth = DARC_UNKNOWN;
    for (slong i = 0; truth == DARC_TRUE && i < a->equations->count; i++)
        if (!is_squarefree_modulo(a->equations->p + i, set, jet))
            truth = DARC_UNKNOWN;
    darc_autored_clear(set, jet);
    return truth;
}
