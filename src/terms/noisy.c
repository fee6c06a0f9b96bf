#include "terms/noisy.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "terms/thresholds.h"

#include <math.h>

/* Return the noise of a derivative over the RMS of what is seen of it, at
 * samples evenly spread over the longest segment. */
static double noise_share(const darc_offers *o, const darc_candidate_factor *f,
                          const double *weight, int half)
{
    double square = 0, power = 0, count = 0;
    darc_segment g = darc_table_longest(o->table);
    size_t n = g.end - g.begin, h = (size_t)half;
    if (n <= 2 * h)
        return HUGE_VAL;
    for (size_t i = 0; i <= 2 * h; i++)
        square += weight[i] * weight[i];
    for (size_t t = g.begin + h; t < g.end - h;
         t += 1 + n / DARC_MISSING_SEEN, count++) {
        double y = 0;
        for (size_t i = 0; i <= 2 * h; i++)
            y += weight[i] * darc_offers_value(o, f, t + i - h);
        power += y * y;
    }
    return darc_offers_noise(o, f) * sqrt(square / (power / count));
}

/* Return the noise of a difference over its spread: it may be much smaller than
 * its signals, of which the limit of noise times noise tells. */
static double difference_noise(const darc_offers *o,
                               const darc_candidate_factor *f)
{
    double *value = darc_malloc(o->table->samples * sizeof *value);
    for (size_t t = 0; t < o->table->samples; t++)
        value[t] = darc_offers_value(o, f, t);
    double spread = sqrt(darc_lanes_variance(value, o->table));
    darc_free(value);
    return darc_offers_noise(o, f) / spread;
}

/* Return that share for the factor of a candidate; 0 where it is a signal. */
static double factor_noise(const darc_offers *o, const darc_weak *weak,
                           const darc_candidate_factor *f)
{
    if (f->d.order == 0 && f->sign) { /* samples at which noise makes it */
        double sd = darc_offers_noise(o, f), near = 0, count = 0;
        for (size_t t = 0; t < o->table->samples; t++, count++)
            near += fabs(darc_offers_value(o, f, t)) < 3 * sd;
        return near / count;
    }
    if (f->d.order == 0 && f->other >= 0)
        return difference_noise(o, f);
    for (int v = 0; v < weak->vars; v++) {
        const darc_weak_var *var = weak->var + v;
        bool own = var->deriv.unknown == f->d.unknown &&
                   var->deriv.order == f->d.order;
        if (f->sign && f->d.order > 0 && var->sign != NULL &&
            var->deriv.unknown == darc_offers_sign(o, f))
            return noise_share(o, f, var->sign, DARC_WEAK_SIGN_HALF);
        if (!f->sign && f->d.order > 0 && own)
            return noise_share(o, f, var->weight, var->half);
    }
    return 0;
}

int darc_noisy_degree(const darc_candidate *c, int sign)
{
    int degree = 0;
    for (int i = 0; i < c->count; i++)
        degree += c->f[i].sign ? sign : c->f[i].power;
    return c->kind == DARC_CANDIDATE_TERM ? degree : 0;
}

bool darc_noisy_is(const darc_offers *o, const darc_weak *weak,
                   const darc_candidate *c)
{
    double most = 0;
    for (int i = 0; i < c->count; i++)
        most = fmax(most, factor_noise(o, weak, c->f + i));
    return darc_noisy_degree(c, 2) > 1 && most > DARC_MISSING_CLEAR;
}
