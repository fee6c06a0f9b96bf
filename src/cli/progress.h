/* progress.h - the progress line: stage, bar, rate, remaining time. */
#ifndef DARC_CLI_PROGRESS_H
#define DARC_CLI_PROGRESS_H

#include "base/budget.h"

#include <stddef.h>

/* When the stage began, and where it stood then. */
typedef struct {
    char stage[128];
    long first;   /* steps done when it began */
    double start; /* s */
} darc_pace;

/* Write the line for p at the time now (s) into line:
 * "drift [####......] 40 of 100, 8.2 /s, 7 s left". */
void darc_pace_line(char *line, size_t size, darc_pace *pace,
                    const darc_progress *p, double now);

#endif
