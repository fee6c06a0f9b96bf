#include "darc/chain.h"

#include "base/mem.h"
#include "chain/frame.h"
#include "chain/regular.h"
#include "chain/ritt.h"

#include <assert.h>

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

/* Normal form by way of the frame `wide`; *wider tells that it is too
 * small. */
static darc_status reduce_in(darc_dpoly_t r, darc_dpoly_struct *h,
                             const darc_dpoly_t f, const darc_component *c,
                             const darc_jet_t jet, const darc_jet_t wide,
                             const darc_budget *budget, bool *wider,
                             darc_err *err)
{
    darc_status status;
    darc_cert_t cert;
    darc_autored_t a;
    darc_dpoly_t p, q, one;
    darc_ritt_options o = {.budget = budget};
    darc_cert_init(cert);
    darc_autored_init(a, wide);
    darc_dpoly_init(p, wide);
    darc_dpoly_init(q, wide);
    darc_dpoly_init(one, wide);
    o.cert = h != NULL ? cert : NULL;
    DARC_TRY(darc_dpoly_move(p, wide, f, jet, err));
    DARC_TRY(fill(a, c, wide, jet, err));
    status = darc_ritt_reduce(q, p, a, &o, wide, err);
    *wider = status != DARC_OK;
    if (status != DARC_OK)
        goto done;
    DARC_TRY(darc_dpoly_move(r, jet, q, wide, err));
    if (h != NULL) {
        darc_cert_multipliers(q, one, cert, wide);
        DARC_TRY(darc_dpoly_move(h, jet, q, wide, err));
    }
done:
    darc_dpoly_clear(p, wide);
    darc_dpoly_clear(q, wide);
    darc_dpoly_clear(one, wide);
    darc_autored_clear(a, wide);
    darc_cert_clear(cert, wide);
    return status;
}

darc_status darc_chain_normal_form(darc_dpoly_t r, darc_dpoly_struct *h,
                                   const darc_dpoly_t f,
                                   const darc_component *c,
                                   const darc_jet_t jet,
                                   const darc_budget *budget, darc_err *err)
{
    int *bound = darc_calloc((size_t)jet->names->count, sizeof *bound);
    for (int u = 0; u < jet->names->count; u++)
        bound[u] = jet->bound[u];
    darc_status status;
    bool wider;
    do {
        darc_jet_t wide;
        darc_err failure;
        darc_err_init(&failure);
        darc_jet_init(wide, jet->names, jet->ranking, bound);
        wider = false;
        status = reduce_in(r, h, f, c, jet, wide, budget, &wider, &failure);
        darc_jet_clear(wide);
        wider = wider && darc_budget_check(budget, err) == DARC_OK &&
                darc_frame_grow(bound, jet);
        if (!wider && status != DARC_OK)
            status = darc_fail(err, status, "%s", failure.message);
    } while (wider);
    darc_free(bound);
    return status;
}

darc_truth darc_chain_member(const darc_dpoly_t f, const darc_component *c,
                             const darc_jet_t jet, const darc_budget *budget)
{
    darc_dpoly_t r;
    darc_dpoly_init(r, jet);
    darc_err err;
    darc_err_init(&err);
    darc_status status =
        darc_chain_normal_form(r, NULL, f, c, jet, budget, &err);
    bool zero = fmpz_mpoly_is_zero(r, jet->ctx);
    darc_dpoly_clear(r, jet);
    if (status != DARC_OK)
        return DARC_UNKNOWN;
    return zero ? DARC_TRUE : DARC_FALSE;
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
