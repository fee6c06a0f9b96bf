/* thresholds.h - the numbers that decide in this room. */
#pragma once

/* A candidate whose information, free of the model's own terms, is less than
 * this share of its own, cannot be told from them. */
#define DARC_MISSING_ALIASED 1e-6

/* A column that leaves this share of its variance beside one of the model's
 * terms, 1 % of its RMS, is that term, measured once more: an acceleration
 * beside its position leaves 1e-5, a heater beside what it heats 6e-4. */
#define DARC_MISSING_AGAIN 1e-4

/* What noise makes of that information, as a share of it, at most: above,
 * candidates are not known well enough for tests to hold their level. */
#define DARC_MISSING_NOISE 0.2

/* Noise of an estimated derivative, over its RMS, above which products and
 * signs of it are no candidates.  Without a limit y'^3 and sign(y') refuse a
 * right model of 600 samples in 30 of 60 recordings at 10 % noise, in 59 at
 * 20 %; with this one in none. */
#define DARC_MISSING_CLEAR 0.1

/* Signs of derivatives among the candidates of a model, at most; each is a
 * signal (chosen). */
#define DARC_MISSING_SIGNS 12

/* Samples at which the noise of a sign is seen (chosen: 2 %). */
#define DARC_MISSING_SEEN 2000

/* The square of the share of a candidate that no terms of the model make, at
 * least.  900 right recordings, 540 of ordinary and 360 of hard colours, and
 * 720 wrong ones: at 1e-2 588 consistent, 34 inconsistent, 455 found; at 1e-3
 * 604, 36, 470; at 1e-4 607, 36, 472. */
#define DARC_MISSING_APART 1e-3

/* What the noise that a candidate leaves makes of its part that no terms of the
 * model make, as a share of it, at most: of the difference of two angles red
 * noise is the jerk of one (.12 to .5), terms that are missing .0001 to .07. */
#define DARC_MISSING_LOUD 0.1

/* Likelihood ratios are asked of so many candidates that show most by score,
 * and of as many that explain most (chosen). */
#define DARC_MISSING_ASKED 8

/* And of these so many at the coefficients to which they lead, by so many steps
 * of least squares. */
#define DARC_MISSING_AGAIN_ASKED 3
enum { DARC_LIKELIHOOD_STEPS = 1 };

/* What is left is held against an input up to so many rows before, one for so
 * many rows of the recording; of lagged columns that others make but for this
 * share nothing is asked. */
enum { DARC_PAST_LAGS = 16, DARC_PAST_ROWS = 12 };
#define DARC_PAST_APART 0.03

/* Where p is above this at the model's own coefficients the candidate is not
 * missing, and no others are looked for: each takes passes over all rows
 * (chosen). */
#define DARC_MISSING_HOPE 0.1

/* Shifts are asked for p below this share of alpha. */
#define DARC_PAST_SHARE 0.2

/* Twice the logarithm of the likelihood by which another reading of inputs must
 * be likelier to be taken: a line, held from its samples on or up to them; held
 * and changing half a sample earlier, which is between samples (chosen: odds of
 * 150; at half and twice, and DARC_LOCATE_SHARE with it, verdicts of 374
 * stairs, squares and PRBS are the same but for one that is found at twice). */
#define DARC_EDGES_SHOWN 10.0

/* Inputs that go to the next level each time are staircases, and not rounded,
 * where that leaves r times what noise would, and lines through the
 * middles of their steps more than so many times max(r, r^2).  Of 96 staircases
 * in twelve plants, noise of .2 to 3 %, 88 leave 3.4 to 2000 times that, of 224
 * rounded sines, ramps and triangles of 10 to 40 levels all at most 2.3 times.
 * At half two of these are taken, at twice three fewer of the former. */
#define DARC_STAIRS_CLEAR 3.0

/* Share of the residual that a term leaves, at least: rounding. */
#define DARC_MISSING_LEAST 1e-12

/* Pieces on which candidates are tried that the user does not name: the
 * residual sees all of a long recording. */
#define DARC_MISSING_PIECES 4

/* Turns in which the noise of outputs that jump is read again, and the share of
 * what it was that makes it worth another (chosen). */
#define DARC_LEVEL_TURNS 4
#define DARC_LEVEL_QUIETER 0.9

/* Noise of any colour is guessed from a spectrum, which shows a bound: where
 * the equations leave less than this share of its variance, it is as loud as
 * they say.  Of 240 random tests of right models 152, 6 and 82 were consistent,
 * inconsistent and undecided, with the noise of blows (DARC_QUIET_LOUD) and
 * changes located as now 159, 2 and 79. */
#define DARC_LEVEL_LOUD 0.25

/* Changes of held inputs are located between samples where they are at most so
 * many, and this share of the degrees of freedom: a dense system, and so much
 * is left (chosen).  Those that lie so many supports of the test functions
 * apart are moved together: the whitened effect of one ends before the next.  A
 * change that a jump of an output shows comes later than the sample before it,
 * by a trace.  Inputs of which more than this share of changes are at the same
 * samples are switched together (chosen: random ones of one clock share half,
 * of two clocks one in so many as a sample is of a tick). */
#define DARC_EVENTS_SHARED 0.33
#define DARC_LOCATE_MOST 256
#define DARC_LOCATE_SHARE 0.5
#define DARC_LOCATE_APART 3

/* Steps of Gauss and Newton, until one promises to raise twice the logarithm of
 * the likelihood by less than this: the effect of a change is cut off where it
 * is small, and of many in a row that adds up (chosen). */
#define DARC_LOCATE_TURNS 16
#define DARC_LOCATE_DONE 1.0

/* Signals are not too simple where this share of the terms that an equation may
 * lack would have been found.  540 right and 540 wrong recordings, half of them
 * by slow or single inputs, without it: 337 consistent and 33; at .25 385 and
 * 38, at .5 366 and 34, at 1 at most 341 and 33. */
#define DARC_TELLING 0.5

/* Samples in which a kink that is taken off fades (chosen: longer than noise is
 * read along, shorter than what trends hide). */
#define DARC_LEVELLED_FADE 16

/* Of a piece the first functions are left out of likelihood ratios: so many
 * times those that overlap one, where there are so many times more.  Of 368
 * right recordings under AR(.99), low pass and random walks of 1 % 32 are
 * refused with all functions, 12 so, 16 at twice the first; of 192 wrong ones
 * 180 are found either way. */
enum { DARC_LIKELIHOOD_FIRST = 1, DARC_LIKELIHOOD_LONG = 4 };
