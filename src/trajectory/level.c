#include "trajectory/level.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/stats.h"
#include "trajectory/linear.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <string.h>

double darc_level_power(const darc_match *m, int j, bool spread)
{
    double sum = 0, squares = 0;
    size_t q = (size_t)m->flow->outputs, n = 0;
    for (int r = 0; r < m->runs; r++)
        for (size_t i = 0; i < m->run[r].n; i++) {
            double y = m->run[r].y[i * q + (size_t)j];
            if (!isfinite(y))
                continue;
            sum += y;
            squares += y * y;
            n++;
        }
    if (n == 0)
        return 0;
    double mean = spread ? sum / (double)n : 0;
    return fmax(squares / (double)n - mean * mean, 0);
}

static void weigh(darc_match *m, int j, double sd)
{
    size_t q = (size_t)m->flow->outputs;
    for (int r = 0; r < m->runs; r++)
        for (size_t i = 0; i < m->run[r].n; i++)
            m->run[r].weight[i * q + (size_t)j] = 1 / sd;
}

void darc_level_guess(darc_level *level, darc_match *m, const double *sd)
{
    for (int j = 0; j < m->flow->outputs; j++) {
        double size = sqrt(darc_level_power(m, j, true));
        double all = sqrt(darc_level_power(m, j, false));
        level[j] = (darc_level){.known = isfinite(sd[j]) && sd[j] > 0,
                                .most = DARC_LEVEL_SHARES};
        level[j].level = level[j].known ? sd[j]
                         : size > 0     ? DARC_LEVEL_GUESS * size
                         : all > 0      ? DARC_LEVEL_GUESS * all
                                        : 1;
        weigh(m, j, level[j].level);
    }
}

/* A sample of one output: what is left of it, and what it should be; the share
 * of it that unknowns take; the logarithm of its variance so far. */
typedef struct {
    int run;
    double left, made, leverage, before, *weight;
} sample;

/* Those of all recordings. */
typedef struct {
    int runs;
    size_t n;
    double rms, least; /* the least degrees of freedom */
    sample *at;
    /* Of each recording: what unknowns leave of its samples, its RMS, what its
     * level is times the common one; owned in one. */
    double *free, *size, *factor;
} course;

static double leverage_of(const darc_linear_match *l, size_t row)
{
    double sum = 0;
    for (int e = 0; e < l->rank; e++)
        sum += pow(l->base[(size_t)e * l->rows + row], 2);
    return fmin(sum, 1);
}

static void take_course(course *c, darc_match *m, const darc_linear_match *l,
                        int j)
{
    size_t q = (size_t)m->flow->outputs;
    c->at = darc_malloc((l->rows + 1) * sizeof *c->at);
    DARC_CARVE({&c->free, c->runs}, {&c->size, c->runs}, {&c->factor, c->runs});
    for (int r = 0; r < m->runs; r++) {
        const darc_record *run = m->run + r;
        double sum = 0, count = 0;
        for (size_t k = 0, row = l->first[r]; k < run->n * q; k++) {
            double y = run->y[k], w = run->weight[k];
            row += isfinite(y);
            if (!isfinite(y) || k % q != (size_t)j)
                continue;
            double off = l->left[row - 1] / w, h = leverage_of(l, row - 1);
            c->at[c->n++] =
                (sample){r, off, y + off, h, -2 * log(w), run->weight + k};
            sum += y * y;
            count++;
            c->free[r] += 1 - h;
        }
        c->size[r] = count > 0 ? sqrt(sum / count) : 0;
        c->rms = hypot(c->rms, sqrt(sum));
    }
    c->rms /= sqrt(fmax((double)c->n, 1));
    c->least = (double)c->n / (double)l->rows;
}

static double variance_at(const sample *s, double grows, const course *c)
{
    return 1 + pow(grows * s->made / c->rms, 2);
}

/* Set the level at its best, its factors, and -2 log likelihood, restricted to
 * what unknowns leave [PT71]: that of their information, whose logarithm goes
 * with that of a sample's variance by its leverage. */
static void try_level(darc_level *t, course *c)
{
    double square = 0, all = 0, logs = 0, *f = c->factor;
    memset(f, 0, (size_t)c->runs * sizeof *f);
    for (const sample *s = c->at; s < c->at + c->n; s++) {
        double v = variance_at(s, t->grows, c);
        f[s->run] += s->left * s->left / v;
        logs += (1 - s->leverage) * log(v) + s->leverage * s->before;
    }
    for (int r = 0; r < c->runs; r++) {
        double left = f[r];
        f[r] = t->runs == DARC_LEVEL_SHARES && c->size[r] > 0
                   ? c->size[r] / c->rms
               : t->runs == DARC_LEVEL_APART && left > 0
                   ? sqrt(left / fmax(c->free[r], 1))
                   : 1;
        square += left / (f[r] * f[r]);
        all += c->free[r];
        logs += 2 * c->free[r] * log(f[r]);
    }
    t->level = sqrt(square / fmax(all, c->least));
    t->surprise = logs + 2 * all * log(t->level);
}

/* What the likelihood must gain by it, beside one level. */
static double price_of(const darc_level *t, const course *c)
{
    double grows = t->grows > 0 ? DARC_LEVEL_GROWS : 0;
    return grows + (t->runs == DARC_LEVEL_SHARES ? DARC_LEVEL_GROWS
                    : t->runs == DARC_LEVEL_APART
                        ? darc_stats_squares_isf(DARC_LEVEL_DIFFERS,
                                                 c->runs - 1, HUGE_VAL)
                        : 0);
}

/* Let the level be the likeliest that it may be, at its price. */
static void choose_level(darc_level *level, course *c)
{
    static const double grows[] = {0, .5, 1, 2, 4, 10, 30};
    darc_level t = *level;
    double least = HUGE_VAL;
    for (int k = 0; k < 7 * (c->runs > 1 ? 3 : 1); k++) {
        t.grows = grows[k % 7];
        t.runs = (darc_level_runs)(k / 7);
        if ((t.held && t.grows != level->grows) ||
            (c->runs > 1 && (t.runs < t.least || t.runs > t.most)))
            continue;
        try_level(&t, c);
        double now = t.surprise + price_of(&t, c);
        if (!(now < least))
            continue;
        least = now;
        *level = t;
    }
    level->exact = !(level->level > DARC_LEVEL_LEAST * c->rms);
    if (level->exact) {
        level->grows = 0;
        level->runs = DARC_LEVEL_SAME;
    }
    try_level(level, c);
    level->level = fmax(level->level, DARC_LEVEL_LEAST * c->rms);
}

static double set_level(darc_level *level, darc_match *m,
                        const darc_linear_match *l, int j)
{
    course c = {.runs = m->runs};
    double before = level->level;
    take_course(&c, m, l, j);
    bool any = c.rms > 0;
    if (any)
        choose_level(level, &c);
    for (const sample *s = c.at; s < c.at + c.n && any; s++)
        *s->weight = 1 / (level->level * c.factor[s->run] *
                          sqrt(variance_at(s, level->grows, &c)));
    DARC_FREE(c.at, c.free);
    return any ? fabs(log(level->level / before)) : 0;
}

double darc_level_take(darc_level *level, darc_match *m, double *taken)
{
    double most = 0;
    darc_linear_match l;
    bool good = darc_linear_match_init(&l, m);
    *taken = good ? l.rank : m->columns;
    for (int j = 0; j < m->flow->outputs && good && m->run->colour == NULL; j++)
        if (!level[j].known) {
            most = fmax(most, set_level(level + j, m, &l, j));
            level[j].surprise += j == 0 ? l.information : 0;
        }
    darc_linear_match_clear(&l);
    return most;
}
