#include "eliminate/engine.h"

int darc_engine_core(darc_dpoly_t q, const darc_dpoly_t p, const darc_jet_t jet)
{
    int count = -1;
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, jet->ctx);
    if (fmpz_mpoly_factor(f, p, jet->ctx)) {
        count = 0;
        fmpz_mpoly_one(q, jet->ctx);
        for (slong i = 0; i < f->num; i++) {
            if (darc_dpoly_is_constant(f->poly + i, jet))
                continue;
            fmpz_mpoly_mul(q, q, f->poly + i, jet->ctx);
            count++;
        }
    }
    fmpz_mpoly_factor_clear(f, jet->ctx);
    return count;
}

bool darc_engine_has_state(const darc_dpoly_t p, const darc_jet_t jet)
{
    for (int u = 0; u < jet->names->count; u++)
        if (jet->names->symbol[u].kind == DARC_STATE &&
            darc_dpoly_order(p, u, jet) >= 0)
            return true;
    return false;
}

darc_status darc_engine_inequations(darc_ioeqs_t out, const darc_dpolys_t ineq,
                                    const darc_jet_t jet, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t q;
    darc_dpoly_init(q, out->jet);
    for (slong i = 0; i < ineq->count; i++) {
        if (darc_engine_has_state(ineq->p + i, jet))
            continue;
        DARC_TRY(darc_dpoly_move(q, out->jet, ineq->p + i, jet, err));
        if (!darc_dpolys_contains(out->inequations, q, out->jet))
            darc_dpolys_append(out->inequations, q, out->jet);
    }
done:
    darc_dpoly_clear(q, out->jet);
    return status;
}

darc_status darc_engine_model_inequations(darc_ioeqs_t out,
                                          const darc_model *model,
                                          darc_err *err)
{
    darc_jet_t jet;
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_model_frame(jet, model, NULL);
    darc_status status = darc_model_equations(eq, ineq, model, jet, err);
    DARC_THEN(darc_engine_inequations(out, ineq, jet, err));
    DARC_EACH_IN(darc_dpolys_clear, jet, eq, ineq);
    darc_jet_clear(jet);
    return status;
}
