/* thresholds.h - the numbers that decide in this room. */
#pragma once

/* A defect, or a change that moves an equation by this share of its leading
 * term, that would have been found makes `consistent` mean something where no
 * tolerance is given. */
#define DARC_MEANING 0.05

/* What remains where no term is missing, but more than white noise makes, is
 * noise up to this share of the largest term.  Right structures of ten plants
 * under five slow noises and mixtures of 1 % leave at most .0208 in 80
 * recordings; with half of it 60, with twice of it all of them are decided,
 * but wrong ones of terms that are no candidates leave .02 to .05. */
#define DARC_LITTLE 0.025

/* Up to DARC_MEANING where it is at most so many times what the white noise
 * makes that the spectrum shows: white noise and half as much of AR(.9) makes 1
 * to 6 times that.  Of 600 right ones 20 more are consistent, of 480 wrong ones
 * 8; at 2 14 and 6. */
#define DARC_USUAL 3.0

/* A term that is found is as large as a level of alpha asks; `detectable`,
 * which is found in 9 of 10, is 1.4 times that.  What is less than this part of
 * it contradicts the noise, where that is DARC_SHADED of a difference: red
 * noise of two angles 2 to 10 (of .75 a term of 100 % would be one, of 3 one
 * right model in four is refused).  Elsewhere terms that are missing are 1.5
 * to 4.6 (16 wrong recordings; at half of it four of them are hidden), and 12
 * what the misfit of another equation brings into one that holds. */
#define DARC_HIDDEN_TERM 1.5
#define DARC_HIDDEN_ELSE 5.0

/* More noise than this, of what a signal does, is none, whatever the spectrum.
 * No right model asks for more than there is: of 160 right recordings with up
 * to 3 % none for more than .078, of 76 that a sensor spoiled, by up to .3,
 * none for more than .182; of twelve wrong ones that were not decided ten ask
 * for .2 to .66 (at .1 all, and 11 of the spoilt; at .4 four). */
#define DARC_DEMAND 0.2

/* An offset that explains this share of what is left is told of. */
#define DARC_TOLD 0.5

/* Terms that explain this share of what the best one explains are named beside
 * it: z^3 and z^2*sign(z) explain 86 and 84 % of a missing z^3 of 2 %. */
#define DARC_AS_MUCH 0.97

/* A delay is half a step where it differs by this share of that at most
 * (chosen). */
#define DARC_HALF_STEP 0.2

/* Share of the largest term up to which noise of unknown colour may make a
 * defect: of low pass, motor, two masses, van der Pol and tanks, right and
 * under noise of 10 % of the RMS of each output, AR(.9), AR(.99), pink,
 * low-pass or a random walk, the low end is at most 18.5 %. */
#define DARC_HIDDEN 0.2

/* The share of a difference of outputs that noise of an unknown spectrum would
 * make, above which no test holds its level; and above which terms that are
 * less than what is detectable are noise.  Of 96 right drives, both angles
 * measured, under AR(.9) to walks and mixtures 28 were inconsistent, 4 are, at
 * half of it 4, at twice 6. */
#define DARC_ATTENUATED 0.04
#define DARC_SHADED 0.01

/* Share of the detectable defect by which the powers of noise in derived
 * signals may move a term: a tenth of what one degree of freedom finds with
 * probability .9 raises a level of 1 % to 1.6 %. */
#define DARC_BENT 0.1

/* Share of a term by which the powers of noise in a derived signal may move it
 * where that noise may have any colour: with more of it, nothing tells terms
 * and defects from noise.  What right pendulums that turn leave under
 * noise of radians is .09 to 90; where a term of 10 % is missing, 4e-4. */
#define DARC_BENT_ANY 0.05

/* The square of the mean of a slope over its mean square below which noise
 * turns with it: sines of angles that swing by 1.3 have .8, by 2.2 or that go
 * round .02.  Pendulums of the bench that go round beside coloured noise: of 24
 * right ones 1 is refused (7 at half of it, none at twice).  The price: of 144
 * others that lack .05 or .15 sin(2 y) and go round, under white noise, AR(.9)
 * and both, 137 were found without this rule and 32 with it, none is
 * consistent; of 72 right ones 5 were refused and none is. */
#define DARC_TURNED 0.5

/* A term that explains this share of what is left is told all the same: noise
 * that turns is explained by terms to 7 %, and a resistor without its coil by
 * that to more than half (of pendulums none moves at .25 or 1). */
#define DARC_TURNED_TERM 0.5

/* Share of samples that repeat the one before, above which rounding is no white
 * noise: a signal that moves by a step a sample repeats one in three. */
#define DARC_RESTS (1.0 / 3)

/* Where any columns of the signals, as many as an equation has free
 * coefficients, leave less than this share of the tolerance, a fit says nothing
 * unless it leaves, and the tests would find, less than this share of that.
 * Single sines: nothing beyond noise; rigs that are excited 3.9 to 60 %; a
 * stiff shaft, whose twist is a small difference, .18 %, of which its tests
 * find .01 %. */
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

/* A comparison tests the structure of either recording at this share of alpha:
 * a right pair becomes undecided with probability alpha / 2 besides. */
#define DARC_PAIR_GATE 0.25

/* What is called detectable is found with this probability. */
#define DARC_POWER 0.9

/* Standard deviations by which a free constant differs when it is said to: one
 * in 16000. */
#define DARC_ORIGIN_MOVED 4.0

/* Starts of a search, the first of which are positive (chosen), and products of
 * terms and parameters that it may cost: seconds. */
#define DARC_WITNESS_STARTS 48
#define DARC_WITNESS_POSITIVE 16
#define DARC_WITNESS_WORK 2e8

/* The logarithm of a coefficient is followed where it is so many standard
 * deviations clear of 0. */
#define DARC_WITNESS_CLEAR 3.0

/* A start for values has come near at this sum of squares: a thousandth of a
 * standard deviation. */
#define DARC_WITNESS_NEAR 1e-6

/* Terms: a singular value decomposition of so many columns takes some ten
 * seconds. */
#define DARC_WIDE_TERMS 1000

/* Moments beyond twice the terms, and draws of noise (chosen). */
#define DARC_MOMENTS_SPARE 16
#define DARC_MOMENTS_DRAWS 16

/* The share of wrong lower bounds of degrees of freedom. */
#define DARC_MOMENTS_RARE 0.05

/* Noise of an input of this share of its RMS counts, where trajectories take
 * inputs for known: it is a tenth of what noise of outputs is (chosen). */
#define DARC_SPOILT 1e-3

/* A verdict of consistent says that a misprediction of 1 % of the leading
 * derivative would have been noticed. */
#define DARC_POINTWISE_MEANING 0.01

/* Smooth errors of the data themselves (a solver's, a clock's) are no noise
 * that the recording shows.  No sensor and few simulations are better than
 * this fraction of the leading derivative: smaller defects do not count. */
#define DARC_POINTWISE_FLOOR 1e-9

/* The mean of as many independent squares is known to sqrt(2 / 50) = 20 %. */
#define DARC_POINTWISE_SAMPLES 50

/* Of what moments of an input would miss at half the rate they miss that share
 * at most: a corner, whose spectrum falls as the square, misses a quarter, a
 * pulse that begins smoothly an eighth.  Of 40 right recordings with blows two
 * are refused without, one at an eighth, none at a quarter; a lag with blows of
 * 1.6 samples at a quarter.  Of 60 right ones (72061) as many are consistent at
 * a quarter, half and all of it: pulses are asked again. */
#define DARC_FOLDED 0.5

/* Share of the largest term that sums over samples may miss of integrals: what
 * held inputs bend leaves (h/T)^2/60 of them, 7e-6 at 50 samples in the time
 * constant T, and files of six digits round to 1e-6. */
#define DARC_SUMS_ERROR 1e-5

/* Pulses stand above this share of the RMS of an input, at least so many; they
 * meet samples alike where the mean of their phases is so long.  Of 50 right
 * recordings with blows (72091) 23 are consistent, at half and twice the share
 * too, at half the mean 18, at twice 24; none is inconsistent. */
#define DARC_PULSE_REST 0.2
#define DARC_PULSES_LEAST 3
#define DARC_PULSES_ALIKE 0.7
