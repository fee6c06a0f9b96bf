/* lines.h - lines of a spectrum that are none of the signal's: hum.
 *
 * A line is a sine that goes on as it is along the recording.  It belongs to
 * the signal where other such lines are among what it moves by, as under a sum
 * of sines, unless it stands above the band of the signal.
 */
#pragma once

#include "noise/signalnoise.h"

typedef struct {
    double hz;
    double share; /* its RMS over the standard deviation of the signal */
} darc_line;

enum { DARC_LINES_MOST = 4 };

/* Set list to the lines of signal i of a table, of which n was read
 * (signalnoise.h), from low frequencies on, DARC_LINES_MOST at most; return how
 * many, 0 where time is not uniform.  Cost: a spectrum, and 70 passes over 8192
 * samples a line that is looked at. */
int darc_lines_find(darc_line *list, const darc_signalnoise *n,
                    const darc_table *table, int signal);

/* Return whether signal i holds a line near there, which may be its own. */
bool darc_lines_has(const darc_table *table, int signal, double hertz);
