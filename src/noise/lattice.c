#include "noise/lattice.h"

#include "base/mem.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

enum {
    LOOKED_AT = 8192,
    LEAST_HOLD = 4,  /* samples on the average */
    SAID_HOLD = 2,   /* of what is said to be held */
    SHORT_HOLD = 3,  /* less is short */
    LEAST_ALONE = 8, /* one jump in so many has none beside it: others are of
                        blows that samples hardly tell (of 90 right recordings
                        by hammers 6 are refused without it, 3 with it; of 90
                        wrong ones 23 are found and 17: trains of blows have no
                        such jump, and levels that change at any sample one in
                        four, so that half and twice are the same) */
    DONE = 1 << 16,  /* samples after which their memory is given back */
    FEW_LEVELS = 3
};

/* Replace the n values at s by the gaps between them that are no rounding, in
 * ascending order; return their number. */
static size_t sort_gaps(double *s, size_t n, double *range)
{
    qsort(s, n, sizeof *s, darc_stats_cmp);
    *range = s[n - 1] - s[0];
    size_t gaps = 0;
    for (size_t i = 1; i < n; i++) {
        double gap = s[i] - s[i - 1];
        if (gap > 1e-9 * *range)
            s[gaps++] = gap;
    }
    qsort(s, gaps, sizeof *s, darc_stats_cmp);
    return gaps;
}

/* Return the step of which all gaps are multiples, learnt from one gap after
 * the other; 0: there is none. */
static double common_step(const double *gap, size_t gaps)
{
    double sum = 0, steps = 0;
    for (size_t i = 0; i < gaps; i++) {
        double q = i > 0 ? gap[i] * steps / sum : 1;
        if (fabs(q - round(q)) > 0.1)
            return 0;
        sum += gap[i];
        steps += round(q);
    }
    return steps > 0 ? sum / steps : 0;
}

double darc_lattice_step(const double *y, size_t n)
{
    size_t stride = 1 + (n - 1) / LOOKED_AT, m = (n - 1) / stride + 1;
    double *s = darc_malloc(m * sizeof *s), range;
    for (size_t i = 0; i < m; i++)
        s[i] = y[i * stride];
    double step = common_step(s, sort_gaps(s, m, &range));
    darc_free(s);
    return step > 0 && range > 2.5 * step && range < 1e6 * step ? step : 0;
}

/* What a staircase is known by. */
typedef struct {
    size_t jumps, brief, far; /* far: beyond the next step */
    size_t before, alone;     /* samples held before the last; alone: two on
                                 either side */
    double way;               /* sum of all jumps, up and down */
    double low, high;
    double level[FEW_LEVELS];
    int levels; /* FEW_LEVELS + 1: more */
} staircase;

static void add_level(staircase *s, double y)
{
    for (int i = 0; i < s->levels && i < FEW_LEVELS; i++)
        if (s->level[i] == y)
            return;
    if (s->levels < FEW_LEVELS)
        s->level[s->levels] = y;
    s->levels += s->levels <= FEW_LEVELS;
}

/* Add the sample y, before which y stood at `last` for `hold` samples. */
static void add_sample(staircase *s, double y, double last, size_t hold,
                       double step)
{
    double jump = fabs(y - last);
    if (jump == 0)
        return;
    s->jumps++;
    s->brief += hold < SHORT_HOLD;
    s->alone += hold > 1 && s->before > 1;
    s->before = hold;
    s->far += jump > 1.5 * step;
    s->way += jump;
    s->low = fmin(s->low, y);
    s->high = fmax(s->high, y);
    add_level(s, y);
}

/* Whether n samples are held as is told in the header. */
static bool is_staircase(const staircase *s, size_t n, darc_stairs kind)
{
    bool brief = kind == DARC_STAIRS_SHORT || kind == DARC_STAIRS_SAID;
    bool small = kind == DARC_STAIRS_SMALL || kind == DARC_STAIRS_SAID;
    if (s->jumps == 0)
        return true;
    if ((brief ? SAID_HOLD : LEAST_HOLD) * (s->jumps + 1) > n ||
        (!brief && 2 * s->brief > s->jumps) ||
        (kind == DARC_STAIRS_SHORT && LEAST_ALONE * s->alone < s->jumps))
        return false;
    return small || s->levels <= FEW_LEVELS ||
           (2 * s->far >= s->jumps &&
            10 * s->way >= (s->high - s->low) * (double)s->jumps);
}

bool darc_lattice_is_held(const double *y, const darc_table *table, double step,
                          darc_stairs kind)
{
    bool brief = kind == DARC_STAIRS_SHORT || kind == DARC_STAIRS_SAID;
    double last = y[table->segment[0].begin];
    staircase s = {.before = LEAST_HOLD, .low = last, .high = last};
    size_t n = 0, hold = 0;
    add_level(&s, last);
    for (int g = 0; g < table->segments; g++)
        n += table->segment[g].end - table->segment[g].begin;
    for (int g = 0; g < table->segments; g++)
        for (size_t i = table->segment[g].begin, end = table->segment[g].end;
             i < end; i++) {
            add_sample(&s, y[i], last, hold, step);
            hold = y[i] == last ? hold + 1 : 1;
            last = y[i];
            if ((i + 1) % DONE == 0 || i + 1 == end)
                darc_table_done(table, i / DONE * DONE, i + 1);
            if (!brief && 2 * LEAST_HOLD * s.brief > n)
                return false; /* more short holds than there may be jumps */
        }
    return is_staircase(&s, n, kind);
}
