#include "algebra/dpoly.h"

#include "base/mem.h"

#include <assert.h>

/* Set q to q + dp/dv * (derivative of v). */
static darc_status add_chain_term(darc_dpoly_t q, const darc_dpoly_t p, slong v,
                                  const darc_jet_t jet, darc_err *err)
{
    darc_deriv d = jet->deriv[v];
    darc_kind kind = jet->names->symbol[d.unknown].kind;
    if (kind == DARC_PARAMETER)
        return DARC_OK;
    slong next = darc_jet_var(jet, (darc_deriv){d.unknown, d.order + 1});
    if (kind != DARC_TIME && next < 0)
        return darc_fail(err, DARC_LIMIT,
                         "derivative %d of '%s' lies outside the frame",
                         d.order + 1, jet->names->symbol[d.unknown].name);

    darc_dpoly_t partial, factor;
    darc_dpoly_init(partial, jet);
    darc_dpoly_init(factor, jet);
    fmpz_mpoly_derivative(partial, p, v, jet->ctx);
    if (kind != DARC_TIME) {
        fmpz_mpoly_gen(factor, next, jet->ctx);
        fmpz_mpoly_mul(partial, partial, factor, jet->ctx);
    }
    fmpz_mpoly_add(q, q, partial, jet->ctx);
    darc_dpoly_clear(partial, jet);
    darc_dpoly_clear(factor, jet);
    return DARC_OK;
}

darc_status darc_dpoly_diff(darc_dpoly_t q, const darc_dpoly_t p,
                            const darc_jet_t jet, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t sum;
    darc_dpoly_init(sum, jet);
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    darc_dpoly_used(used, p, jet);
    for (slong v = 0; v < jet->vars; v++)
        if (used[v])
            DARC_TRY(add_chain_term(sum, p, v, jet, err));
    fmpz_mpoly_swap(q, sum, jet->ctx);
done:
    darc_free(used);
    darc_dpoly_clear(sum, jet);
    return status;
}

darc_status darc_dpoly_diff_n(darc_dpoly_t q, const darc_dpoly_t p, int n,
                              const darc_jet_t jet, darc_err *err)
{
    assert(n >= 0);
    darc_status status = DARC_OK;
    darc_dpoly_t r;
    darc_dpoly_init(r, jet);
    fmpz_mpoly_set(r, p, jet->ctx);
    for (int k = 0; k < n; k++)
        DARC_TRY(darc_dpoly_diff(r, r, jet, err));
    fmpz_mpoly_swap(q, r, jet->ctx);
done:
    darc_dpoly_clear(r, jet);
    return status;
}
