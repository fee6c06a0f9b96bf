/* thresholds.h - the numbers that decide in this room. */
#pragma once

/* Parameters of the largest sets that are asked about unless told, and sets in
 * all (chosen: what can be read, and computed in minutes). */
enum { DARC_ISOLATE_SIZE = 3, DARC_ISOLATE_SETS = 500 };

/* How often at most what is known is told, s (chosen: of what a user may miss,
 * and what telling costs). */
#define DARC_ISOLATE_TOLD 0.1

/* Products of terms that points of a program may take for all sets of a size,
 * and the search for sets that explain others: seconds. */
#define DARC_ISOLATE_WORK 1e7

/* Parameters whose sets are held against others (chosen: the cost). */
#define DARC_EXPLAIN_PARAMETERS 20

/* A ratio is clear of 0, so that its logarithm means something, by so many
 * standard deviations. */
#define DARC_DRIFT_CLEAR 3

/* Covariates (chosen: what can be told apart), the share of its spread by which
 * one has to differ from what others make of it, and that of its mean which its
 * spread has to be, no more than what rounding may make: where its zero is does
 * not matter. */
#define DARC_COVARIATES 8
#define DARC_DRIFT_APART 1e-3
#define DARC_DRIFT_SPREAD 1e-9

/* Runs of test functions of one recording: as short as one, but no more than
 * these, and entries of their information in all (chosen: 0.3 GB). */
#define DARC_STRETCH_RUNS 50000
#define DARC_STRETCH_ENTRIES 1e7

/* What is left in the stretches, over noise, is taken off their information;
 * it has settled when a round raises it by less than this factor. */
#define DARC_STRETCH_SETTLED 1.05

/* Values of functions.  A direction of the parameters in which the coefficients
 * move by less than this share (eigenvalue of J' J, columns of unit length) is
 * not seen: rounding of V^-1 (1e-16) lies below, what recordings show above.  A
 * function that moves by more than HIDDEN of itself along such directions is
 * not known. */
#define DARC_VALUES_BLIND 1e-12
#define DARC_VALUES_HIDDEN 1e-4

/* An interval is straight where its ends lie within this share of its half
 * width; it is followed for so many doublings, then it is open (chosen). */
#define DARC_VALUES_STRAIGHT 0.1
#define DARC_VALUES_DOUBLED 4

/* Where coefficients contradict each other intervals are widened by
 * sqrt(Q / dof), as [Bir32] does, but not by more: nothing is known then. */
#define DARC_VALUES_WIDEST 30

/* Minima of Q no further apart are branches of one solution: there Q is the
 * same but for rounding, and this is little beside the squares of quantiles.
 * Pairs of local parameters are exchanged to reach others where so many are
 * local at most (chosen: each takes a descent). */
#define DARC_VALUES_BRANCH 1e-3
#define DARC_VALUES_LOCALS 8

/* Changes of two parameters are one and the same where they move coefficients
 * along directions whose sine squared is less: only a change of 1e4 times what
 * is found at all would be told then, and rounding of J' V^-1 J (1e-16 by its
 * condition) lies below. */
#define DARC_FORESEE_SAME 1e-8

/* Free coefficients that are watched.  The threshold is simulated with so many
 * errors of the baseline and so many alarms (its rate is known to 5 %, 1/sqrt),
 * down to rare alarms a window, in so many steps, each of four times as many
 * alarms as the one before (a step leaves less than a third of the error). */
#define DARC_WATCH_COEFFS 64
#define DARC_WATCH_BASELINES 200
#define DARC_WATCH_ALARMS 400
#define DARC_WATCH_RARE 2e-4
#define DARC_WATCH_STEPS 4

/* Changes that are looked for are found, at best, after no more than this share
 * of the windows between false alarms (chosen); steps of the equation for what
 * a window tells then. */
#define DARC_WATCH_BEFORE (1.0 / 16)
#define DARC_WATCH_ROUNDS 100

/* Times that a change must be larger to be found where a covariate moved too
 * before it is told (chosen: nine tenths of the covariate are that one step).
 */
#define DARC_DRIFT_BLIND 3

/* Recordings up to which steps are also sought by the likelihood (chosen: each
 * place takes a match of all). */
#define DARC_DRIFT_TRIED 32
