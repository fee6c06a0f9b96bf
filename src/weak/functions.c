/* functions.c - the test functions of a weak system. */
#include "weak/system.h"

#include "base/mem.h"
#include "data/table.h"
#include "stats/lanes.h"
#include "stats/smoother.h"
#include "weak/steps.h"
#include "weak/thresholds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

bool darc_weak_uses(const darc_total_struct *total, int v)
{
    for (int i = 0; i < total->count; i++)
        if (total->term[i].exponent[v] != 0 || total->term[i].log == v)
            return true;
    return false;
}

/* A walk over the signals that are read and that an equation uses. */
typedef struct {
    const darc_weak *weak;
    const darc_weak_data *data;
    const darc_total_struct *const *total;
    int q, v; /* the next variable */
} walk;

/* Return the next one, some more than once; NULL: that was the last. */
static const darc_weak_signal *next(walk *at)
{
    for (; at->q < at->weak->equations; at->q++, at->v = 0) {
        const darc_total_struct *total = at->total[at->q];
        while (at->v < total->vars) {
            int v = at->v++;
            const darc_weak_signal *s =
                at->data->signal + total->var[v].unknown;
            if (s->value != NULL && darc_weak_uses(total, v))
                return s;
        }
    }
    return NULL;
}

double darc_weak_band(const darc_weak *weak, const darc_weak_data *data,
                      const darc_total_struct *const *total)
{
    walk all = {weak, data, total, 0, 0};
    const darc_weak_signal *s, *owner = NULL;
    double rich = data->rich > 0 ? data->rich : 1, highest = 0, second = 0;
    while ((s = next(&all)) != NULL) {
        double band = rich * s->power_band;
        if (s == owner || !(band > 0))
            continue;
        second = fmax(second, fmin(band, highest));
        if (band > highest) {
            highest = band;
            owner = s;
        }
    }
    return second > 0 ? second : highest;
}

static int support_from_bands(const darc_weak *weak, const darc_weak_data *data,
                              const darc_total_struct *const *total)
{
    double band = darc_weak_band(weak, data, total);
    double support =
        band > 0 ? DARC_WEAK_PERIODS / (band * weak->dt) : DARC_WEAK_SUPPORT;
    return (int)fmin(1e6, support);
}

/* Whether s is a function of other signals that is no straight line. */
static bool is_bent(const darc_weak_signal *s)
{
    bool bent = false;
    for (int i = 0; i < s->sources; i++)
        bent |= s->source[i].partial != NULL;
    return bent;
}

/* Return the largest share of a signal at the end of what it is taken to reach
 * that sampling adds to its highest total derivative: a spline of
 * that degree, knots at samples, lets frequencies at a multiple of the
 * sampling rate through as the power degree + 1 - order of the ratio. */
static double aliased(const darc_weak *weak, const darc_weak_data *data,
                      const darc_total_struct *const *total, int degree)
{
    walk all = {weak, data, total, 0, 0};
    double most = 0;
    for (const darc_weak_signal *s; (s = next(&all)) != NULL;)
        if (s->power_band > 0) {
            double beyond = is_bent(s) ? DARC_WEAK_BENT : DARC_WEAK_BEYOND;
            double f = fmin(0.5, beyond * s->power_band * weak->dt);
            most = fmax(most, pow(f / (1 - f), degree + 2 - weak->orders));
        }
    return most;
}

/* Whether the sums take the steps of unknown u as they are: what reaches beyond
 * the sampling rate is in them. */
static bool steps(const darc_weak *weak, int u)
{
    const darc_steps *s = weak->steps;
    return s != NULL && u < s->unknowns &&
           (s->to[u] != NULL || s->jump[u] != NULL);
}

/* Return how far a term reaches, in sampling rates: a product of signals up to
 * the sum of their bands. */
static double reach_of(const darc_weak *weak, const darc_weak_data *data,
                       const darc_total_struct *total,
                       const darc_total_term *term)
{
    double reach = 0, signals = 0;
    for (int v = 0; v < total->vars; v++) {
        int u = total->var[v].unknown;
        const darc_weak_signal *s = data->signal + u;
        double count = abs(term->exponent[v]) + (term->log == v);
        if (s->value == NULL || !(s->power_band > 0) || steps(weak, u) ||
            s->switches)
            continue;
        count *= is_bent(s) ? DARC_WEAK_BENT : 1;
        signals += count;
        reach += count * s->power_band * weak->dt;
    }
    return reach * (signals > 1 ? 1 : DARC_WEAK_BEYOND);
}

/* Return the share that sampling adds to what moments hold of the end of what
 * terms reach: what lies at f and at the sampling rate less f comes together.
 */
static double folded(const darc_weak *weak, const darc_weak_data *data,
                     const darc_total_struct *const *total)
{
    double f = 0;
    for (int q = 0; q < weak->equations; q++)
        for (int i = 0; i < total[q]->count; i++)
            f = fmax(f, reach_of(weak, data, total[q], total[q]->term + i));
    f = fmin(f, 0.5);
    return pow(f / (1 - f), weak->degree + 2 - weak->orders);
}

/* Whether most of what a signal changes by is steps, each between two samples
 * that stay: those have readings of their own. */
static bool is_stepped(const double *x, size_t n)
{
    double all = 0, alone = 0;
    for (size_t i = 1; i + 2 < n; i++) {
        double now = fabs(x[i + 1] - x[i]);
        double beside = fmax(fabs(x[i] - x[i - 1]), fabs(x[i + 2] - x[i + 1]));
        all += now * now;
        alone += beside < DARC_WEAK_STEP_ALONE * now ? now * now : 0;
    }
    return alone > all / 2;
}

double darc_weak_half_rate(const darc_weak *weak, const darc_weak_signal *s,
                           int u)
{
    double all = 0, lost = 0, noise = 0;
    if (s->value == NULL || s->output || s->sources > 1 || is_bent(s) ||
        s->switches || s->sign || s->held || s->mean > 0 || steps(weak, u) ||
        weak->stamps != NULL || is_stepped(s->value, weak->piece->end))
        return 0;
    for (int i = 0; i <= weak->support; i++)
        noise += 2 * pow(weak->phi[0][i] * s->sd, 2);
    for (int p = 0; p < weak->pieces; p++)
        for (int k = 0; k < weak->piece[p].functions; k++) {
            const double *x = s->value + weak->piece[p].begin +
                              (size_t)k * (size_t)weak->step;
            double half[2] = {0};
            for (int i = 0; i <= weak->support; i++)
                half[i % 2] += weak->phi[0][i] * x[i];
            all += pow(half[0] + half[1], 2);
            lost += pow(half[0] - half[1], 2) - noise;
        }
    return all > 0 ? sqrt(fmax(lost, 0) / all) : 0;
}

/* What sampling may add: DARC_WEAK_ALIASED of what the noise of the noisiest
 * signal adds on the average. */
static double sampling_limit(const darc_weak *weak, const darc_weak_data *data,
                             const darc_total_struct *const *total,
                             size_t longest)
{
    walk all = {weak, data, total, 0, 0};
    double most = 0;
    for (const darc_weak_signal *s; (s = next(&all)) != NULL;) {
        double rms = sqrt(darc_lanes_variance(s->value, data->table));
        if (s->sd > 0 && rms > 0)
            most = fmax(most, s->sd / rms);
    }
    return DARC_WEAK_ALIASED * most / sqrt((double)longest);
}

/* High enough for the derivatives, and for sampling to add less than the limit
 * where that leaves functions enough. */
static int choose_degree(const darc_weak *weak, const darc_weak_data *data,
                         const darc_total_struct *const *total, size_t longest)
{
    int degree = weak->orders + 2;
    degree = degree < DARC_WEAK_MIN_DEGREE ? DARC_WEAK_MIN_DEGREE : degree;
    double limit = sampling_limit(weak, data, total, longest);
    int most = degree + DARC_WEAK_MORE_DEGREES;
    int knots = (int)(longest / (DARC_WEAK_MIN_STEP * DARC_WEAK_MIN_SUPPORTS));
    most = most + 1 > knots ? knots - 1 : most;
    assert(most <= DARC_BSPLINE_MAX_DEGREE);
    while (degree < most && limit > 0 &&
           aliased(weak, data, total, degree) > limit)
        degree++;
    return degree;
}

/* Return how far knots lie apart at least, samples: so far that hum is not
 * seen, unless `fine`; counted are those of the signal that has fewest. */
static int least_step(const darc_weak *weak, const darc_weak_data *data,
                      const darc_total_struct *const *total, bool fine)
{
    const darc_table *table = data->table;
    walk all = {weak, data, total, 0, 0};
    double rows = (double)table->samples, slow = 1;
    double apart = fine ? 1 : DARC_WEAK_MIN_STEP;
    for (const darc_weak_signal *s; (s = next(&all)) != NULL;) {
        size_t there = table->samples;
        for (size_t i = 0; i < table->samples && s->absent != NULL; i++)
            there -= s->absent[i] != 0;
        slow = fmax(slow, rows / fmax(1, (double)there));
        if (!fine && !(data->support > 0) && s->line > 0)
            apart = fmax(apart,
                         DARC_WEAK_LINE / (s->line * darc_table_step(table)));
    }
    return (int)ceil(apart * slow - DARC_WEAK_FEW_LOST);
}

/* Set degree and step. */
static void choose_splines(darc_weak *weak, const darc_weak_data *data,
                           const darc_total_struct *const *total,
                           size_t longest)
{
    int support = data->support > 0 ? data->support
                                    : support_from_bands(weak, data, total);
    weak->degree = choose_degree(weak, data, total, longest);
    size_t most = longest / DARC_WEAK_LEAST_FUNCTIONS;
    weak->step = (support + weak->degree / 2) / (weak->degree + 1);
    weak->step = (size_t)weak->step > most ? (int)most : weak->step;
    bool steps = weak->steps != NULL && weak->steps->count > 0;
    bool fine = /* what is known of steps asks for longer polynomials */
        data->fine && weak->stamps == NULL && !steps &&
        aliased(weak, data, total, weak->degree) <=
            sampling_limit(weak, data, total, longest);
    int least = least_step(weak, data, total, fine);
    weak->step = weak->step < least ? least : weak->step;
}

void darc_weak_set_functions(darc_weak *weak, const darc_weak_data *data,
                             const darc_total_struct *const *total,
                             size_t longest)
{
    for (int q = 0; q < weak->equations; q++) {
        int orders = darc_total_order(total[q]) + 1;
        weak->orders = orders > weak->orders ? orders : weak->orders;
    }
    if (data->like != NULL) {
        weak->degree = data->like->degree;
        weak->step = data->like->step;
    } else {
        choose_splines(weak, data, total, longest);
    }
    weak->support = weak->step * (weak->degree + 1);
    weak->folded = folded(weak, data, total);
    for (int d = 0; d < weak->orders; d++) {
        weak->phi[d] = darc_calloc((size_t)weak->support + 1, sizeof(double));
        darc_bspline_table(weak->phi[d], weak->degree, d, weak->step);
        double factor = (d % 2 == 0 ? 1 : -1) * pow(weak->dt, 1 - d);
        for (int i = 0; i <= weak->support; i++)
            weak->phi[d][i] *= factor;
    }
}

int darc_weak_most_functions(const darc_weak *weak)
{
    int most = 0;
    for (int p = 0; p < weak->pieces; p++)
        most =
            weak->piece[p].functions > most ? weak->piece[p].functions : most;
    return most;
}
