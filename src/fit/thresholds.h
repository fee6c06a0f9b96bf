/* thresholds.h - the numbers that decide in this room. */
#pragma once

/* A signal that varies by less than this share of its value does not move:
 * rounding. */
#define DARC_STILL 1e-12

/* Samples along which an error of a derived signal stays the same, at most:
 * what is longer looks the same to test functions, which are shorter. */
#define DARC_OWN_TAPS 512

/* An input jumps where a step is larger by this factor than the so many before
 * it and after it: no band-limited signal does, and white noise at one of 1e6
 * samples. */
#define DARC_JUMP_FACTOR 8
enum { DARC_JUMP_REACH = 4 };

/* Samples of a segment between jumps, more than: the least for spectra. */
enum { DARC_CUT_LEAST = 32 };

/* Samples after which memory of long columns is given back. */
enum { DARC_CUT_DONE = 65536 };

/* Where noise explains what is left, test functions reach up to so many times
 * the frequency below which signals have 99 % of their power: harmonics that
 * stand above the noise tell of the coefficients (van der Pol, 20 samples a
 * period, 1 % noise: spread 1.01 of the Cramer-Rao bound, 3.0 at 1).  Where
 * more is left it is the bulk of the power that counts. */
#define DARC_FIT_RICH 3.0

/* Such functions are used up to so many of an equation: the spread matters
 * where data are few. */
#define DARC_FIT_RICH_FUNCTIONS 30000

/* A structure that is rejected at this share of alpha already needs no more of
 * them.  The plain fit is a second look at the same data: the level of both is
 * alpha (1 + 1e-3) at most. */
#define DARC_FIT_SURE 1e-3

/* The minimum is found when a step would change Q by less than the first, or
 * when Q no longer falls and the step is below the second: a tenth of a
 * standard deviation. */
#define DARC_GLS_DONE 1e-6
#define DARC_GLS_SMALL 1e-2

/* Of a recording of more than MANY pieces, FEW evenly spread give the start for
 * the fit to all, FEW_DRAWN of them with noise (chosen). */
enum { DARC_GLS_MANY = 8, DARC_GLS_FEW = 4, DARC_GLS_FEW_DRAWN = 2 };

/* Test functions for which noise is simulated where all pieces are drawn
 * (chosen); in long recordings, so that its sums are known to 1 %; and there as
 * many times the share of the noise in the information, times all functions, so
 * that the bias which it takes off is known to a tenth of a standard
 * deviation. */
#define DARC_GLS_DRAWN 3000
#define DARC_GLS_LONG 3000.0
#define DARC_GLS_SHARE 100.0

/* Lags of HAC covariances besides the 4 (k / 100)^(2/9) of Newey and West over
 * k functions (chosen: splines of degree 5 overlap five others on a side). */
#define DARC_HAC_LAGS 6

/* Turns of noise and coefficients where the noise is estimated (chosen: the
 * second moves no value by a tenth of its sd). */
enum { DARC_ERRORS_STEPS = 2 };

/* Standard deviations by which squares of errors go with those of the weights
 * of a coefficient where noise is not the same everywhere.  Of 100 recordings
 * with white noise none has more than 3; under noise of 1 % of each value the
 * intervals hold .70/.95 at 2, .65/.93 at 4, .62/.91 at 8 (600 samples). */
#define DARC_ERRORS_UNEVEN 4.0

/* Of noise that signals show, what is left is at least this share (chosen):
 * less is rounding of the file, and tells of no noise. */
#define DARC_ERRORS_LEAST 0.1

/* How far above white noise an octave of what is left is said to be red: twice
 * what so few values show by chance (chosen). */
#define DARC_FOUND_RED 1.5

/* RMS of white noise over what it is by a median, above which its tails are
 * heavy: 1 for the normal distribution, 1.5 for t of 3 degrees of freedom. */
#define DARC_FOUND_HEAVY 1.2

/* Degrees of freedom at which the variance of a t is twice that of the normal
 * distribution. */
#define DARC_ERRORS_DOF 4

/* Noise of an output that is not white, as it counts where an input is held
 * against the samples of outputs (chosen: a controller leaves a thousandth). */
#define DARC_COMPUTED_RED 0.1

/* Noise that a colour which is not known may hide, over the RMS of its signal
 * (what DARC_HIDDEN is taken from). */
#define DARC_LOUD 0.1

/* Lags over which residuals and the noise in them are correlated: splines of
 * degree 5, with some room; of higher degrees, up to 20 for clean signals, the
 * farthest are left out. */
#define DARC_YARDSTICK_LAGS 16

/* Test functions, and pieces, for which noise is simulated: its sums are known
 * to 3 %. */
#define DARC_YARDSTICK_DRAWN 2000
#define DARC_YARDSTICK_PIECES 4

/* A filter of corner frequency omega0 has settled after so many of 1 / omega0:
 * of three poles 2e-5 is left then. */
#define DARC_YARDSTICK_SETTLED 16

/* What noise makes of a part of a column, over its mean power, at most: twice
 * its RMS.  Single sines of 1e-5 to 3 % noise are told from two lines (chosen).
 */
#define DARC_YARDSTICK_NOISE 4

/* Columns that any equation might have: the terms so many times, each so many
 * functions later than before (chosen: functions that share little). */
#define DARC_YARDSTICK_COPIES 3
#define DARC_YARDSTICK_APART 3

/* Pieces that show how large terms are. */
#define DARC_METRIC_PIECES 8.0

/* Relative, on the diagonal of a metric: rounding. */
#define DARC_METRIC_RIDGE 1e-9

/* Share of what signals carry beyond their band that sampling adds to moments,
 * above which it may have made what is left: .95 of half the sampling rate is
 * within reach (a pendulum that swings wide, at 5 samples a period of its
 * input, left 80 % at 1 % noise). */
#define DARC_COARSE 0.5

/* Share of what smoothers half as wide differ by, squared, that has another
 * direction than what smoothing makes.  Of 30 cranes at 8 samples a period that
 * lack a cubic term 3 are found without it, 21 with it, 27 at half, 3 at twice
 * of it; of 30 right ones 9, 9 and 0 are consistent, none inconsistent. */
#define DARC_SMOOTHING_ASIDE 0.25

/* Turns in which coefficients, and what outputs jump by, are found at most; the
 * share of a move that the next one may be at most, or half of it is gone; how
 * many times as much steps may leave as those before, or half the way is gone
 * back; the part of a way at which it ends; and standard deviations by which
 * coefficients still move when they are known, and by which when they are lost
 * (chosen). */
#define DARC_FOLLOW_TURNS 16
#define DARC_FOLLOW_SHORTER 0.7
#define DARC_FOLLOW_MORE 4.0
#define DARC_FOLLOW_LEAST (1.0 / 64)
#define DARC_FOLLOW_DONE 0.05
#define DARC_FOLLOW_LOST 3.0

/* Twice the logarithm of the likelihood by which samples must lie on the other
 * side of steps than the model says for a note (chosen: odds of 150). */
#define DARC_FOLLOW_CONTRARY 10.0

/* Of a start, arguments of functions have standard deviations from LEAST to
 * MOST along the recording, and stay below FAR (chosen). */
#define DARC_BENDS_LEAST 0.1
#define DARC_BENDS_MOST 6.0
#define DARC_BENDS_FAR 100.0

/* Starts are sought among so many draws of the parameters, their sizes spread
 * evenly over so many decades on either side of 1, and functions are looked at
 * in so many samples of a recording: standard deviations of noise to a tenth
 * (chosen).  Those within this share of each other are alike. */
#define DARC_STARTS_ALIKE 0.05
#define DARC_STARTS_DRAWS 30000
#define DARC_STARTS_DECADES 9
#define DARC_STARTS_SAMPLES 64

/* Samples up to which steps of sign(x) are placed, 48 bytes each: longer
 * recordings take no memory that grows with them. */
#define DARC_SWITCHED_MOST 4000000

/* What samples of a pulse hold at half the rate is above noise where it is so
 * many sd of it, and they miss that share of it: of 60 right recordings with
 * blows (72041) 19 are consistent without and one inconsistent, 24 and that one
 * so, at half 25 and 3, at twice 21 and 1. */
#define DARC_PULSE_SEEN 3.0
#define DARC_PULSE_MISSED 0.5
