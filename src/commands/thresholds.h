/* thresholds.h - the numbers that decide something in this room. */
#ifndef DARC_COMMANDS_THRESHOLDS_H
#define DARC_COMMANDS_THRESHOLDS_H

/* Samples up to which a terminal shows the residual: its series is kept for
 * that, 32 bytes a sample. */
#define DARC_MOST_PLOTTED 1000000

#endif
