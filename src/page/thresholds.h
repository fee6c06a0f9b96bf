/* thresholds.h - the constants that decide what a page shows, so that it stays
 * below 500 kB and can be read.  None of them bears on a result.
 */
#pragma once

/* Bytes of all curves together, half of a page: three characters a point, two
 * points a bucket.  Buckets of one curve: about the columns of a screen; what
 * shows a shape (chosen). */
#define DARC_CURVE_BYTES 240000
#define DARC_MOST_BUCKETS 2000
#define DARC_LEAST_BUCKETS 50

/* Rows and cells of tables, files, signals, outputs, runs, functions, points
 * of change that are shown at most (chosen); these are folded from FEW on. */
#define DARC_MOST_ROWS 400
#define DARC_MOST_CELLS 2000
#define DARC_MOST_FILES 300
#define DARC_MOST_SIGNALS 40
#define DARC_MOST_OUTPUTS 20
#define DARC_MOST_RUNS 3 /* beside the reference: four colours */
#define DARC_MOST_CHARTS 24
#define DARC_MOST_MARKS 2000 /* in all charts of a campaign */
#define DARC_MOST_CHANGES 200
#define DARC_FEW_CHANGES 8

/* Characters of an equation that is too long to typeset. */
#define DARC_MOST_TEXT 8000

/* Recordings that begin and end within this fraction of each other's length
 * are zoomed together. */
#define DARC_SAME_SPAN 0.1

/* Points of a curve of what is left against a signal, at most; each the mean of
 * so many functions at least. */
#define DARC_AGAINST_BINS 24
#define DARC_AGAINST_POINTS 8

/* A profile is drawn to that share of its limit; over a logarithm where its
 * ends differ by more than that factor. */
#define DARC_PROFILE_DRAWN 1.6
#define DARC_PROFILE_DECADE 10
