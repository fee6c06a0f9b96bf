/* drift_likelihood.c - the course of parameters that recordings share. */
#include "diagnose/drift_sequence.h"

#include "base/mem.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* Return what values [a, b) leave that share parameters, over the variance of
 * noise; set what they say of function k. */
static double share(const darc_sequence *s, int a, int b, int k, double *value,
                    double *sd)
{
    const darc_drift_parameters *by = s->c->by_parameters;
    const darc_estimates **e = darc_malloc((size_t)(b - a) * sizeof *e);
    for (int i = a; i < b; i++)
        e[i - a] = s->c->fit[s->recording[i]];
    double left = by->together(by->user, e, b - a, s->column[k], value, sd);
    darc_free((void *)e);
    return left;
}

bool darc_sequence_share(const darc_sequence *s, const darc_course *c, int k,
                         int stretch, double *x, double *weight)
{
    double value, sd;
    if (s->c->by_parameters == NULL || s->q > 0 || c->line)
        return false;
    share(s, darc_course_bound(c, stretch, s->n),
          darc_course_bound(c, stretch + 1, s->n), k, &value, &sd);
    sd /= fabs(s->log[k] ? value : s->scale[k]);
    *weight = isfinite(sd) ? 1 / (sd * sd) : 0;
    *x = s->log[k] ? log(fabs(value)) : value / s->scale[k];
    return true;
}

int darc_sequence_alone(const darc_sequence *s, const darc_course *c, int step,
                        darc_parted *out, bool *only)
{
    const darc_drift_parameters *by = s->c->by_parameters;
    int p = s->c->fit[s->c->reference]->coeffs, best = -1, count = 0;
    if (by == NULL || s->q > 0 || c->line || p < 2)
        return -1;
    int a = darc_course_bound(c, step, s->n), b = c->at[step];
    int n = darc_course_bound(c, step + 2, s->n) - a;
    darc_parted *one = darc_malloc((size_t)p * sizeof *one);
    const darc_estimates **e = darc_malloc((size_t)n * sizeof *e);
    for (int i = 0; i < n; i++)
        e[i] = s->c->fit[s->recording[a + i]];
    double v, sd,
        apart = share(s, a, b, 0, &v, &sd) + share(s, b, a + n, 0, &v, &sd);
    bool known = by->part(by->user, e, n, b - a, one);
    for (int k = 0; k < p && known; k++) {
        double more = fmax(one[k].left - apart, 0);
        if (!(one[k].sd < HUGE_VAL) ||
            darc_stats_squares_sf(more, p - 1, s->error_dof) <
                s->c->x->by->alpha)
            continue;
        count++;
        if (best < 0 || one[k].left < one[best].left)
            best = k;
    }
    *only = count == 1;
    *out = best >= 0 ? one[best] : (darc_parted){0};
    DARC_FREE((void *)e, one);
    return best;
}

/* Return what a step at b between [a, c) gains. */
static double gain_of(const darc_sequence *s, int a, int b, int c)
{
    double v, sd;
    return share(s, a, c, 0, &v, &sd) - share(s, a, b, 0, &v, &sd) -
           share(s, b, c, 0, &v, &sd);
}

/* Return the p-value of a gain: of all parameters, those that no recording
 * tells by itself too. */
static double p_of(const darc_sequence *s, double gain)
{
    return darc_stats_squares_sf(
        fmax(gain, 0), s->c->fit[s->c->reference]->coeffs, s->error_dof);
}

/* Set *at to the best place of a step between [a, c), from where it is (0:
 * nowhere); return whether there is one, at half the level over all places. */
static bool place_step(const darc_sequence *s, int a, int *at, int c)
{
    double most = -HUGE_VAL;
    for (int b = a + 1; b < c; b++) {
        double gain = gain_of(s, a, b, c);
        if (!(gain > most))
            continue;
        most = gain;
        *at = b;
    }
    return p_of(s, most) * (s->n - 1) < s->c->x->by->alpha / 2;
}

void darc_sequence_confirm(darc_course *c, const darc_sequence *s)
{
    if (s->c->by_parameters == NULL || s->q > 0 || s->p == 0 || s->n < 2)
        return;
    c->line = c->line &&
              p_of(s, gain_of(s, 0, s->n / 2, s->n)) < s->c->x->by->alpha / 2;
    for (int k = 0; k < c->steps;) {
        if (place_step(s, darc_course_bound(c, k, s->n), c->at + k,
                       darc_course_bound(c, k + 2, s->n)))
            k++;
        else {
            darc_course_drop(c, k);
            k = 0;
        }
    }
    for (int k = 0; k <= c->steps && !c->line && s->n <= DARC_DRIFT_TRIED;) {
        int at = 0, end = darc_course_bound(c, k + 1, s->n);
        if (!place_step(s, darc_course_bound(c, k, s->n), &at, end)) {
            k++;
            continue;
        }
        memmove(c->at + k + 1, c->at + k,
                (size_t)(c->steps++ - k) * sizeof *c->at);
        c->at[k] = at;
    }
}
