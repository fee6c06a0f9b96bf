/* thresholds.h - the numbers that decide in this room. */
#pragma once

/* A segment holds so many steps between test functions at least, so that
 * something is left when a handful of coefficients is fitted. */
#define DARC_WEAK_LEAST_FUNCTIONS 64

/* Degree of splines: covariances of closer-lying or smoother functions are
 * nearly singular, of rougher ones power is lost (prototypes: 5). */
#define DARC_WEAK_MIN_DEGREE 5

/* Degrees that clean signals add to that, at most. */
#define DARC_WEAK_MORE_DEGREES 8

/* Samples between knots of functions that test: aliasing below 1e-3 up to a
 * seventh of the sampling rate, and hum above a quarter of it is not seen. */
#define DARC_WEAK_MIN_STEP 2

/* Frequency of hum above a signal times the time between knots, at least: the
 * splines of degree 4 leave 3e-4 of its power, of hum as strong as white noise
 * 1e-3 of what that adds to a moment. */
#define DARC_WEAK_LINE 0.64

/* Share of a sample that rows which are lost may lengthen that by (chosen). */
#define DARC_WEAK_FEW_LOST 0.2

/* Supports of a spline of higher degree that a segment holds at least. */
#define DARC_WEAK_MIN_SUPPORTS 8

/* Half-width, in steps, of the filter that denoises signals at which partial
 * derivatives are taken: it takes off as much noise as the test functions do,
 * and less of the signal. */
#define DARC_WEAK_CALM 1.0

/* Test functions of a piece, at least (chosen). */
#define DARC_WEAK_PIECE_FUNCTIONS 8

/* Samples of a piece, and supports of test functions, at least: their
 * ends lose 1.7 %. */
#define DARC_WEAK_PIECE (1 << 15)
#define DARC_WEAK_PIECE_SUPPORTS 60

/* Signals in a denominator stay this many standard deviations from 0: one in
 * 1e9 of normal noise is beyond. */
#define DARC_WEAK_CLEAR 6.0

/* Samples of the support where no signal has a band (chosen). */
#define DARC_WEAK_SUPPORT 60

/* Shortest periods that matter, in a support (chosen). */
#define DARC_WEAK_PERIODS 2.0

/* Signals are taken to reach up to so many times the band of 99 % of their
 * power (chosen); functions of signals further, for their harmonics: beyond 1.5
 * times that band lie 4e-4 of the power of sin(y) where y swings wide, beyond
 * twice 1.5e-5, less than noise of .4 %. */
#define DARC_WEAK_BEYOND 1.5
#define DARC_WEAK_BENT 2.0

/* Of what the noise of the noisiest signal adds to a moment, the share that
 * sampling may add (chosen: a ninth of the variance). */
#define DARC_WEAK_ALIASED (1.0 / 3)

/* What the bias of estimated derivatives may add to a chi-square over all test
 * functions: next to nothing beside its standard deviation. */
#define DARC_WEAK_BIAS 0.1

/* Noise over the RMS of a signal, at least, that this bias is held against
 * (chosen). */
#define DARC_WEAK_LEAST_NOISE 1e-8

/* Half-widths of a smoother in a segment, at least, and samples of one, at
 * most (chosen: the cost). */
#define DARC_WEAK_HALVES 16
#define DARC_WEAK_MOST_HALF 2000

/* Share of a signal's power at which pieces evenly spread do not stand for all:
 * what is still moves in one or two (chosen). */
#define DARC_WEAK_ASIDE 0.7

/* Half-width, samples, of the smoother whose derivative gives a sign
 * (chosen). */
#define DARC_WEAK_SIGN_HALF 12

/* Standard deviations of its noise within which a derivative is a share of its
 * sign.  At rest noise makes the sign, and by .8 of its RMS the sign is the
 * noise of the residual: of 4000 samples, 200 of them a step response, sign(y')
 * refused 8 of 8 right models by 7 standard deviations.  At four a fourth of
 * that is left, and known. */
#define DARC_WEAK_STILL 4

/* Taps beyond which a sum that slides is faster than one product each: it waits
 * for two additions, a product in four lanes for a quarter of one. */
#define DARC_WEAK_FLAT 16

/* Relative spread, along a piece of uneven stamps, of the noise of test
 * functions up to which its mean is taken: the mean of a chi-square stays, its
 * variance rises by the square of that, a hundredth. */
#define DARC_WEAK_ALIKE 0.1

/* A hole may be so many times as long as the mean spacing; and longer as long
 * as the phase of what counts moves by less than PHASE along it, rad, and it
 * holds fewer than WIDE spacings: polynomials are off by up to .0013 of a sine
 * then (computed). */
#define DARC_WEAK_HOLE 1.75
#define DARC_WEAK_HOLE_PHASE 1.0
#define DARC_WEAK_HOLE_WIDE 8.0

/* The same where inputs are held, whose steps in it are not known: one row. */
#define DARC_WEAK_LOST 2.05

/* Moments that are kept between passes: 64 MB. */
#define DARC_WEAK_KEPT 8e6

/* Share of what follows a step, from sample to sample, that the highest known
 * derivative is at least where lags are too short for the samples: below .38 of
 * one (of 12 right loudspeakers at such lags 4 were refused, of 36 at longer
 * ones none). */
#define DARC_STEP_OUTRUN 0.1

/* Values that an octave of what is left holds at least. */
#define DARC_OCTAVES_LEAST 8

/* A change is a step where those beside it are less than that share of it
 * (chosen). */
#define DARC_WEAK_STEP_ALONE 0.1
