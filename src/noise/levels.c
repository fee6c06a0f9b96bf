#include "noise/levels.h"

#include "base/mem.h"
#include "noise/limits.h"
#include "noise/shelf.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = DARC_LEVELS_MOST, LOOKED_AT = 8192, LAGS = 12 };

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

/* Set l to the levels of a column, *s to the noise on them, and rest to that
 * noise; return how many there are, 0: none, or the noise is not white. */
static int read_levels(level *l, darc_shelf *s, double *rest,
                       const darc_table *table, int signal)
{
    int levels = find_levels(l, table, signal);
    darc_signal noise = {.value = rest};
    darc_table alone = *table;
    alone.signals = 1;
    alone.signal = &noise;
    if (levels == 0)
        return 0;
    take_off(rest, l, levels, table, signal);
    return are_alike(l, levels) && darc_shelf_is_all(s, &alone) ? levels : 0;
}

bool darc_levels_read(darc_signalnoise *n, const darc_table *table, int signal)
{
    level l[MOST + 1] = {{0}};
    darc_shelf s;
    double *rest = darc_calloc(table->samples, sizeof *rest);
    int levels = read_levels(l, &s, rest, table, signal);
    darc_free(rest);
    if (levels == 0)
        return false;
    n->colour = DARC_COLOUR_WHITE;
    n->sd = n->kernel[0] = sqrt(s.level);
    n->dof = 2 * s.ordinates;
    n->raise = s.raise;
    n->jump = least_step(l, levels);
    return true;
}

/* Return the p-value of x, n values, in what y is made of beside its own past
 * and that of u: a regression on LAGS values of each, and those of now. */
static double follows(const double *y, const double *u, const double *x,
                      size_t n)
{
    enum { COLUMNS = 3 * LAGS + 3, OWN = LAGS + 1 };
    size_t rows = n - LAGS;
    double **q = darc_columns_new(COLUMNS + 1, rows), gain = 0;
    for (int j = 0; j <= COLUMNS; j++) { /* 1 stands where y is now, y last */
        const double *from = j <= LAGS || j == COLUMNS ? y
                             : j <= 2 * LAGS + 1       ? u
                                                       : x;
        size_t now = LAGS - (size_t)(j < COLUMNS ? j % (LAGS + 1) : 0);
        for (size_t t = 0; t < rows; t++)
            q[j][t] = j == 0 ? 1 : from[t + now];
    }
    bool known = darc_dense_triangle(q[0], (int)rows, COLUMNS + 1);
    for (int j = COLUMNS - OWN; j < COLUMNS; j++)
        gain += pow(q[COLUMNS][j], 2);
    double left = pow(q[COLUMNS][COLUMNS], 2), dof = (double)rows - COLUMNS;
    darc_columns_free(q);
    return known && left > 0
               ? darc_stats_f_sf(gain / OWN / (left / dof), OWN, dof)
               : 1;
}

/* Whether another signal follows the noise on the levels of a column: then it
 * acts, and is none of its sensor. */
static bool acts(const darc_table *table, int signal, const double *rest)
{
    darc_segment g = darc_table_longest(table);
    size_t n = g.end - g.begin < LOOKED_AT ? g.end - g.begin : LOOKED_AT;
    double *mean = darc_malloc(n * sizeof *mean);
    bool any = false;
    for (size_t t = 0; t < n; t++)
        mean[t] = table->signal[signal].value[g.begin + t] - rest[g.begin + t];
    for (int i = 0; i < table->signals && !any && n > 8 * LAGS; i++)
        any = i != signal && follows(table->signal[i].value + g.begin, mean,
                                     rest + g.begin, n) *
                                     table->signals <
                                 DARC_LEVELS_ACT;
    darc_free(mean);
    return any;
}

void darc_levels_average(darc_table *table, int signal)
{
    level l[MOST + 1] = {{0}};
    darc_shelf s;
    double *y = table->signal[signal].value;
    double *rest = darc_calloc(table->samples, sizeof *rest);
    int levels = table->spool != NULL || darc_table_is_patchy(table)
                     ? 0
                     : read_levels(l, &s, rest, table, signal);
    bool still = levels > 0 && s.level > 0 && !acts(table, signal, rest);
    darc_free(rest);
    if (!still)
        return;
    for (int i = 0; i < table->segments; i++)
        for (size_t t = table->segment[i].begin; t < table->segment[i].end;
             t++) {
            const level *own = level_of(l, levels, y[t]);
            y[t] = own->sum / own->count;
        }
    darc_table_remark(table,
                      "'%s': noise of sd %.2g on the %d levels that it "
                      "switches between: each sample is the mean of its level",
                      table->signal[signal].name, sqrt(s.level), levels);
}
