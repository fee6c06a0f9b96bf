#include "weak/origin.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "weak/system.h"

#include <string.h>

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

/* The variable of the unknown itself; -1: none. */
static int plain_variable(const darc_weak *weak, int unknown)
{
    for (int v = 0; v < weak->vars; v++)
        if (weak->var[v].deriv.unknown == unknown &&
            weak->var[v].deriv.order == 0)
            return v;
    return -1;
}

/* Whether constants take up the origin of variable v wherever it stands. */
static bool is_free(const darc_weak *weak, int v)
{
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        double slope;
        if (group->by[v].count > 0 &&
            (!darc_laurent_is_number(group->by + v, &slope) ||
             (group->order == 0 &&
              darc_origin_offset(weak, group->equation) < 0)))
            return false;
    }
    return weak->var[v].value != NULL;
}

/* Add to the constants in c what the equations are without `mean` of variable
 * v. */
static void move(double *c, const darc_weak *weak, int v, double mean)
{
    for (int q = 0; q < weak->equations; q++) {
        double sum = 0, own = 0, value;
        int offset = darc_origin_offset(weak, q);
        for (int g = 0; g < weak->groups && offset >= 0; g++) {
            const darc_weak_group *group = weak->group + g;
            if (group->equation != q || group->order > 0)
                continue;
            if (darc_laurent_is_number(group->by + v, &value))
                sum += c[group->coeff] * value * mean;
            if (group->coeff == offset &&
                darc_laurent_is_number(&group->g, &value))
                own += value;
        }
        if (offset >= 0 && own != 0)
            c[offset] += sum / own;
    }
}

void darc_centred_init(darc_centred *to, const darc_weak *weak, const double *c,
                       darc_weak_signal *signal, int unknowns)
{
    size_t j = (size_t)weak->coeffs;
    *to = (darc_centred){.unknowns = unknowns};
    to->value = darc_calloc((size_t)unknowns + 1, sizeof *to->value);
    to->c = darc_malloc(j * sizeof *to->c);
    memcpy(to->c, c, j * sizeof *to->c);
    for (int u = 0; u < unknowns; u++) {
        int v = plain_variable(weak, u);
        if (v < 0 || !is_free(weak, v))
            continue;
        const double *was = signal[u].value;
        double mean = darc_lanes_mean(was, NULL, weak->table);
        size_t n = weak->table->samples;
        signal[u].value = to->value[u] = darc_malloc(n * sizeof *was);
        for (size_t t = 0; t < n; t++)
            to->value[u][t] = was[t] - mean;
        move(to->c, weak, v, mean);
    }
}

void darc_centred_clear(darc_centred *to)
{
    for (int u = 0; u < to->unknowns; u++)
        darc_free(to->value[u]);
    DARC_FREE(to->value, to->c);
    *to = (darc_centred){0};
}
