/* thresholds.h - the numbers that decide in this room. */
#ifndef DARC_DECIDE_THRESHOLDS_H
#define DARC_DECIDE_THRESHOLDS_H

/* Estimates under relations are found when a step moves none by more standard
 * deviations. */
#define DARC_CONSTRAINT_SETTLED 1e-3

/* A defect, or a change that moves an equation by this share of its leading
 * term, that would have been found makes `consistent` mean something where no
 * tolerance is given. */
#define DARC_MEANING 0.05

/* A term that explains this share of what is left tells that it is no noise,
 * though none is seen above the band: of the candidates, some 50, noise of a few
 * hundred independent moments gives one such a share never. */
#define DARC_TOLD 0.5

/* Where any columns of the signals, as many as an equation has free
 * coefficients, leave less than this share of the tolerance, a fit says
 * nothing.  Single sines: .7 to 2.3 % at 5 %; rigs that are excited 3.9 to
 * 60 %. */
#define DARC_ARBITRARY 0.5

/* Noise-noise information above this share of the signals': tests do not hold
 * their level (up to .1 they do; at .35 false alarms of 1 % are 4 %). */
#define DARC_NOISE_LIMIT 0.2

/* A misfit of this share of the largest term may have made any coefficient. */
#define DARC_LOST 0.3

/* Of alpha, what a test besides that of the residual gets: enough to find with
 * one degree of freedom what is ten standard deviations large (1e-23), and
 * little enough to cost the other less than three points of power. */
#define DARC_SIDE_SHARE 0.2

/* Products of terms that points of a program may take for one comparison:
 * seconds. */
#define DARC_PAIR_WORK 2e7

#endif
