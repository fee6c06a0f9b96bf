#include "noise/levels.h"

#include "base/mem.h"
#include "noise/limits.h"
#include "noise/shelf.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = DARC_LEVELS_MOST, LOOKED_AT = 8192 };

typedef struct {
    double low, high; /* of the values looked at, then of all */
    double count, sum, square;
} level;

/* Divide n sorted values where none lies within this share of their range;
 * return the number of groups, MOST + 1: more. */
static int group_values(level *out, const double *s, size_t n, double share)
{
    double gap = share * (s[n - 1] - s[0]);
    int levels = 0;
    for (size_t i = 0; i < n && levels <= MOST; i++) {
        if (i == 0 || s[i] - s[i - 1] > gap)
            out[levels++] = (level){.low = s[i]};
        out[levels - 1].high = s[i];
        out[levels - 1].count++;
    }
    return levels;
}

/* Whether groups are levels: each holds its share of n values, and stands
 * farther from the next than its values do from one another. */
static bool are_apart(const level *l, int levels, size_t n)
{
    bool apart = levels >= 2 && levels <= MOST;
    for (int i = 0; i < levels && apart; i++) {
        double wide = l[i].high - l[i].low;
        double below = i > 0 ? l[i].low - l[i - 1].high : HUGE_VAL;
        double above = i + 1 < levels ? l[i + 1].low - l[i].high : HUGE_VAL;
        apart = l[i].count >= DARC_LEVELS_LEAST * (double)n &&
                fmin(below, above) > DARC_LEVELS_APART * wide;
    }
    return apart;
}

/* Find the levels of a column; return how many there are, 0: none. */
static int find_levels(level *out, const darc_table *table, int signal)
{
    darc_segment g = darc_table_longest(table);
    const double *y = table->signal[signal].value + g.begin;
    size_t n = g.end - g.begin, stride = 1 + (n - 1) / LOOKED_AT;
    size_t m = (n - 1) / stride + 1;
    double *s = darc_malloc(m * sizeof *s);
    for (size_t i = 0; i < m; i++)
        s[i] = y[i * stride];
    qsort(s, m, sizeof *s, darc_stats_cmp);
    int levels = group_values(out, s, m, DARC_LEVELS_GAP);
    bool apart = are_apart(out, levels, m);
    if (!apart) {
        levels = group_values(out, s, m, DARC_LEVELS_NARROW);
        apart = are_apart(out, levels, m);
    }
    darc_free(s);
    return apart ? levels : 0;
}

static level *level_of(level *l, int levels, double y)
{
    int i = 0;
    while (i + 1 < levels && y > (l[i].high + l[i + 1].low) / 2)
        i++;
    return l + i;
}

/* Set rest to the values less the means of their levels. */
static void take_off(double *rest, level *l, int levels,
                     const darc_table *table, int signal)
{
    const double *y = table->signal[signal].value;
    for (int i = 0; i < levels; i++)
        l[i].count = 0;
    for (int i = 0; i < table->segments; i++)
        for (size_t t = table->segment[i].begin; t < table->segment[i].end;
             t++) {
            level *k = level_of(l, levels, y[t]);
            k->count++;
            k->sum += y[t];
        }
    for (int i = 0; i < table->segments; i++)
        for (size_t t = table->segment[i].begin; t < table->segment[i].end;
             t++) {
            level *k = level_of(l, levels, y[t]);
            rest[t] = y[t] - k->sum / k->count;
            k->square += rest[t] * rest[t];
        }
}

/* Whether no level has more noise than the others. */
static bool are_alike(const level *l, int levels)
{
    bool alike = true;
    double count = 0, square = 0;
    for (int i = 0; i < levels; i++) {
        count += l[i].count - 1;
        square += l[i].square;
    }
    for (int i = 0; i < levels && alike; i++) {
        double own = l[i].count - 1, other = count - own;
        double f = l[i].square / own / ((square - l[i].square) / other);
        alike = own > 0 && other > 0 &&
                f < darc_stats_f_isf(DARC_LEVELS_P, own, other);
    }
    return alike;
}

static double least_step(const level *l, int levels)
{
    double step = HUGE_VAL;
    for (int i = 1; i < levels; i++)
        step = fmin(step, l[i].low - l[i - 1].high);
    return step;
}

bool darc_levels_are_there(const darc_table *table, int signal)
{
    level l[MOST + 1] = {{0}};
    return find_levels(l, table, signal) > 0;
}

bool darc_levels_read(darc_signalnoise *n, const darc_table *table, int signal)
{
    level l[MOST + 1] = {{0}};
    darc_shelf s;
    int levels = find_levels(l, table, signal);
    if (levels == 0)
        return false;
    darc_signal rest = {.value =
                            darc_calloc(table->samples, sizeof *rest.value)};
    darc_table alone = *table;
    alone.signals = 1;
    alone.signal = &rest;
    take_off(rest.value, l, levels, table, signal);
    bool white = are_alike(l, levels) && darc_shelf_is_all(&s, &alone, 0);
    darc_free(rest.value);
    if (!white)
        return false;
    n->colour = DARC_COLOUR_WHITE;
    n->sd = n->kernel[0] = sqrt(s.level);
    n->dof = 2 * s.ordinates;
    n->raise = s.raise;
    n->jump = least_step(l, levels);
    return true;
}
