#include "chain/chain.h"

#include "base/mem.h"
#include "chain/frame.h"
#include "chain/regular.h"
#include "chain/ritt.h"

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

/* What is asked: remainder and multiplier (or NULL), whether it is 0. */
typedef struct {
    darc_dpoly_struct *r, *h;
    bool *zero;
    const darc_dpoly_struct *f;
    const darc_component *c;
    const darc_jet_struct *jet;
    const darc_budget *budget;
} request;

/* Normal form by way of the frame `wide`; *grow tells that it is too
 * small. */
static darc_status reduce_in(const request *x, const darc_jet_t wide,
                             bool *grow, darc_err *err)
{
    darc_status status;
    darc_cert_t cert;
    darc_autored_t a;
    darc_dpoly_t p, q, r;
    darc_cert_init(cert);
    darc_autored_init(a, wide);
    darc_dpoly_init(r, x->jet);
    darc_dpoly_init(p, wide);
    darc_dpoly_init(q, wide);
    const darc_ritt_options o = {.cert = x->h != NULL ? cert : NULL,
                                 .budget = x->budget};
    DARC_TRY(darc_dpoly_move(p, wide, x->f, x->jet, err));
    DARC_TRY(fill(a, x->c, wide, x->jet, err));
    status = darc_ritt_reduce(q, p, a, &o, wide, err);
    *grow = status != DARC_OK;
    if (status != DARC_OK)
        goto done;
    *x->zero = fmpz_mpoly_is_zero(q, wide->ctx);
    if (x->r != NULL)
        DARC_TRY(darc_dpoly_move(r, x->jet, q, wide, err));
    if (x->h != NULL) {
        darc_cert_multipliers(q, p, cert, wide);
        DARC_TRY(darc_dpoly_move(x->h, x->jet, q, wide, err));
    }
    if (x->r != NULL)
        fmpz_mpoly_swap(x->r, r, x->jet->ctx);
done:
    darc_dpoly_clear(r, x->jet);
    darc_dpoly_clear(p, wide);
    darc_dpoly_clear(q, wide);
    darc_autored_clear(a, wide);
    darc_cert_clear(cert, wide);
    return status;
}

static darc_status reduce(const request *x, darc_err *err)
{
    const darc_jet_struct *jet = x->jet;
    int *bound = darc_calloc((size_t)jet->names->count, sizeof *bound);
    for (int u = 0; u < jet->names->count; u++)
        bound[u] = jet->bound[u];
    darc_status status;
    bool grow;
    do {
        darc_jet_t wide;
        darc_err failure;
        darc_err_init(&failure);
        darc_jet_init(wide, jet->names, jet->ranking, bound);
        grow = false;
        status = reduce_in(x, wide, &grow, &failure);
        darc_jet_clear(wide);
        grow = grow && darc_budget_check(x->budget, NULL) == DARC_OK &&
               darc_frame_grow(bound, jet);
        if (!grow && status != DARC_OK)
            status = darc_fail(err, status, "%s", failure.message);
    } while (grow);
    darc_free(bound);
    return status;
}

darc_status darc_chain_normal_form(darc_dpoly_t r, darc_dpoly_struct *h,
                                   const darc_dpoly_t f,
                                   const darc_component *c,
                                   const darc_jet_t jet,
                                   const darc_budget *budget, darc_err *err)
{
    bool zero = false;
    const request x = {r, h, &zero, f, c, jet, budget};
    return reduce(&x, err);
}

darc_truth darc_chain_member(const darc_dpoly_t f, const darc_component *c,
                             const darc_jet_t jet, const darc_budget *budget)
{
    bool zero = false;
    const request x = {NULL, NULL, &zero, f, c, jet, budget};
    if (reduce(&x, NULL) != DARC_OK)
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
