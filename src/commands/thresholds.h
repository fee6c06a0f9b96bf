/* thresholds.h - the numbers that decide something in this room. */
#ifndef DARC_COMMANDS_THRESHOLDS_H
#define DARC_COMMANDS_THRESHOLDS_H

/* Samples up to which a terminal shows the residual: its series is kept for
 * that, 32 bytes a sample. */
#define DARC_MOST_PLOTTED 1000000

/* Share of --memory that a recording may take before it goes to a temporary
 * file: two recordings, their derived signals and the work need the rest. */
#define DARC_MEMORY_SHARE 0.25

/* What it may cost `eliminate` to keep its partial result fresh: a share of the
 * time, and as many seconds at the beginning. */
#define DARC_READING_SHARE 0.05
#define DARC_READING_MOMENT 0.02

/* Products of terms within which `identify` expands io-equations: hundredths of
 * a second; and, where their values do not show all functions, some seconds. */
#define DARC_EXPANDED_WORK 2e5
#define DARC_MORE_WORK 1e8

#endif
