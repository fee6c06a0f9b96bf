#include "modular/ring.h"

#include "base/mem.h"
#include "modular/thresholds.h"

#include <math.h>
#include <stdarg.h>

void darc_mpoly_inits(const nmod_mpoly_ctx_t ctx, ...)
{
    va_list list;
    va_start(list, ctx);
    for (darc_mpoly *p; (p = va_arg(list, darc_mpoly *)) != NULL;)
        nmod_mpoly_init(p, ctx);
    va_end(list);
}

void darc_mpoly_clears(const nmod_mpoly_ctx_t ctx, ...)
{
    va_list list;
    va_start(list, ctx);
    for (darc_mpoly *p; (p = va_arg(list, darc_mpoly *)) != NULL;)
        nmod_mpoly_clear(p, ctx);
    va_end(list);
}

void darc_ring_init(darc_ring_t ring, slong vars, ulong p,
                    const darc_budget *budget)
{
    *ring = (darc_ring_struct){.vars = vars, .side = vars, .budget = budget};
    nmod_mpoly_ctx_init(ring->ctx, vars, ORD_LEX, p);
    nmod_init(&ring->mod, p);
    ring->point = darc_calloc((size_t)vars, sizeof *ring->point);
    flint_randinit(ring->rand);
    flint_randseed(ring->rand, 1, 2);
    ring->work_limit =
        budget != NULL && budget->work > 0 ? budget->work : HUGE_VAL;
}

void darc_ring_clear(darc_ring_t ring)
{
    darc_free(ring->point);
    flint_randclear(ring->rand);
    nmod_mpoly_ctx_clear(ring->ctx);
}

darc_status darc_ring_check(const darc_ring_t ring, darc_err *err)
{
    if (ring->work > ring->work_limit)
        return darc_fail(err, DARC_LIMIT, "a dearer way");
    return darc_budget_check(ring->budget, err);
}

ulong darc_ring_value(const darc_mpoly *f, const darc_ring_t ring)
{
    return nmod_mpoly_evaluate_all_ui(f, ring->point, ring->ctx);
}

slong darc_ring_degree(const darc_mpoly *f, slong v, const darc_ring_t ring)
{
    return nmod_mpoly_degree_si(f, v, ring->ctx);
}

void darc_split_init(darc_split *s, const darc_mpoly *f, slong v,
                     const darc_ring_t ring)
{
    s->degree = darc_ring_degree(f, v, ring);
    s->c = darc_calloc((size_t)(s->degree + 1), sizeof *s->c);
    for (slong d = 0; d <= s->degree; d++)
        nmod_mpoly_init(s->c + d, ring->ctx);
    nmod_mpoly_univar_t u;
    nmod_mpoly_univar_init(u, ring->ctx);
    nmod_mpoly_to_univar(u, f, v, ring->ctx);
    for (slong i = 0; i < nmod_mpoly_univar_length(u, ring->ctx); i++) {
        slong d = nmod_mpoly_univar_get_term_exp_si(u, i, ring->ctx);
        nmod_mpoly_univar_swap_term_coeff(s->c + d, u, i, ring->ctx);
    }
    nmod_mpoly_univar_clear(u, ring->ctx);
}

void darc_split_clear(darc_split *s, const darc_ring_t ring)
{
    for (slong d = 0; d <= s->degree; d++)
        nmod_mpoly_clear(s->c + d, ring->ctx);
    darc_free(s->c);
}
