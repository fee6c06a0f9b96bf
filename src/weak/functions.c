/* functions.c - the test functions of a weak system. */
#include "weak/system.h"

#include "base/mem.h"
#include "data/table.h"
#include "stats/lanes.h"
#include "weak/smoother.h"
#include "weak/thresholds.h"

#include <assert.h>
#include <math.h>

bool darc_weak_uses(const darc_total_struct *total, int v)
{
    for (int i = 0; i < total->count; i++)
        if (total->term[i].exponent[v] != 0 || total->term[i].log == v)
            return true;
    return false;
}

/* Call visit for every signal that is read and that an equation uses. */
static void each_signal(const darc_weak *weak, const darc_weak_data *data,
                        const darc_total_struct *const *total,
                        void (*visit)(void *user, int u,
                                      const darc_weak_signal *s),
                        void *user)
{
    for (int q = 0; q < weak->equations; q++)
        for (int v = 0; v < total[q]->vars; v++) {
            int u = total[q]->var[v].unknown;
            if (data->signal[u].value != NULL && darc_weak_uses(total[q], v))
                visit(user, u, data->signal + u);
        }
}

typedef struct {
    double rich;
    double highest, second;
    int owner;
} bands;

static void take_band(void *user, int u, const darc_weak_signal *s)
{
    bands *b = user;
    double band = b->rich * s->power_band;
    if (u == b->owner || !(band > 0))
        return;
    b->second = fmax(b->second, fmin(band, b->highest));
    if (band > b->highest) {
        b->highest = band;
        b->owner = u;
    }
}

double darc_weak_band(const darc_weak *weak, const darc_weak_data *data,
                      const darc_total_struct *const *total)
{
    bands b = {.rich = data->rich > 0 ? data->rich : 1, .owner = -1};
    each_signal(weak, data, total, take_band, &b);
    return b.second > 0 ? b.second : b.highest;
}

static int support_from_bands(const darc_weak *weak, const darc_weak_data *data,
                              const darc_total_struct *const *total)
{
    double band = darc_weak_band(weak, data, total);
    double support =
        band > 0 ? DARC_WEAK_PERIODS / (band * weak->dt) : DARC_WEAK_SUPPORT;
    return (int)fmin(1e6, support);
}

typedef struct {
    double dt, power; /* the least power of f / (1 - f) that is left */
    double most;
} aliasing;

/* Whether s is a function of other signals that is no straight line. */
static bool is_bent(const darc_weak_signal *s)
{
    bool bent = false;
    for (int i = 0; i < s->sources; i++)
        bent |= s->source[i].partial != NULL;
    return bent;
}

static void take_aliasing(void *user, int u, const darc_weak_signal *s)
{
    aliasing *a = user;
    (void)u;
    if (!(s->power_band > 0))
        return;
    double beyond = is_bent(s) ? DARC_WEAK_BENT : DARC_WEAK_BEYOND;
    double f = fmin(0.5, beyond * s->power_band * a->dt);
    a->most = fmax(a->most, pow(f / (1 - f), a->power));
}

/* Return the largest share of a signal at the end of what it is taken to reach
 * that sampling adds to its highest total derivative: a spline of
 * that degree, knots at samples, lets frequencies at a multiple of the
 * sampling rate through as the power degree + 1 - order of the ratio. */
static double aliased(const darc_weak *weak, const darc_weak_data *data,
                      const darc_total_struct *const *total, int degree)
{
    aliasing a = {weak->dt, degree + 2 - weak->orders, 0};
    each_signal(weak, data, total, take_aliasing, &a);
    return a.most;
}

/* Return how far a term reaches, in sampling rates: a product of signals up to
 * the sum of their bands. */
static double reach_of(const darc_weak *weak, const darc_weak_data *data,
                       const darc_total_struct *total,
                       const darc_total_term *term)
{
    double reach = 0, signals = 0;
    for (int v = 0; v < total->vars; v++) {
        const darc_weak_signal *s = data->signal + total->var[v].unknown;
        double count = abs(term->exponent[v]) + (term->log == v);
        if (s->value == NULL || !(s->power_band > 0))
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

typedef struct {
    const darc_table *table;
    double most;
} shares;

static void take_share(void *user, int u, const darc_weak_signal *s)
{
    shares *n = user;
    double rms = sqrt(darc_lanes_variance(s->value, n->table));
    (void)u;
    if (s->sd > 0 && rms > 0)
        n->most = fmax(n->most, s->sd / rms);
}

/* Set the rows for each sample of the signal that has fewest. */
static void take_rate(void *user, int u, const darc_weak_signal *s)
{
    shares *n = user;
    size_t there = n->table->samples;
    (void)u;
    for (size_t i = 0; i < n->table->samples && s->absent != NULL; i++)
        there -= s->absent[i] != 0;
    n->most = fmax(n->most, (double)n->table->samples / fmax(1, (double)there));
}

/* Set the samples between knots with which hum is not seen. */
static void take_line(void *user, int u, const darc_weak_signal *s)
{
    shares *n = user;
    (void)u;
    if (s->line > 0)
        n->most = fmax(n->most,
                       DARC_WEAK_LINE / (s->line * darc_table_step(n->table)));
}

/* What sampling may add: DARC_WEAK_ALIASED of what the noise of the noisiest
 * signal adds on the average. */
static double sampling_limit(const darc_weak *weak, const darc_weak_data *data,
                             const darc_total_struct *const *total,
                             size_t longest)
{
    shares n = {data->table, 0};
    each_signal(weak, data, total, take_share, &n);
    return DARC_WEAK_ALIASED * n.most / sqrt((double)longest);
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

void darc_weak_set_functions(darc_weak *weak, const darc_weak_data *data,
                             const darc_total_struct *const *total,
                             size_t longest)
{
    int support = data->support > 0 ? data->support
                                    : support_from_bands(weak, data, total);
    for (int q = 0; q < weak->equations; q++) {
        int orders = darc_total_order(total[q]) + 1;
        weak->orders = orders > weak->orders ? orders : weak->orders;
    }
    weak->degree = choose_degree(weak, data, total, longest);
    size_t most = longest / DARC_WEAK_LEAST_FUNCTIONS;
    weak->step = (support + weak->degree / 2) / (weak->degree + 1);
    weak->step = (size_t)weak->step > most ? (int)most : weak->step;
    shares slow = {data->table, 1};
    each_signal(weak, data, total, take_rate, &slow);
    bool fine = data->fine && weak->stamps == NULL &&
                aliased(weak, data, total, weak->degree) <=
                    sampling_limit(weak, data, total, longest);
    shares hum = {data->table, DARC_WEAK_MIN_STEP};
    if (!(data->support > 0))
        each_signal(weak, data, total, take_line, &hum);
    double apart = fine ? 1 : hum.most;
    int least = (int)ceil(apart * slow.most - DARC_WEAK_FEW_LOST);
    weak->step = weak->step < least ? least : weak->step;
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
