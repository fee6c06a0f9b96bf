#include "algebra/partial.h"

#include "base/mem.h"

void darc_partial_init(darc_partial_t p, const darc_names_t names,
                       const darc_ranking_t ranking, const int *bound)
{
    *p = (darc_partial_struct){.count = 0};
    darc_jet_init(p->jet, names, ranking, bound);
}

void darc_partial_clear(darc_partial_t p)
{
    for (int i = 0; i < p->count; i++)
        darc_dpoly_clear(p->item[i].poly, p->jet);
    darc_free(p->item);
    p->item = NULL;
    p->count = 0;
    darc_jet_clear(p->jet);
}

darc_item *darc_partial_add(darc_partial_t p, darc_item_place place,
                            darc_item_kind kind, darc_deriv leader, long terms)
{
    DARC_ROOM(p->item, p->count);
    darc_item *item = p->item + p->count++;
    *item = (darc_item){kind, place, leader, terms, 0, {{0}}};
    darc_dpoly_init(item->poly, p->jet);
    return item;
}
