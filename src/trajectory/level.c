#include "trajectory/level.h"

#include "base/mem.h"
#include "trajectory/thresholds.h"

#include <math.h>

/* Return the mean of y^2 of output j, less the square of the mean where
 * `spread`, and set *count. */
static double power_of(const darc_match *m, int j, bool spread, size_t *count)
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
    *count = n;
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
        size_t count;
        double size = sqrt(power_of(m, j, true, &count));
        double all = sqrt(power_of(m, j, false, &count));
        level[j] = (darc_level){.known = isfinite(sd[j]) && sd[j] > 0};
        level[j].level = level[j].known ? sd[j]
                         : size > 0     ? DARC_LEVEL_GUESS * size
                         : all > 0      ? DARC_LEVEL_GUESS * all
                                        : 1;
        weigh(m, j, level[j].level);
    }
}

/* Samples of one output: what is left of them, and what they should be. */
typedef struct {
    size_t n;
    double *left, *made; /* owned in one */
} course;

static void take_course(course *c, darc_match *m, int j)
{
    size_t q = (size_t)m->flow->outputs, all = 0;
    for (int r = 0; r < m->runs; r++)
        all += m->run[r].n;
    c->left = darc_malloc((2 * all + 1) * sizeof *c->left);
    c->made = c->left + all;
    c->n = 0;
    for (int r = 0; r < m->runs; r++) {
        const darc_record *run = m->run + r;
        double *left = darc_malloc((run->n * q + 1) * sizeof *left);
        bool good = darc_match_left(m, r, left, NULL);
        for (size_t i = 0; i < run->n && good; i++) {
            size_t at = i * q + (size_t)j;
            if (!isfinite(run->y[at]))
                continue;
            c->left[c->n] = left[at] / run->weight[at];
            c->made[c->n] = run->y[at] + c->left[c->n];
            c->n++;
        }
        darc_free(left);
    }
}

/* Return -2 log likelihood with that growth, the level at its best. */
static double surprise(const course *c, double grows, double rms,
                       double *square)
{
    double logs = 0;
    *square = 0;
    for (size_t i = 0; i < c->n; i++) {
        double v = 1 + pow(grows * c->made[i] / rms, 2);
        logs += log(v);
        *square += c->left[i] * c->left[i] / v;
    }
    return (double)c->n * log(*square) + logs;
}

static double set_level(darc_level *level, darc_match *m, int j, double share)
{
    static const double grows[] = {0, .5, 1, 2, 4, 10, 30};
    size_t q = (size_t)m->flow->outputs, count;
    double rms = sqrt(power_of(m, j, false, &count)), square, best = HUGE_VAL;
    double before = level->level;
    course c;
    take_course(&c, m, j);
    if (c.n == 0 || rms == 0) {
        darc_free(c.left);
        return 0;
    }
    for (size_t k = 0; k < sizeof grows / sizeof *grows; k++) {
        double s = surprise(&c, grows[k], rms, &square);
        if (level->held ? grows[k] != level->grows : !(s < best))
            continue;
        level->surprise = s;
        best = s - (k == 0 ? DARC_LEVEL_GROWS : 0);
        level->grows = grows[k];
        level->level = sqrt(square / ((double)c.n * share));
    }
    level->exact = !(level->level > DARC_LEVEL_LEAST * rms);
    if (level->exact)
        *level = (darc_level){.level = DARC_LEVEL_LEAST * rms,
                              .exact = true,
                              .held = level->held};
    for (int r = 0; r < m->runs; r++) {
        darc_record *run = m->run + r;
        double *left = darc_malloc((run->n * q + 1) * sizeof *left);
        bool good = darc_match_left(m, r, left, NULL);
        for (size_t i = 0; i < run->n && good; i++) {
            size_t at = i * q + (size_t)j;
            if (!isfinite(run->y[at]))
                continue;
            double made = run->y[at] + left[at] / run->weight[at];
            run->weight[at] = 1 / (level->level *
                                   sqrt(1 + pow(level->grows * made / rms, 2)));
        }
        darc_free(left);
    }
    darc_free(c.left);
    return fabs(log(level->level / before));
}

double darc_level_take(darc_level *level, darc_match *m, double taken)
{
    double most = 0, all = 0;
    for (int r = 0; r < m->runs; r++)
        for (int j = 0; j < m->flow->outputs; j++)
            all += (double)m->run[r].count[j];
    for (int j = 0; j < m->flow->outputs; j++)
        if (!level[j].known && m->run->colour == NULL)
            most = fmax(most, set_level(level + j, m, j,
                                        fmax(1 - taken / all, 1 / all)));
    return most;
}
