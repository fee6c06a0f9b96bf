#include "data/table.h"

#include "base/mem.h"
#include "base/text.h"
#include "data/thresholds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { LOOKED_AT = 4096 };

static void new_segment(darc_table *t, size_t begin, size_t end)
{
    DARC_APPEND(t->segment, t->segments, (darc_segment){begin, end});
}

void darc_table_add_segment(darc_table *table, size_t begin, size_t end)
{
    int n = table->segments;
    if (n > 0 && table->segment[n - 1].end == begin)
        table->segment[n - 1].end = end;
    else
        new_segment(table, begin, end);
}

void darc_table_remark(darc_table *table, const char *format, ...)
{
    size_t n = (size_t)table->remarks + 1;
    darc_text_t text = DARC_TEXT;
    va_list args;
    va_start(args, format);
    darc_text_vprintf(text, format, args);
    va_end(args);
    table->remark = darc_realloc(table->remark, n, sizeof *table->remark);
    table->remark[table->remarks++] = darc_text_take(text);
}

double darc_table_time(const darc_table *table, size_t i)
{
    assert(i < table->samples);
    return table->time != NULL ? table->time[i]
                               : table->t0 + (double)i * table->dt;
}

darc_segment darc_table_longest(const darc_table *table)
{
    darc_segment best = {0, 0};
    for (int i = 0; i < table->segments; i++)
        if (table->segment[i].end - table->segment[i].begin >
            best.end - best.begin)
            best = table->segment[i];
    return best;
}

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

static bool has_sample(const darc_table *t, int signal, size_t i)
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
        if (!has_sample(t, signal, i))
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

/* Fill the cells between samples that are not too far apart along the line. */
static void fill_signal(darc_table *t, int signal)
{
    double *value = t->signal[signal].value;
    double reach = DARC_BRIDGE_REACH * darc_table_spacing(t, signal);
    unsigned char *absent = NULL;
    size_t last = t->samples;
    for (size_t i = 0; i < t->samples; i++) {
        if (isnan(value[i]))
            continue;
        double from = last < i ? darc_table_time(t, last) : 0;
        double all = darc_table_time(t, i) - from;
        if (last + 1 < i && all < reach && absent == NULL)
            absent = darc_calloc(t->samples, sizeof *absent);
        for (size_t k = last + 1; k < i && all < reach; k++) {
            double share = (darc_table_time(t, k) - from) / all;
            value[k] = value[last] + share * (value[i] - value[last]);
            absent[k] = 1;
        }
        last = i;
    }
    /* what is still empty is a gap, and absent too */
    for (size_t i = 0; i < t->samples && absent != NULL; i++)
        absent[i] = (unsigned char)(absent[i] || isnan(value[i]));
    t->absent[signal] = absent;
}

void darc_table_find_segments(darc_table *t, double reach)
{
    t->segments = 0;
    for (size_t i = 0; i < t->samples; i++) {
        bool whole = true;
        for (int k = 0; k < t->signals && whole; k++)
            whole = !isnan(t->signal[k].value[i]);
        if (whole && t->time != NULL && t->segments > 0 &&
            t->time[i] - t->time[i - 1] > reach)
            new_segment(t, i, i + 1);
        else if (whole)
            darc_table_add_segment(t, i, i + 1);
    }
}

/* Return the spacing beside which a hole is long: the mean without holes, where
 * times are those of no clock. */
static double usual_spacing(const darc_table *t)
{
    double median = darc_table_step(t), sum = 0, count = 0;
    for (size_t i = 1; i < t->samples && t->dt == 0; i++) {
        double gap = darc_table_time(t, i) - darc_table_time(t, i - 1);
        if (gap < DARC_BRIDGE_REACH * median) {
            sum += gap;
            count++;
        }
    }
    return fmax(median, sum / fmax(1, count));
}

void darc_table_bridge(darc_table *t)
{
    size_t rows = 0, most = DARC_BRIDGE_ROWS * ((size_t)t->segments + 1);
    if (t->absents > 0)
        return;
    t->absents = t->signals;
    t->absent = darc_calloc((size_t)t->signals, sizeof *t->absent);
    for (int i = 0; i < t->segments; i++)
        rows += t->segment[i].end - t->segment[i].begin;
    bool holes = t->segments != 1 && rows < most && t->spool == NULL;
    for (int i = 0; i < t->signals && holes; i++)
        fill_signal(t, i);
    if (holes || t->time != NULL)
        darc_table_find_segments(t, DARC_BRIDGE_REACH * usual_spacing(t));
}
