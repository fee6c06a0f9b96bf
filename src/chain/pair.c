#include "chain/pair.h"

#include <assert.h>

bool darc_pair_exists(const darc_dpoly_t g, const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(g, jet);
    assert(v >= 0);
    return darc_jet_is_constant(jet, jet->deriv[v].unknown);
}

darc_status darc_pair_delta(darc_dpoly_t q, const darc_dpoly_t g,
                            const darc_jet_t jet, darc_err *err)
{
    assert(darc_pair_exists(g, jet));
    return darc_dpoly_diff(q, g, jet, err);
}
