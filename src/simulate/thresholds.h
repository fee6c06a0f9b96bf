/* thresholds.h - the numbers that decide something in this room.
 *
 * "Tried" gives the range, as far as it was tried, over which the tests of the
 * room pass.
 */
#pragma once

/* ---- accuracy ----------------------------------------------------------- */

/* Relative local error of the run that counts: near the limit of double, so
 * that a recording made by darc is exact for every test that reads it. */
#define DARC_RTOL 1e-13

/* Tolerances of the first run, which finds the size of each state: six digits,
 * and nearly relative ones, since no size is known before.  Tried: rtol 1e-8 ..
 * 1e-4. */
#define DARC_PILOT_RTOL 1e-6
#define DARC_PILOT_ATOL 1e-14

/* What may be left of an equation of an implicit model at the start, as a share
 * of its terms: ten times what the first run solves to.  Tried: 1e-6 .. 1e-3.
 */
#define DARC_MOST_DEFECT 1e-5

/* What integration may have moved a function from its equation by, relative:
 * far more than steps of DARC_RTOL do, far less than a branch changed.  Tried:
 * 1e-6 .. 1e-2. */
#define DARC_MOST_DEVIATION 1e-4

/* ---- which method, and when to give up ---------------------------------- */

/* Times that the first run looks at the Jacobian; the step of its differences,
 * relative and absolute: half the digits, the balance of truncation and
 * rounding.  Tried: 2 .. 256 times. */
#define DARC_JACOBIANS 16
#define DARC_JACOBIAN_STEP 0x1p-26

/* Adams formulas are stable up to steps of about 1/norm of the Jacobian: past
 * this many of them BDF is the cheaper one.  Tried: 1e4 .. 1e8. */
#define DARC_ADAMS_STEPS 1e6

/* Steps between two looks at the budget; so many steps that bring less than
 * this share of the way mean that it would take days: the solution has come to
 * a singular point.  Tried: 1e-8 .. 1e-6; at 1e-4 stiff equations are given up.
 */
#define DARC_SOLVER_STEPS 500
#define DARC_TOO_SLOW 1e-6

/* ---- times -------------------------------------------------------------- */

/* Part by which t_end times the rate may miss a whole number without another
 * sample: rounding.  Tried: 1e-12 .. 1e-6. */
#define DARC_WHOLE_PERIODS 1e-9

/* Parts of a step by which a recording may end too early: the times of uniform
 * ones are that uncertain (data/reader.h).  Tried: 0 .. 1e-3. */
#define DARC_TIME_SLACK 1e-6

/* ---- signals ------------------------------------------------------------ */

/* Sines of a multisine, where not given and at most. */
#define DARC_MULTISINE 40
#define DARC_MULTISINE_MOST 10000

/* ISO 8608: spectrum G0 (n/n0)^-2 in m^3, n in cycles/m, between the lowest and
 * the highest; G0 of class A, the geometric mean of its range; bands that hold
 * one sine each. */
#define DARC_ROAD_REFERENCE 0.1 /* n0 */
#define DARC_ROAD_LOWEST 0.011
#define DARC_ROAD_HIGHEST 2.83
#define DARC_ROAD_CLASS_A 16e-6
#define DARC_ROAD_BANDS 256

/* ---- overlays ----------------------------------------------------------- */

/* Local error, relative and, until sizes are known, absolute: noise of a
 * recording is larger; differences over steps of a 1000th need no less.  At
 * 1e-7 it takes three times as long, at 1e-5 steps no longer settle. */
#define DARC_OVERLAY_RTOL 1e-6
#define DARC_OVERLAY_ATOL 1e-9
#define DARC_OVERLAY_STEP 1e-3

/* Initial values are sought in the first samples, up to so many, of which so
 * many are looked at; in at least so many, an overlay being of so many. */
#define DARC_OVERLAY_FITTED 50000
#define DARC_OVERLAY_POINTS 2000
#define DARC_OVERLAY_FIRST 64
#define DARC_OVERLAY_LEAST 8

/* Share of what a window tells of initial values that its last quarter may
 * have: the next quarters have less, and longer windows are not looked at.
 * Steps of integration hide less than a thousandth. */
#define DARC_OVERLAY_FADED 1e-2

/* Steps that may be taken where an interval needs more than DARC_SOLVER_STEPS:
 * a solution that sticks where a function jumps would take any number. */
#define DARC_OVERLAY_STEPS 1e6

/* Least damping, over the largest eigenvalue; iterations in a window, and the
 * share of the sum of squares whose gain ends them. */
#define DARC_OVERLAY_DAMP 1e-12
#define DARC_OVERLAY_ITERATIONS 12
#define DARC_OVERLAY_SETTLED 1e-2

/* Doses of one description at most; the share of a sample's interval that one
 * may lie beside it by (rounding of times as written). */
#define DARC_DOSES_MOST 10000
#define DARC_DOSES_SLACK 1e-6

/* ---- trajectories with their slopes ------------------------------------- */
/* ---- integration -------------------------------------------------------- */

/* Local errors of states, relative to their largest value so far, and of
 * sensitivities: noise of recordings is larger by 1e4 and more. */
#define DARC_SHOOT_RTOL 1e-7
#define DARC_SHOOT_SLOPES 1e-5

/* A forced column is as exact as one of this share of the largest: where its
 * drive sets in it is 0. */
#define DARC_SHOOT_FORCED 0.01

/* Intervals of time that differ by less have the same exponential: a tenth of
 * the local error of states and less. */
#define DARC_TRANSITION_SAME 1e-9

/* A state counts as 0 below this share of the largest one. */
#define DARC_SHOOT_LEAST 1e-12

/* Steps of a formula for equations that are not stiff between two samples,
 * after which BDF goes on; draws are given up there: what is faster by so much
 * than the samples shows in none of them. */
#define DARC_SHOOT_STEPS 100

/* Steps of BDF between two samples, after which there is no solution. */
#define DARC_SHOOT_STIFF 5e3

/* Relative step of the difference by which a function of states or parameters
 * is derived: the third root of the rounding. */
#define DARC_FUNCTION_STEP 6e-6
