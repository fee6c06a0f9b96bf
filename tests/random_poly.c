#include "random_poly.h"

#include <stdlib.h>

void random_poly(darc_dpoly_t p, int terms, int degree, int order,
                 darc_rng *rng, const darc_jet_t jet)
{
    ulong *e = calloc((size_t)jet->vars, sizeof *e);
    fmpz_mpoly_zero(p, jet->ctx);
    for (int i = 0; i < terms; i++) {
        for (slong v = 0; v < jet->vars; v++)
            e[v] = jet->deriv[v].order > order || darc_rng_next(rng) % 2 == 0
                       ? 0
                       : darc_rng_next(rng) % (ulong)(degree + 1);
        fmpz_mpoly_push_term_si_ui(p, (slong)(darc_rng_next(rng) % 19) - 9, e,
                                   jet->ctx);
    }
    fmpz_mpoly_sort_terms(p, jet->ctx);
    fmpz_mpoly_combine_like_terms(p, jet->ctx);
    free(e);
}
