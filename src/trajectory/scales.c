#include "trajectory/scales.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "trajectory/level.h"
#include "trajectory/thresholds.h"

#include <math.h>

/* States that outputs are have their sizes, others the mean of all, or what is
 * known of their starts. */
static void size_states(darc_scales *s, const darc_match *m)
{
    const darc_flow *w = m->flow;
    double mean = 0;
    for (int j = 0; j < w->outputs; j++)
        mean += sqrt(darc_level_power(m, j, false)) / w->outputs;
    for (int i = 0; i < w->n; i++) {
        s->state[i] = mean > 0 ? mean : 1;
        for (int r = 0; r < m->runs; r++)
            if (isfinite(m->run[r].start[i]) && m->run[r].start[i] != 0)
                s->state[i] = fabs(m->run[r].start[i]);
    }
    for (int j = 0; j < w->outputs; j++) {
        double size = sqrt(darc_level_power(m, j, false));
        if (w->shows[j] >= 0 && size > 0)
            s->state[w->shows[j]] = size;
    }
}

/* Of all that rates and outputs are by a parameter. */
typedef struct {
    double logs, powers; /* of what it must be times for its share to be as
                            large as they are; of what they are in it */
    int count;
} shares;

/* Add those of m slopes, and the same where it is larger by DARC_SEEK_RISE. */
static void add_shares(shares *all, const double *slope, const double *more,
                       int m, const double *size)
{
    for (int i = 0; i < m; i++) {
        double rise = log(fabs(more[i] / slope[i]));
        if (!isfinite(rise) || !(size[i] > 0))
            continue;
        all->logs += log(size[i] / fabs(slope[i]));
        all->powers += 1 + rise / log1p(DARC_SEEK_RISE);
        all->count++;
    }
}

/* The same of all at the states' sizes, at a time. */
static void share_at(shares *all, darc_scales *s, darc_match *m, int k,
                     double t)
{
    darc_flow *w = m->flow;
    int n = w->n, q = w->outputs, p = w->params;
    double *f, *a, *b, *g, *c, *d, *rate, *out, own = s->parameter[k];
    DARC_CARVE({&f, n}, {&a, n * n}, {&b, 2 * n * p}, {&g, q}, {&c, q * n},
               {&d, 2 * q * p + 1}, {&rate, n}, {&out, q + 1});
    const darc_record *run = m->run;
    size_t last = run->piece > 0 ? run->piece : run->n - 1;
    for (int i = 0; i < n; i++)
        rate[i] = 3 * s->state[i] / (run->time[last] - run->time[0]);
    for (int j = 0; j < q; j++)
        out[j] = sqrt(darc_level_power(m, j, false));
    bool rates = true, outputs = true;
    for (int turn = 0; turn < 2; turn++) {
        s->parameter[k] = own * (1 + turn * DARC_SEEK_RISE);
        w->signals.known = false;
        bool set = darc_flow_set(w, s->parameter);
        rates = rates && set &&
                darc_flow_rates(w, t, s->state, f, a, b + turn * n * p);
        outputs = outputs && set &&
                  darc_flow_results(w, t, s->state, g, c, d + turn * q * p);
    }
    s->parameter[k] = own;
    if (rates)
        add_shares(all, b + k * n, b + (p + k) * n, n, rate);
    if (outputs)
        add_shares(all, d + k * q, d + (p + k) * q, q, out);
    darc_free(f);
}

/* Shares go with a power of a parameter, -1 of a time constant; where that is
 * small they are about as large as they can be. */
static void size_parameters(darc_scales *s, darc_match *m)
{
    const darc_record *run = m->run;
    darc_flow_drive(m->flow, run->wave);
    m->flow->signals.until = HUGE_VAL;
    for (int turn = 0; turn < 3; turn++)
        for (int k = 0; k < m->flow->params; k++) {
            shares all = {.count = 0};
            double own = s->parameter[k];
            for (size_t i = 1; i <= 3; i++)
                share_at(&all, s, m, k, run->time[i * (run->n - 1) / 3]);
            double count = fmax(all.count, 1), power = all.powers / count;
            if (fabs(power) > DARC_SEEK_POWER && all.count > 0)
                s->parameter[k] =
                    own * pow(exp(all.logs / count) / own, 1 / power);
        }
}

void darc_scales_draw(darc_match *m, darc_scales *s, int i)
{
    const darc_flow *w = m->flow;
    double reach = i == 0 ? 0 : fmin(DARC_SEEK_DECADES, .5 + .1 * i);
    for (int k = 0; k < m->columns; k++) {
        double u = 2 * darc_random_uniform(&s->random) - 1;
        bool negative =
            darc_random_uniform(&s->random) < .5 && i >= DARC_SEEK_POSITIVE;
        bool near = s->near != NULL && isfinite(s->near[k]);
        m->theta[k] =
            near ? s->near[k] * (1 + (i > 0 ? DARC_SEEK_NEAR * u : 0))
                 : s->parameter[k] * pow(10, reach * u) * (negative ? -1 : 1);
    }
    for (int r = 0; r < m->runs; r++)
        for (int x = 0; x < w->n; x++) {
            double u = 2 * darc_random_uniform(&s->random) - 1;
            bool known = isfinite(m->run[r].start[x]);
            if (!known)
                m->pieces[r].x[x] =
                    i % 2 == 1 ? 0 : s->state[x] * pow(10, fmin(reach, 1) * u);
            for (int j = 0; j < w->outputs && !known; j++) {
                double y = m->run[r].y[j]; /* noise may make it negative */
                if (w->shows[j] == x && isfinite(y))
                    m->pieces[r].x[x] = i % 4 == 3 ? fabs(y) : y;
            }
        }
}

void darc_scales_init(darc_scales *at, darc_match *m, const double *near)
{
    const darc_flow *w = m->flow;
    at->near = near;
    DARC_CARVE({&at->state, w->n + 1}, {&at->parameter, w->params + 1});
    DARC_FILL(at->parameter, w->params, 1);
    size_states(at, m);
    size_parameters(at, m);
    for (int k = 0; k < w->params && near != NULL; k++)
        if (isfinite(near[k]) && near[k] != 0)
            at->parameter[k] = fabs(near[k]);
}

void darc_scales_clear(darc_scales *s)
{
    darc_free(s->state);
}
