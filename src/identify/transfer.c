#include "identify/transfer.h"

bool darc_transfer_is_linear(const darc_ioeqs_t io)
{
    for (slong i = 0; i < io->eq[0].part->count; i++)
        if (io->count > 1 ||
            fmpz_mpoly_total_degree_si(io->eq[0].part->p + i, io->jet->ctx) > 1)
            return false;
    return true;
}

darc_status darc_transfer_coefficients(darc_dpolys_t c, const darc_ioeqs_t io,
                                       int u, const darc_jet_t jet,
                                       const int *name, darc_err *err)
{
    int highest = darc_dpoly_order(io->eq[0].poly, u, io->jet);
    darc_status status = DARC_OK;
    darc_dpoly_t p, q;
    darc_dpoly_init(p, io->jet);
    darc_dpoly_init(q, jet);
    for (int order = 0; order <= highest && status == DARC_OK; order++) {
        slong v = darc_jet_var(io->jet, (darc_deriv){u, order});
        darc_dpoly_coeff(p, io->eq[0].poly, v, 1, io->jet);
        status = darc_dpoly_map(q, jet, p, io->jet, name, err);
        darc_dpolys_append(c, q, jet);
    }
    darc_dpoly_clear(p, io->jet);
    darc_dpoly_clear(q, jet);
    return status;
}

void darc_transfer_divide(darc_dpolys_t q, darc_dpolys_t a,
                          const darc_dpolys_t b, const darc_jet_t jet)
{
    slong n = b->count - 1;
    darc_dpoly_t t;
    darc_dpoly_init(t, jet);
    for (slong k = 0; k < a->count - n; k++)
        darc_dpolys_append(q, t, jet);
    for (slong k = q->count - 1; k >= 0; k--) {
        fmpz_mpoly_set(q->p + k, a->p + n + k, jet->ctx);
        for (slong i = 0; i < a->count; i++)
            fmpz_mpoly_mul(a->p + i, a->p + i, b->p + n, jet->ctx);
        for (slong i = 0; i <= n; i++) {
            fmpz_mpoly_mul(t, q->p + k, b->p + i, jet->ctx);
            fmpz_mpoly_sub(a->p + k + i, a->p + k + i, t, jet->ctx);
        }
        for (slong i = k + 1; i < q->count; i++)
            fmpz_mpoly_mul(q->p + i, q->p + i, b->p + n, jet->ctx);
    }
    darc_dpoly_clear(t, jet);
}
