#include "data/bridge.h"

#include "base/mem.h"
#include "data/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 4096 };

bool darc_table_is_patchy(const darc_table *table)
{
    bool patchy = table->time != NULL;
    for (int i = 0; i < table->absents; i++)
        patchy = patchy || table->absent[i] != NULL;
    return patchy;
}

const unsigned char *darc_table_absent(const darc_table *table, int signal)
{
    return signal < table->absents ? table->absent[signal] : NULL;
}

/* ---- spacing ---------------------------------------------------------------
 */

static bool is_there(const darc_table *t, int signal, size_t i)
{
    const unsigned char *absent =
        signal < 0 ? NULL : darc_table_absent(t, signal);
    if (absent != NULL)
        return absent[i] == 0;
    return signal < 0 || !isnan(t->signal[signal].value[i]);
}

static int cmp_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over places spread along the recording. */
double darc_table_spacing(const darc_table *t, int signal)
{
    double *gap = darc_malloc(LOOKED_AT * sizeof *gap), median = 0;
    size_t stride = 1 + t->samples / LOOKED_AT, n = 0, last = 0;
    bool any = false;
    for (size_t i = 0, next = 0; i < t->samples && n < LOOKED_AT; i++) {
        if (!is_there(t, signal, i))
            continue;
        if (any && i >= next) {
            gap[n++] = darc_table_time(t, i) - darc_table_time(t, last);
            next = i + stride;
        }
        any = true;
        last = i;
    }
    if (n > 0) {
        qsort(gap, n, sizeof *gap, cmp_double);
        median = gap[n / 2];
    }
    darc_free(gap);
    return median;
}

double darc_table_step(const darc_table *t)
{
    return t->dt > 0 ? t->dt : darc_table_spacing(t, -1);
}

/* ---- holes -----------------------------------------------------------------
 */

/* Fill the cells between samples a and b along the line. */
static void fill(darc_table *t, int signal, size_t a, size_t b)
{
    double *value = t->signal[signal].value;
    unsigned char **absent = t->absent + signal;
    double from = darc_table_time(t, a), all = darc_table_time(t, b) - from;
    if (b > a + 1 && *absent == NULL)
        *absent = darc_calloc(t->samples, sizeof **absent);
    for (size_t i = a + 1; i < b; i++) {
        double share = (darc_table_time(t, i) - from) / all;
        value[i] = value[a] + share * (value[b] - value[a]);
        (*absent)[i] = 1;
    }
}

static void fill_signal(darc_table *t, int signal)
{
    const double *value = t->signal[signal].value;
    double reach = DARC_BRIDGE_REACH * darc_table_spacing(t, signal);
    size_t last = t->samples;
    for (size_t i = 0; i < t->samples; i++) {
        if (isnan(value[i]))
            continue;
        if (last < i &&
            darc_table_time(t, i) - darc_table_time(t, last) < reach)
            fill(t, signal, last, i);
        last = i;
    }
    /* what is still empty is a gap, and absent too */
    unsigned char *absent = t->absent[signal];
    for (size_t i = 0; i < t->samples && absent != NULL; i++)
        absent[i] = (unsigned char)(absent[i] || isnan(value[i]));
}

static void find_segments(darc_table *t)
{
    double reach = DARC_BRIDGE_REACH * darc_table_step(t);
    darc_free(t->segment);
    t->segment = NULL;
    t->segments = 0;
    t->segment_alloc = 0;
    for (size_t i = 0; i < t->samples; i++) {
        bool whole = true;
        for (int k = 0; k < t->signals && whole; k++)
            whole = !isnan(t->signal[k].value[i]);
        if (!whole)
            continue;
        bool apart = t->time != NULL && t->segments > 0 &&
                     t->time[i] - t->time[i - 1] > reach;
        if (apart)
            darc_table_new_segment(t, i, i + 1);
        else
            darc_table_add_segment(t, i, i + 1);
    }
}

static bool are_short(const darc_table *t)
{
    size_t rows = 0;
    for (int i = 0; i < t->segments; i++)
        rows += t->segment[i].end - t->segment[i].begin;
    return t->segments != 1 &&
           rows < DARC_BRIDGE_ROWS * (size_t)t->segments + DARC_BRIDGE_ROWS;
}

void darc_table_bridge(darc_table *t)
{
    if (t->absents > 0)
        return;
    t->absents = t->signals;
    t->absent = darc_calloc((size_t)t->signals, sizeof *t->absent);
    bool holes = are_short(t) && t->spool == NULL;
    for (int i = 0; i < t->signals && holes; i++)
        fill_signal(t, i);
    if (holes || t->time != NULL)
        find_segments(t);
}
