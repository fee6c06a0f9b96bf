#include "fit/origin.h"

#include "weak/parts.h"

int darc_origin_offset(const darc_weak *weak, int q)
{
    int found = -1;
    for (int g = 0; g < weak->groups; g++) {
        double value;
        const darc_weak_group *group = weak->group + g;
        if (group->equation == q && group->order == 0 &&
            darc_laurent_is_number(&group->g, &value) && value != 0)
            found = group->coeff;
    }
    for (int g = 0; g < weak->groups && found >= 0; g++) {
        double value;
        if (weak->group[g].coeff == found &&
            !(weak->group[g].order == 0 &&
              darc_laurent_is_number(&weak->group[g].g, &value)))
            return -1;
    }
    return found;
}

/* Whether a shift of variable v changes equation q by a constant alone. */
static bool shifts_freely(const darc_weak *weak, int q, int v)
{
    bool plain = false;
    for (int g = 0; g < weak->groups; g++) {
        double slope;
        const darc_weak_group *group = weak->group + g;
        if (group->equation != q || group->by[v].count == 0)
            continue;
        if (!darc_laurent_is_number(group->by + v, &slope))
            return false;
        plain = plain || group->order == 0;
    }
    return plain;
}

bool darc_origin_is_free(const darc_weak *weak, int q)
{
    bool found = false;
    for (int v = 0; v < weak->vars && darc_origin_offset(weak, q) >= 0; v++)
        found =
            found || (weak->var[v].deriv.order == 0 &&
                      weak->var[v].value != NULL && shifts_freely(weak, q, v));
    return found;
}

void darc_origin_offsets(int *offset, const darc_weak *weak)
{
    for (int q = 0; q < weak->equations; q++)
        offset[q] = darc_origin_offset(weak, q);
}
