#include "cli/progress.h"

#include "cli/thresholds.h"

#include <stdio.h>
#include <string.h>

#define BAR 20 /* cells */

/* "12 s", "3 min", "2.1 h" */
static void put_span(char *text, size_t size, double seconds)
{
    if (seconds < 99.5)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 5940)
        snprintf(text, size, "%.0f min", seconds / 60);
    else
        snprintf(text, size, "%.1f h", seconds / 3600);
}

static int put_bar(char *line, size_t size, const darc_progress *p)
{
    char bar[BAR + 1];
    int full = (int)(BAR * (double)p->done / (double)p->total);
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR] = '\0';
    return snprintf(line, size, " [%s] %ld of %ld", bar, p->done, p->total);
}

static int put_rate(char *line, size_t size, const darc_pace *pace,
                    const darc_progress *p, double now)
{
    double passed = now - pace->start;
    double rate = (double)(p->done - pace->first) / passed;
    if (passed < DARC_PROGRESS_SETTLED || !(rate > 0))
        return 0;
    char left[32];
    put_span(left, sizeof left, (double)(p->total - p->done) / rate);
    return snprintf(line, size, ", %.3g/s, %s left", rate, left);
}

void darc_pace_line(char *line, size_t size, darc_pace *pace,
                    const darc_progress *p, double now)
{
    if (strncmp(pace->stage, p->stage, sizeof pace->stage - 1) != 0 ||
        p->done < pace->first) {
        snprintf(pace->stage, sizeof pace->stage, "%s", p->stage);
        pace->first = p->done;
        pace->start = now;
    }
    int n = snprintf(line, size, "%.120s", p->stage);
    if (p->total > 0 && p->done <= p->total) {
        n += put_bar(line + n, size - (size_t)n, p);
        n += put_rate(line + n, size - (size_t)n, pace, p, now);
    }
    if (p->terms > 0)
        snprintf(line + n, size - (size_t)n, ", %ld terms", p->terms);
}
