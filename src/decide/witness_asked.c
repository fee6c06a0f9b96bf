/* witness_asked.c - the witness of a question. */
#include "decide/witness.h"

#include "base/mem.h"

bool darc_witness_is_found(const darc_question *x, const darc_estimates *a,
                           const darc_estimates *b, const bool *changed)
{
    for (int e = 0; e < x->io->count; e++)
        if (!x->io->eq[e].expanded)
            return false;
    if (x->equations < x->io->count)
        return false;
    darc_coeffs_t c;
    darc_coeffs_init(c, x->io, x->io->count > 1 ? -1 : 0, changed);
    int *place = darc_calloc((size_t)c->vectors, sizeof *place);
    for (int i = 0; i < c->vectors; i++)
        for (int q = 0; q < x->equations; q++)
            place[i] = x->equation[q] == c->equation[i] ? q : place[i];
    darc_witness_question w = {.c = c,
                               .of = {a, b},
                               .place = place,
                               .tolerance = x->by->tolerance,
                               .alpha = x->by->alpha};
    bool found = darc_witness_exists(&w, NULL, x->budget);
    darc_coeffs_clear(c);
    darc_free(place);
    return found;
}
