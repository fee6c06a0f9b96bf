/* thresholds.h - the numbers that decide something in this room.
 *
 * "Tried" gives the range, as far as it was tried, over which the tests of the
 * room pass.
 */
#pragma once

/* Time stamps are often written with few digits: from uniform times they may
 * deviate by this part of the step; or by so many seconds, as long as that is
 * below a part of the step where its effect on signals stays below what sensors
 * resolve.  Tests hold them where they are. */
#define DARC_GRID_PART 1e-6
#define DARC_GRID_SECONDS 1e-6
#define DARC_GRID_MOST 1e-4

/* Stamps that are rounded may deviate by half a digit, if that is less than
 * this part of the step: more could hide a lost row or jitter.  The finest
 * digit, s, that is looked for. */
#define DARC_GRID_COARSE 0.0625
#define DARC_GRID_DIGIT 1e-9

/* Times from here on, s, are no times: sums of them would be infinite. */
#define DARC_TIME_MOST 1e300

/* Rows by which the time column and its usual step are known: it has to
 * increase in them where its name alone does not say so, and may stand still in
 * less than a share of them. */
#define DARC_CLOCK_ROWS 1000
#define DARC_STILL_SHARE 0.2

/* Part of the usual step by which a series that lacks rows may differ from it:
 * times of few digits do. */
#define DARC_GRID_USUAL 0.1

/* Rows that part two recordings in one file: more than is stepped over. */
#define DARC_APART 10

/* Steps from which on a row is late: samples before it may be missing.  Tried:
 * 1.1 .. 1.9. */
#define DARC_GRID_LATE 1.5

/* A time column and a rate beside it disagree beyond this part: derivatives,
 * and with them parameters, would differ by so much; crystals keep 1e-4. */
#define DARC_CLOCKS_AGREE 1e-3

/* Samples that may be put where rows are missing: so many a row read, and some
 * besides.  A pause of hours is no row of samples. */
#define DARC_FILLED_A_ROW 4
#define DARC_FILLED_BESIDES 1000

/* Holes of less than this many usual spacings are stepped over (chosen: what is
 * longer the weak form could not integrate over either), where segments between
 * gaps hold fewer than so many rows on the average: longer ones lose little at
 * their ends, and the sums over uniform samples are faster. */
#define DARC_BRIDGE_REACH 8.5
#define DARC_BRIDGE_ROWS 1000

/* Bytes of columns that stay in memory where the user does not say; what is
 * longer goes to a temporary file.  No result depends on it. */
#define DARC_TABLE_MEMORY ((size_t)64 << 20)
