#include "noise/noiseshape.h"

#include "base/mem.h"
#include "stats/stats.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Levels over ever wider blocks of bins; a level has the relative variance
 * 1 / weight about the density. */
typedef struct {
    int count;
    double *f, *level, *weight;
} ladder;

enum { COEFFS = 4, LEAST_BLOCKS = 8, PASSES = 60, STARTS = 3, SKIRT = 4 };

/* Blocks of 3 % of their frequency. */
static const double WIDTH = 0.03;

/* What is weaker than this share of the strongest block says nothing of the
 * density inside. */
static const double DEEPEST = 0.01;

/* Filters are not quite of this shape. */
static const double SHAPE_ERROR = 0.1;

/* The shape is refused below this p-value of its deviance. */
static const double LEAST_P = 0.001;

static const double LEAST_DOF = 8;

/* The corner lies at most this factor below what is fitted: the density below
 * it is known from where it is nearly flat. */
static const double SEEN = 1.15;

/* A spectrum stands clear of another by this factor. */
static const double CLEAR = 4;

static ladder make_ladder(const darc_psd *psd, int i)
{
    const double *s = psd->s + i * psd->bins;
    size_t most = (size_t)psd->bins;
    ladder l = {0, darc_calloc(most, sizeof(double)),
                darc_calloc(most, sizeof(double)),
                darc_calloc(most, sizeof(double))};
    /* the last bins may hold a decimator's edge */
    int end = psd->bins - 1 - psd->bins / 50;
    for (int k = SKIRT; k < end;) {
        int width = (int)fmax(1, floor(WIDTH * k));
        int to = k + width < end ? k + width : end;
        for (int b = k; b < to; b++)
            l.level[l.count] += s[b] / (to - k);
        l.f[l.count] = 0.5 * (k + to - 1) * psd->df;
        /* The window spans two bins: half the bins are independent. */
        double dof = psd->averages * fmax(1, (to - k) / 2.0);
        l.weight[l.count] = 1 / (1 / dof + SHAPE_ERROR * SHAPE_ERROR);
        l.count++;
        k = to;
    }
    return l;
}

static void clear_ladder(ladder *l)
{
    darc_free(l->f);
    darc_free(l->level);
    darc_free(l->weight);
}

/* theta: logarithms of inside, corner, order, floor. */
static double density(const double *theta, double f, double *slope)
{
    double order = exp(theta[2]), x = log(f) - theta[1];
    double power = exp(fmin(600, 2 * order * x));
    double low = exp(theta[0]) / (1 + power), floor = exp(theta[3]);
    double sum = low + floor;
    if (slope != NULL) {
        double fall = power / (1 + power) * low / sum;
        slope[0] = low / sum;
        slope[1] = 2 * order * fall;
        slope[2] = -2 * order * x * fall;
        slope[3] = floor / sum;
    }
    return sum;
}

double darc_noiseshape_at(const darc_noiseshape *s, double f)
{
    double power =
        f > 0 ? exp(fmin(600, 2 * s->order * log(f / s->corner))) : 0;
    return s->inside / (1 + power) + s->floor;
}

/* Twice the logarithm of the likelihood ratio to a density of its own for
 * every block. */
static double deviance(const double *theta, const ladder *l, int begin, int end)
{
    double sum = 0;
    for (int b = begin; b < end; b++) {
        double r = l->level[b] / density(theta, l->f[b], NULL);
        sum += 2 * l->weight[b] * (r - 1 - log(r));
    }
    return sum;
}

/* Set info to the information and score to the gradient at theta. */
static void linearise(double *info, double *score, const double *theta,
                      const ladder *l, int begin, int end)
{
    memset(info, 0, COEFFS * COEFFS * sizeof *info);
    memset(score, 0, COEFFS * sizeof *score);
    for (int b = begin; b < end; b++) {
        double slope[COEFFS];
        double r = l->level[b] / density(theta, l->f[b], slope) - 1;
        for (int i = 0; i < COEFFS; i++) {
            score[i] += l->weight[b] * r * slope[i];
            for (int k = 0; k < COEFFS; k++)
                info[i * COEFFS + k] += l->weight[b] * slope[i] * slope[k];
        }
    }
}

/* Keep theta where its exponentials and its meaning end. */
static void bound(double *theta, const ladder *l, int begin, int end,
                  double most)
{
    theta[0] = fmin(theta[0], log(most) + 7);
    theta[1] = fmax(log(l->f[begin]) - 1, fmin(theta[1], log(l->f[end - 1])));
    theta[2] = fmax(log(0.5), fmin(theta[2], log(16)));
    theta[3] = fmax(theta[3], log(most) - 25);
}

static double highest(const ladder *l, int begin, int end)
{
    double most = 0;
    for (int b = begin; b < end; b++)
        most = fmax(most, l->level[b]);
    return most;
}

/* Levenberg's method from theta; return the deviance. */
static double improve(double *theta, const ladder *l, int begin, int end)
{
    double most = highest(l, begin, end), damping = 1e-2;
    double least = deviance(theta, l, begin, end);
    for (int pass = 0; pass < PASSES && damping < 1e8; pass++) {
        double info[COEFFS * COEFFS], step[COEFFS], next[COEFFS];
        linearise(info, step, theta, l, begin, end);
        for (int i = 0; i < COEFFS; i++)
            info[i * COEFFS + i] += damping * (info[i * COEFFS + i] + 1e-3);
        if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', COEFFS, 1, info, COEFFS, step,
                          COEFFS) != 0)
            return HUGE_VAL;
        for (int i = 0; i < COEFFS; i++)
            next[i] = theta[i] + fmax(-1, fmin(1, step[i]));
        bound(next, l, begin, end, most);
        double now = deviance(next, l, begin, end);
        damping *= now < least ? 0.2 : 10;
        if (now < least) {
            bool done = least - now < 1e-6;
            memcpy(theta, next, sizeof next);
            least = now;
            if (done)
                break;
        }
    }
    return least;
}

/* The best of a few starts. */
static double fit_from(double *theta, const ladder *l, int begin, int end)
{
    double best = HUGE_VAL, most = highest(l, begin, end);
    for (int s = 0; s < STARTS; s++) {
        double part = (s + 1.0) / (STARTS + 1);
        double low = l->f[begin], high = l->f[end - 1];
        double start[COEFFS] = {log(most),
                                log(low) + part * (log(high) - log(low)),
                                log(2), log(l->level[end - 1] / 2)};
        bound(start, l, begin, end, most);
        double d = improve(start, l, begin, end);
        if (d < best) {
            best = d;
            memcpy(theta, start, sizeof start);
        }
    }
    return best;
}

/* 2 / variance of the logarithm of the density at the first block. */
static double inside_dof(const double *theta, const ladder *l, int begin,
                         int end)
{
    double info[COEFFS * COEFFS], score[COEFFS], slope[COEFFS], x[COEFFS];
    linearise(info, score, theta, l, begin, end);
    for (int i = 0; i < COEFFS; i++) /* a factor of e is known of each */
        info[i * COEFFS + i] += 0.25;
    density(theta, l->f[begin] * 0.5, slope);
    memcpy(x, slope, sizeof x);
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', COEFFS, 1, info, COEFFS, x,
                      COEFFS) != 0)
        return 0;
    double variance = 0;
    for (int i = 0; i < COEFFS; i++)
        variance += slope[i] * x[i];
    return 2 / variance;
}

/* Return one past the last block that counts. */
static int deepest(const ladder *l, int begin)
{
    int end = l->count;
    while (end > begin + LEAST_BLOCKS &&
           l->level[end - 1] < DEEPEST * highest(l, begin, end))
        end--;
    return end;
}

/* Whether what was taken for a floor goes on for half its frequency and then
 * falls: it is noise, and a flank was fitted. */
static bool is_shelf(const double *theta, const ladder *l, int begin, int end)
{
    double floor = exp(theta[3]), from = 0;
    for (int b = begin; b < l->count; b++) {
        if (from == 0 && density(theta, l->f[b], NULL) < 2 * floor)
            from = l->f[b];
        if (b >= end && l->level[b] * CLEAR < floor)
            return from > 0 && l->f[b] > 1.5 * from;
    }
    return false;
}

/* Whether the spectrum above the blocks that were fitted stands clear of the
 * shape, but for a floor: then it is the flank of a signal that was fitted.
 * Falling faster than the shape is what filters do. */
static bool goes_on(const double *theta, const ladder *l, int begin, int end)
{
    double floor = 0;
    int top = l->count - 1 - l->count / 20;
    for (int b = top; b < l->count; b++)
        floor += l->level[b] / (l->count - top);
    for (int b = end; b < l->count; b++)
        if (l->level[b] > CLEAR * (density(theta, l->f[b], NULL) + floor))
            return true;
    return is_shelf(theta, l, begin, end);
}

static bool try_from(darc_noiseshape *s, const ladder *l, int begin)
{
    double theta[COEFFS] = {0};
    int end = deepest(l, begin);
    if (end - begin < LEAST_BLOCKS)
        return false;
    double d = fit_from(theta, l, begin, end);
    if (!(darc_stats_chi2_sf(d, end - begin - COEFFS) > LEAST_P) ||
        exp(theta[1]) * SEEN < l->f[begin] || goes_on(theta, l, begin, end))
        return false;
    *s = (darc_noiseshape){exp(theta[0]), exp(theta[1]),
                           exp(theta[2]), exp(theta[3]),
                           l->f[begin],   inside_dof(theta, l, begin, end)};
    return s->dof >= LEAST_DOF;
}

bool darc_noiseshape_fit(darc_noiseshape *s, const darc_psd *psd, int i,
                         double least)
{
    ladder l = make_ladder(psd, i);
    bool found = false;
    for (int b = 0; b + LEAST_BLOCKS <= l.count && !found; b++)
        if (l.f[b] >= least && l.level[b] > 0)
            found = try_from(s, &l, b);
    clear_ladder(&l);
    return found;
}
