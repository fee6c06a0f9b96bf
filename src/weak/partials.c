/* partials.c - partial derivatives along a piece, and the sensitivities of
 * equations that they add up to. */
#include "weak/piece.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "stats/smoother.h"
#include "weak/stamps.h"
#include "weak/thresholds.h"

#include <math.h>
#include <string.h>

/* Return the room of a slot, made when first asked for. */
static double *room(double **slot, size_t n)
{
    if (*slot == NULL)
        *slot = darc_calloc(n, sizeof **slot);
    return *slot;
}

/* Set calm[v] to the variable without what lies above the band of the test
 * functions: polynomials of degree 6, so that little else is changed.  Noisy
 * variables alone need it; estimated derivatives are smooth already, and steps
 * of less than 4 samples leave nothing to average. */
static void calm_variable(darc_weak_work *work, int v)
{
    const darc_weak *weak = work->weak;
    int n = work->samples, h = (int)(DARC_WEAK_CALM * weak->step);
    double *to = work->calm[v];
    memcpy(to, work->x[v], (size_t)n * sizeof *to);
    if (weak->var[v].paths == 0 || weak->var[v].half > 0 ||
        weak->var[v].sign != NULL || h < 4 || n <= 2 * h)
        return;
    double *weight = darc_calloc(2 * (size_t)h + 1, sizeof *weight);
    darc_smoother_weights(weight, h, 0, weak->dt);
    memset(to + h, 0, (size_t)(n - 2 * h) * sizeof *to);
    for (int s = -h; s <= h; s++)
        darc_lanes_add(to + h, weight[s + h], work->x[v] + h + s,
                       (size_t)(n - 2 * h));
    darc_free(weight);
}

static void load_second(darc_weak_work *work, int g, const double *const *x)
{
    const darc_weak *weak = work->weak;
    for (int p = 0; p < weak->pairs; p++) {
        int i = g * weak->pairs + p;
        darc_laurent second;
        darc_laurent_diff(&second, weak->group[g].by + weak->pair[p].v,
                          weak->pair[p].w);
        if (second.count > 0)
            darc_laurent_eval(room(work->second + i, work->capacity), &second,
                              x, (size_t)work->samples);
        darc_laurent_clear(&second);
    }
}

/* Set partial derivative `by` of group g by variable v along the piece.  The
 * noise of a sign is that of its derivative, times its slope. */
static void load_partial(darc_weak_work *work, int g, int v,
                         const double *const *x)
{
    const darc_weak *weak = work->weak;
    const darc_weak_var *var = weak->var + v;
    const darc_laurent *by = weak->group[g].by + v;
    int i = g * weak->vars + v, n = work->samples;
    bool number = darc_laurent_is_number(by, work->number + i);
    if (number && var->sign == NULL)
        return;
    double *to = room(work->by + i, work->capacity);
    if (!number)
        darc_laurent_eval(to, by, x, (size_t)n);
    for (int t = 0; t < n && var->sign != NULL; t++) {
        double at = fabs(work->x[v][t]),
               slope = number ? work->number[i] : to[t];
        to[t] = 0 < at && at < 1 ? slope / var->still : 0;
    }
}

void darc_weak_load_partials(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    const double *x[DARC_LAURENT_VARS] = {NULL};
    if (work->partial == work->piece)
        return;
    work->partial = work->piece;
    darc_weak_stamps_place(work);
    for (int v = 0; v < weak->vars; v++) {
        x[v] = work->x[v];
        if (weak->linear)
            continue;
        calm_variable(work, v);
        x[v] = work->calm[v];
    }
    for (int g = 0; g < weak->groups; g++) {
        for (int v = 0; v < weak->vars; v++)
            if (weak->group[g].noisy[v])
                load_partial(work, g, v, x);
        load_second(work, g, x);
    }
}

/* s += c times a partial derivative: f, or a number where f is NULL. */
static void add_sensitivity(darc_weak_work *work, double **slot, double c,
                            const double *f, double number)
{
    double *s = room(slot, work->capacity);
    if (f != NULL)
        darc_lanes_add(s, c, f, (size_t)work->samples);
    else
        for (int t = 0; t < work->samples; t++)
            s[t] += c * number;
}

static void clear_slots(const darc_weak_work *work, double **slot, int n)
{
    for (int i = 0; i < n; i++)
        if (slot[i] != NULL)
            memset(slot[i], 0, (size_t)work->samples * sizeof **slot);
}

void darc_weak_at(darc_weak_work *work, const double *c)
{
    const darc_weak *weak = work->weak;
    clear_slots(work, work->s, weak->equations * weak->vars * weak->shapes);
    clear_slots(work, work->s2, weak->equations * weak->pairs * weak->shapes);
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        double cj = c[group->coeff];
        int shape = darc_weak_shape(weak, group, group->order);
        for (int v = 0; v < weak->vars && cj != 0; v++) {
            int i = g * weak->vars + v;
            int at = (group->equation * weak->vars + v) * weak->shapes;
            if (group->noisy[v])
                add_sensitivity(work, work->s + at + shape, cj, work->by[i],
                                work->number[i]);
        }
        for (int p = 0; p < weak->pairs && cj != 0; p++) {
            const double *f = work->second[g * weak->pairs + p];
            int at = (group->equation * weak->pairs + p) * weak->shapes;
            if (f != NULL)
                add_sensitivity(work, work->s2 + at + shape,
                                cj * weak->pair[p].sd, f, 0);
        }
    }
}
