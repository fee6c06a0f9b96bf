#include "algebra/dpoly.h"

#include "base/mem.h"

#include <assert.h>

slong darc_dpoly_leader(const darc_dpoly_t p, const darc_jet_t jet)
{
    if (fmpz_mpoly_is_fmpz(p, jet->ctx))
        return -1;
    /* The order is lexicographic: the first term holds the leader. */
    ulong *exp = darc_calloc((size_t)jet->vars, sizeof *exp);
    fmpz_mpoly_get_term_exp_ui(exp, p, 0, jet->ctx);
    slong v = 0;
    while (exp[v] == 0)
        v++;
    darc_free(exp);
    return v;
}

slong darc_dpoly_degree(const darc_dpoly_t p, slong v, const darc_jet_t jet)
{
    assert(v >= 0 && v < jet->vars);
    return fmpz_mpoly_degree_si(p, v, jet->ctx);
}

void darc_dpoly_coeff(darc_dpoly_t q, const darc_dpoly_t p, slong v, slong d,
                      const darc_jet_t jet)
{
    assert(v >= 0 && v < jet->vars && d >= 0);
    ulong exp = (ulong)d;
    fmpz_mpoly_get_coeff_vars_ui(q, p, &v, &exp, 1, jet->ctx);
}

void darc_dpoly_initial(darc_dpoly_t q, const darc_dpoly_t p,
                        const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(p, jet);
    assert(v >= 0);
    darc_dpoly_coeff(q, p, v, darc_dpoly_degree(p, v, jet), jet);
}

void darc_dpoly_separant(darc_dpoly_t q, const darc_dpoly_t p,
                         const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(p, jet);
    assert(v >= 0);
    fmpz_mpoly_derivative(q, p, v, jet->ctx);
}

int darc_dpoly_cmp_rank(const darc_dpoly_t p, const darc_dpoly_t q,
                        const darc_jet_t jet)
{
    slong a = darc_dpoly_leader(p, jet), b = darc_dpoly_leader(q, jet);
    if (a < 0 || b < 0)
        return (a >= 0) - (b >= 0);
    if (a != b)
        return a < b ? 1 : -1; /* variable 0 is the highest */
    slong m = darc_dpoly_degree(p, a, jet), n = darc_dpoly_degree(q, b, jet);
    return (m > n) - (m < n);
}
