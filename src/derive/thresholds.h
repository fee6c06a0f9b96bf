/* thresholds.h - the numbers that decide something in this room. */
#pragma once

/* Samples from which the noise of a signal is estimated and the formula of a
 * derivative chosen, and those of one window; windows are spread evenly.  An
 * sd from 2^17 samples is known to about .5 % (differences of order 20 keep a
 * tenth of the degrees of freedom); the errors of neighbouring formulas differ
 * by more.  A window is forty times as long as the widest formula. */
#define DARC_SPREAD_SAMPLES (1 << 17)
#define DARC_SPREAD_WINDOW (1 << 12)

/* Samples worked on at a time: the dozen columns of an expression stay within
 * a cache of 1 MiB, and what a formula reaches beyond is 3 % at most. */
#define DARC_DERIVE_BLOCK (1 << 13)

/* Samples from one state of an integral that is kept to the next: the work
 * that starting anywhere costs. */
#define DARC_INTEGRAL_STEP (1 << 12)

/* Samples that stand for the noise in a mean, at most (chosen). */
#define DARC_MEAN_TAPS 64

/* Times are sums of rounded numbers: this part of a step counts as none. */
#define DARC_TIME_SLACK 1e-6

/* Standard deviations from which the sign of a quantity is certain: beyond 7
 * one normal error in 8e11 lies, none in the longest recording. */
#define DARC_SURE_DEVIATIONS 7

/* Below as many a signal is at rest: normal noise of one that is ends a run in
 * one sample of 370. */
#define DARC_REST_DEVIATIONS 3

/* Samples of a rest on either side of one that count (test functions are
 * shorter), and how many times the bound on what friction may be there counts:
 * one rest adds no more than the inverse to a chi-square (chosen). */
enum { DARC_REST_REACH = 256 };
#define DARC_REST_BOUND 10.0

/* Share of the samples that have no value up to which they are gaps; beyond,
 * the signal is a mistake in the model: even a difference that is zero all
 * along is negative in half of the samples only. */
#define DARC_MISSING_SHARE .5
