/* thresholds.h - the numbers that decide something in this room.
 *
 * Those of a publication or a standard stand as it gives them; the manual lists
 * the keys.  "Tried" gives the range, as far as it was tried, over which the
 * tests of the room pass.
 */
#pragma once

/* ---- common times (align.c) --------------------------------------------- */

/* Parts of the mean step within which an end still belongs to the interval that
 * recordings share, and within which times are the same and nothing is
 * interpolated: what time stamps of six digits leave.  Tried: 1e-4 .. 1e-2, and
 * 1e-8 .. 1e-4. */
#define DARC_ALIGN_END 1e-3
#define DARC_ALIGN_SAME 1e-6

/* Part of a step from which on a time is that of the next sample, so that a gap
 * before it does not matter: rounding of (t - a) / (b - a). */
#define DARC_ALIGN_AT 1e-9

/* ---- inputs (compare.c) -------------------------------------------------- */

/* RMS of the difference over the RMS from which on an input is another one:
 * what is recorded twice differs by its noise. */
#define DARC_INPUTS_DIFFER 0.02

/* ---- proximity, shape, features [YLLJ14] -------------------------------- */

/* Every lambda where the user gives none. */
#define DARC_LAMBDA 0.5

/* min D / max D from which on a series counts as shifted in parallel: the grey
 * relational degree is then over 0.93 at lambda = 0.5 whatever the distance. */
#define DARC_GREY_PARALLEL 0.9

/* Share of the samples, at the end, that are the steady state; share of the
 * largest excursion within which these must stay, and which a step must exceed;
 * the band, of |h|, into which the signal settles; the parts of h between which
 * it rises.  All as control engineering defines step responses. */
#define DARC_TAIL 10 /* a tenth */
#define DARC_SETTLED 0.05
#define DARC_SETTLING_BAND 0.02
#define DARC_RISE_FROM 0.1
#define DARC_RISE_TO 0.9

/* Part of h up to which an overshoot is rounding: an approach from below ends
 * in 1e-14 or 1e-11, and these would differ by a factor of a thousand.  Tried:
 * 1e-11 .. 1e-6. */
#define DARC_NO_OVERSHOOT 1e-9

/* Runs that tell correlations: two always lie on a line. */
#define DARC_CORRELATED_RUNS 3

/* Mean r^2 at and below which a column is not correlated with any other: by
 * chance it is about 1 / runs, rounding leaves 1e-31.
 * Tried: 1e-28 .. 1e-6. */
#define DARC_UNCORRELATED 1e-20

/* ---- ISO/TS 18571 [ISO18571], [BFZD13] ---------------------------------- */

/* Corridors, parts of the largest |reference|. */
#define DARC_ISO_INNER 0.05
#define DARC_ISO_OUTER 0.5

/* Largest shift, part of the length; errors of magnitude and slope at which
 * their scores are 0; the window of the warping path, part of the length. */
#define DARC_ISO_SHIFT 5 /* a fifth */
#define DARC_ISO_MAGNITUDE 0.5
#define DARC_ISO_SLOPE 2
#define DARC_ISO_WINDOW 10 /* a tenth */

/* Samples on either side over which a slope is averaged. */
#define DARC_ISO_NEIGHBOURS 4

/* Weights of corridor and of each other part; grades from these ratings on. */
#define DARC_ISO_CORRIDOR_WEIGHT 0.4
#define DARC_ISO_WEIGHT 0.2
#define DARC_ISO_EXCELLENT 0.94
#define DARC_ISO_GOOD 0.80
#define DARC_ISO_FAIR 0.58

/* Samples that are rated at most (longer signals are averaged over blocks: the
 * warping path takes n^2 / 5 steps), and at least (a shift of a fifth, slopes
 * over nine points). */
#define DARC_ISO_POINTS 2000
#define DARC_ISO_SAMPLES 20

/* Correlations that differ by less are equal: rounding; the smaller shift
 * counts. */
#define DARC_ISO_TIE 1e-12

/* ---- spectra ------------------------------------------------------------ */

/* Bands of frequencies, equal in width. */
#define DARC_SPECTRUM_BANDS 8

/* Samples below which there are no spectra: 16 a band. */
#define DARC_SPECTRUM_SAMPLES 128

/* Samples of a periodogram: at least two bins a band; at most what is quick;
 * between, a power of two with 8 to 16 segments in the signal. */
#define DARC_SEGMENT_LEAST 32
#define DARC_SEGMENT_MOST 65536
#define DARC_SEGMENTS 16

/* Highest order of a Burg model; points at which its density is summed over a
 * band.  Tried: 20 .. 60, and 32 .. 1024. */
#define DARC_BURG_ORDER 40
#define DARC_BURG_POINTS 256

/* ---- validation in four steps ------------------------------------------- */

/* Part of its RMS by which an output of the reference must move to count, and
 * the ratios of the movements between which both move alike. */
#define DARC_MOVED 0.01
#define DARC_ALIKE_LOW 0.5
#define DARC_ALIKE_HIGH 2

/* ---- credibility [FYZ] -------------------------------------------------- */

/* Thresholds and level where the file gives none. */
#define DARC_SIMILARITY 0.8
#define DARC_CREDIBILITY 0.7
#define DARC_LEVEL 0.95

/* Input limits of a factor file. */
#define DARC_FACTOR_BYTES (1 << 20)
#define DARC_FACTORS 10000
