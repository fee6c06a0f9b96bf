#include "decide/freedom.h"

#include "identify/identify.h"
#include "projection/coeffs.h"

static slong parameters(const darc_names_struct *names)
{
    slong n = 0;
    for (int u = 0; u < names->count; u++)
        n += names->symbol[u].kind == DARC_PARAMETER;
    return n;
}

static slong dimension(const darc_ioeqs_t io, int e)
{
    darc_coeffs_t c;
    flint_rand_t rand;
    flint_randinit(rand);
    darc_coeffs_init(c, io, e, NULL);
    slong n = darc_coeffs_dimension(c, rand);
    darc_coeffs_clear(c);
    flint_randclear(rand);
    return n;
}

/* The rank of all equations together; -1 where it is not known. */
static slong rank_of_all(const darc_model *model, const darc_budget *budget)
{
    darc_identification_t id;
    if (model == NULL ||
        darc_identification_init_local(id, model, budget, NULL) != DARC_OK)
        return -1;
    slong n = id->dimension;
    darc_identification_clear(id);
    return n;
}

bool darc_freedom_is_full(const darc_model *model, const darc_ioeqs_t io, int e,
                          const darc_budget *budget)
{
    slong ratios = io->eq[e].part->count - 1, all = 0;
    if (parameters(io->jet->names) < ratios)
        return false;
    if (io->eq[e].expanded)
        return dimension(io, e) == ratios;
    for (int i = 0; i < io->count; i++)
        all += io->eq[i].part->count - 1;
    return rank_of_all(model, budget) == all;
}
