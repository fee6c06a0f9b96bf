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
