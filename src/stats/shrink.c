#include "stats/shrink.h"

#include "base/mem.h"
#include "base/random.h"
#include "stats/dense.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

void darc_shrink_init(darc_shrink *s, double *gram, const double *b, int n)
{
    s->count = 0;
    s->mu = darc_calloc(3 * (size_t)n + 1, sizeof *s->mu);
    s->square = s->mu + n;
    double *w = s->square + n;
    if (n == 0 || !darc_dense_eigen(w, gram, n, 'V') || !(w[n - 1] > 0))
        return;
    for (int e = n - 1; e >= 0 && s->count + 1 < s->dof; e--) {
        double sum = 0;
        if (!(w[e] > DARC_SHRINK_LEAST * w[n - 1]))
            break;
        for (int k = 0; k < n; k++)
            sum += gram[e * n + k] * b[k];
        s->mu[s->count] = w[e];
        s->square[s->count++] = sum * sum / w[e];
        s->rest -= sum * sum / w[e];
    }
    s->rest = fmax(s->rest, 0);
}

/* Return the mean square of direction k over shifts, in units of the noise. */
static double shifted_square(const darc_shrink *s, const double *gram,
                             const double *shifted, int count, int n, int k)
{
    double squares = 0;
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += gram[(n - 1 - k) * n + j] * shifted[i * n + j];
        squares += sum * sum / s->mu[k] / count;
    }
    return squares;
}

void darc_shrink_inflate(darc_shrink *s, const double *gram,
                         const double *shifted, int count, int n)
{
    double noise = s->rest;
    for (int k = 0; k < s->count; k++)
        noise += s->square[k];
    noise = s->known ? s->noise : noise / s->dof;
    for (int first = 0; first < s->count && count > 0;
         first += DARC_SHRINK_ALIKE) {
        int end = (int)fmin(first + DARC_SHRINK_ALIKE, s->count);
        double mean = 0;
        for (int k = first; k < end; k++)
            mean += shifted_square(s, gram, shifted, count, n, k) / noise /
                    (end - first);
        for (int k = first; k < end && mean > 1; k++) {
            s->mu[k] /= mean;
            s->square[k] /= mean;
        }
    }
}

void darc_shrink_clear(darc_shrink *s)
{
    darc_free(s->mu);
    *s = (darc_shrink){.count = 0};
}

/* A sample of what s is about. */
typedef struct {
    const darc_shrink *s;
    const double *square;
    double rest;
} sample;

/* Return -2 log likelihood at lambda = size^2 / noise^2, and the noise's
 * variance. */
static double surprise(const sample *x, double lambda, double *noise)
{
    const darc_shrink *s = x->s;
    double sum = x->rest, product = 1, logs = 0;
    for (int k = 0; k < s->count; k++) {
        double v = 1 + lambda * s->mu[k];
        sum += x->square[k] / v;
        product *= v;
        if (product > 1e200) {
            logs += log(product);
            product = 1;
        }
    }
    logs += log(product);
    *noise = s->known ? s->noise : sum / s->dof;
    return (s->known ? sum / s->noise : s->dof * log(sum)) + logs;
}

/* lambda of grid point k; the effect is then about that many times the noise.
 */
static double grid_at(const darc_shrink *s, int k)
{
    return k == 0 ? 0 : pow(10, -2 + .25 * k) / s->mu[0];
}

enum { GRID = 37 };

/* Whether the likelihood falls where the effect begins. */
static bool falls(const sample *x)
{
    const darc_shrink *s = x->s;
    double sum = x->rest, pull = 0, trace = 0;
    for (int k = 0; k < s->count; k++) {
        sum += x->square[k];
        pull += s->mu[k] * x->square[k];
        trace += s->mu[k];
    }
    return pull <= trace * (s->known ? s->noise : sum / s->dof);
}

/* Return twice the logarithm of the ratio, and where it is: 0 where the
 * likelihood falls from there. */
static double ratio_of(const sample *x, int *best)
{
    *best = 0;
    if (falls(x))
        return 0;
    double noise, at0 = surprise(x, 0, &noise), least = at0;
    for (int k = 1; k < GRID; k++) {
        double here = surprise(x, grid_at(x->s, k), &noise);
        if (here < least) {
            least = here;
            *best = k;
        } else if (k > *best + 6) {
            break; /* it has one minimum, but for ripples */
        }
    }
    return at0 - least;
}

/* A chi-square number, by Wilson and Hilferty where there are many. */
static double draw_square(darc_random *r, double dof)
{
    if (dof > 30)
        return dof * pow(fmax(1 - 2 / (9 * dof) +
                                  darc_random_normal(r) * sqrt(2 / (9 * dof)),
                              0),
                         3);
    double sum = 0;
    for (int i = 0; i < (int)(dof + .5); i++)
        sum += pow(darc_random_normal(r), 2);
    return sum;
}

/* Draw the ratio where the effect has that size in units of the noise. */
static double draw_ratio(const darc_shrink *s, double size, double *square,
                         darc_random *r)
{
    int best;
    double noise = s->known ? s->noise : 1;
    for (int k = 0; k < s->count; k++)
        square[k] =
            noise * pow(darc_random_normal(r) + size * sqrt(s->mu[k]), 2);
    sample x = {s, square, noise * draw_square(r, s->dof - s->count)};
    return ratio_of(&x, &best);
}

/* Return how far the roots of ratios lie above that of `least`, where the
 * effect has that size: their quantile, which many draws at the same numbers
 * give smoothly, as they are nearly normal. */
static double clearance(const darc_shrink *s, double size, double least,
                        double quantile, double *square, uint64_t seed)
{
    double sum = 0, squares = 0, n = DARC_SHRINK_TRIALS;
    darc_random r;
    darc_random_init(&r, seed, 2);
    for (int i = 0; i < DARC_SHRINK_TRIALS; i++) {
        double ratio = draw_ratio(s, size, square, &r);
        sum += sqrt(ratio);
        squares += ratio;
    }
    double sd = sqrt(fmax(squares / n - sum / n * (sum / n), 0));
    return sum / n - quantile * sd - sqrt(least);
}

/* Return the size, in units of the noise, of which the ratio exceeds `least`
 * but for a share of `miss`. */
static double find_seen(const darc_shrink *s, double least, double miss,
                        double *square, uint64_t seed)
{
    double low = 1e-3 / sqrt(s->mu[0]), high = 1e5 / sqrt(s->mu[0]);
    double quantile = darc_stats_normal_quantile(1 - miss);
    while (high > low * 1.03) {
        double at = sqrt(low * high);
        if (clearance(s, at, least, quantile, square, seed) > 0)
            high = at;
        else
            low = at;
    }
    return high;
}

/* Return the size, in its unit, where the likelihood falls by `drop`, downward
 * of the best grid point. */
static double find_drop(const sample *x, double least, double drop, int best)
{
    double noise, inside = grid_at(x->s, best), outside = inside;
    do {
        inside = outside;
        if (--best < 0)
            return 0;
        outside = grid_at(x->s, best);
    } while (surprise(x, outside, &noise) - least <= drop);
    for (int i = 0; i < 40; i++) {
        double middle = (inside + outside) / 2;
        if (surprise(x, middle, &noise) - least <= drop)
            inside = middle;
        else
            outside = middle;
    }
    surprise(x, inside, &noise);
    return sqrt(inside * noise);
}

void darc_shrink_ask(darc_shrunk *out, const darc_shrink *s, double alpha,
                     uint64_t seed)
{
    *out =
        (darc_shrunk){.p_value = 1, .high = HUGE_VAL, .detectable = HUGE_VAL};
    if (s->count == 0)
        return;
    int best, many = DARC_SHRINK_DRAWS, above = 0;
    double noise;
    while (many * alpha < DARC_SHRINK_TAIL && many < DARC_SHRINK_MOST)
        many *= 2;
    sample x = {s, s->square, s->rest};
    double *drawn = darc_malloc((size_t)(many + s->count) * sizeof *drawn);
    double *square = drawn + many;
    darc_random r;
    darc_random_init(&r, seed, 1);
    out->ratio = ratio_of(&x, &best);
    for (int i = 0; i < many; i++) {
        drawn[i] = draw_ratio(s, 0, square, &r);
        above += drawn[i] >= out->ratio;
    }
    qsort(drawn, (size_t)many, sizeof *drawn, darc_stats_cmp);
    double limit = drawn[(size_t)((1 - alpha) * (many - 1))];
    out->p_value = out->ratio > 0 ? (above + 1.0) / (many + 1) : 1;
    double least = surprise(&x, grid_at(s, best), &noise);
    out->size = sqrt(grid_at(s, best) * noise);
    double sd = sqrt(noise);
    out->low = find_drop(&x, least, limit, best);
    out->high =
        fmax(out->size, sd * find_seen(s, out->ratio, alpha, square, seed));
    out->detectable =
        sd * find_seen(s, limit, 1 - DARC_SHRINK_POWER, square, seed);
    darc_free(drawn);
}
