/* thresholds.h - the constants that decide in this room: what is told at
 * length, and what is said of a signal.
 */
#pragma once

/* Terms of an io-equation beyond which a report in text tells the size alone: a
 * few lines of a terminal. */
#define DARC_TOLD_TERMS 40

/* Values, notes and candidates in a report that is not verbose: with defect and
 * recordings some ten lines behind what moved; columns of a name in a table. */
#define DARC_TOLD_ROWS 8
#define DARC_TOLD_NOTES 4
#define DARC_NAME_COLUMNS 24

/* What moved, in the first line of a report: what fits beside the words. */
#define DARC_TOLD_MOVED 3

/* A value of less than so many standard deviations may be 0: no change relative
 * to it is told. */
#define DARC_NONZERO_SD 2

/* What goes with a covariate is told from so many standard deviations on. */
#define DARC_SURE_SLOPE 3

/* A line of the spectrum with more of the variance than this is a single sine:
 * it can tell two coefficients of a linear model, not more. */
#define DARC_SURVEY_TONE 0.95

/* Bins to either side over which the window spreads a line. */
#define DARC_LINE_BINS 4

/* A stretch of the spectrum is at least one of so many parts of a recording,
 * as far as it goes to 8192 samples: lines, not levels, count. */
#define DARC_SURVEY_PARTS 2
