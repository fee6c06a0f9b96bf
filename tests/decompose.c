#include "decompose.h"

#include <check.h>

void verify(const darc_decomposition_t d, const ring *r)
{
    for (int i = 0; i < d->count; i++) {
        const darc_component *c = d->component + i;
        darc_dpoly_t p;
        darc_dpoly_init(p, d->jet);
        for (slong k = 0; k < r->eq->count; k++) {
            ck_assert(darc_dpoly_move(p, d->jet, r->eq->p + k, r->jet, NULL) ==
                      DARC_OK);
            ck_assert(darc_chain_member(p, c, d->jet, NULL) == DARC_TRUE);
        }
        for (slong k = 0; k < c->inequations->count; k++)
            ck_assert(darc_chain_member(c->inequations->p + k, c, d->jet,
                                        NULL) == DARC_FALSE);
        darc_dpoly_clear(p, d->jet);
    }
}

void decompose(darc_decomposition_t d, ring *r, const example *x,
               bool generic_only)
{
    ring_init(r, x->names, x->ranking, 4, x->eq, x->ineq);
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_elim(d, &(darc_system){r->eq, r->ineq, r->jet},
                                   generic_only, NULL, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    verify(d, r);
}

void finish(darc_decomposition_t d, ring *r)
{
    darc_decomposition_clear(d);
    ring_clear(r);
}

const darc_dpoly_struct *equation(const darc_decomposition_t d, int i, slong k)
{
    ck_assert_int_gt(d->count, i);
    ck_assert_int_gt(d->component[i].equations->count, k);
    return d->component[i].equations->p + k;
}
