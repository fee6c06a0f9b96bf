/* thresholds.h - the numbers that decide in this room.
 *
 * "Tried" gives the range, as far as it was tried, over which the tests of the
 * room pass.
 */
#pragma once

/* Recordings of so many rows are parted, into pieces of so many at least, and
 * so many pieces at most. */
#define DARC_RECORD_LONG 300
#define DARC_RECORD_PIECE 100
#define DARC_RECORD_PIECES 16

/* Intervals of time differ by no more than that share where they are even. */
#define DARC_RECORD_EVEN 0.01

/* An input is rough where a polynomial misses it by that share of the square of
 * what it moves by in two samples: noise of .75, sines of ten samples a period
 * .002, of five .03. */
#define DARC_RECORD_ROUGH 0.1

/* What a trajectory begins with may grow by that factor along it. */
#define DARC_LONG_GROWTH 10.0

/* A reading of inputs that is less likely by so much, twice the logarithm,
 * while noise is white and pieces are apart, is none. */
#define DARC_LONG_WORSE 200.0

/* What trajectories leave is slow where it is so many times its innovation.
 * Of 27 right recordings with noise of .2 to 3 % that are consistent the most
 * is 1.13, of an output that one leaves 3.6 % of; a tank that lacks a term
 * leaves 14 %, 9.9 times (at half and twice of it the same). */
#define DARC_LONG_SLOW 3.0

/* An input is fed back where it goes with what outputs leave by so many
 * standard deviations. */
#define DARC_LONG_FEEDBACK 5.0

/* Damping of a step, over the norms of the columns: at first, at least, and
 * where none is made any more; the share of the sum of squares whose gain ends
 * them. */
#define DARC_MATCH_DAMP 0.03
#define DARC_MATCH_LEAST_DAMP 1e-7
#define DARC_MATCH_DAMPED 1e4
#define DARC_MATCH_SETTLED 1e-7
#define DARC_MATCH_LONG                                                        \
    1e-5 /* the same of long recordings: a hundredth of what                   \
            one unknown gains by chance */

/* A step is not tried that promises less than that share of such a gain (1:
 * a comparison of ten recordings ends in another minimum). */
#define DARC_MATCH_HOPELESS 0.1

/* Share of the spread of a signal that its noise is taken for at first; the
 * least share of its RMS that counts as noise: recordings are rounded, and
 * trajectories are no better. */
#define DARC_LEVEL_GUESS 0.1
#define DARC_LEVEL_LEAST 1e-6

/* What noise that grows with its signal must gain in twice the logarithm of the
 * likelihood (chosen: what one parameter gains by chance in 5 of 100). */
#define DARC_LEVEL_GROWS 4

/* Recordings have levels of their own where common ones are less likely than
 * that, by chi-square. */
#define DARC_LEVEL_DIFFERS 0.001

/* Growth is excluded where twice the logarithm of its likelihood is less by
 * this: what 1 in 100 of one parameter is. */
#define DARC_LEVEL_EXCLUDED 6.63

/* So much less likely a growth is given up, more where turns still gain: a
 * tenth of that has it excluded. */
#define DARC_LEVEL_HOPELESS 60

/* Turns of levels and match, and the change that ends them. */
#define DARC_LEVEL_TURNS 6
#define DARC_LEVEL_SETTLED 0.01

/* Draws, of short recordings so many at least (springs of 8 and 12 samples, of
 * which most draws miss the best match: 39 of 52 found with 3, 48 with 12, of
 * 32 no more with 24), until the best came so many times, within that share of
 * the sum of squares, whose gain by less ends a draw; decades that they reach;
 * recordings that they are made on.  Signs are drawn last, and where they are
 * not all positive the sum has to be less by that factor: most parameters are.
 */
#define DARC_SEEK_DRAWS 48
#define DARC_SEEK_LEAST 12
#define DARC_SEEK_MET 3
#define DARC_SEEK_SAME 0.02
#define DARC_SEEK_ENDS 1e-3
#define DARC_SEEK_POSITIVE 32
#define DARC_SEEK_NEGATIVE 2
#define DARC_SEEK_DECADES 2.0

/* Sizes of parameters: what one is larger by to see which power of it rates go
 * with; the least power that says more of it than that it is about right. */
#define DARC_SEEK_RISE 0.01
#define DARC_SEEK_POWER 0.5

/* Where values to begin at are known, draws lie within that share of them, and
 * are so many. */
#define DARC_SEEK_NEAR 0.2
#define DARC_SEEK_BESIDE 6

/* Parameters of two solutions differ by more than that share of their sum; so
 * many are kept, of sums of squares of so many times the least: with less than
 * nine degrees of freedom those within are in an interval of 99 %. */
#define DARC_SEEK_APART 0.02
#define DARC_SEEK_OTHER 2.0
#define DARC_SEEK_OTHERS 6

/* The first recordings have led to all where their mean square is no more than
 * that times what it was. */
#define DARC_SEEK_ALIKE 5.0

/* A parameter beyond is known there if its relative error is less. */
#define DARC_SEEK_KNOWN 0.3
#define DARC_SEEK_PART 2

/* Pieces of a recording, at least; steps with each gap; steps at the end. */
#define DARC_SEEK_PIECES 8
#define DARC_SEEK_STEPS 8
#define DARC_SEEK_LAST 100

/* Singular values, over the largest of columns scaled to 1, that count as 0. */
#define DARC_LINEAR_RANK 1e-9

/* The share of a parameter in the null space from which on it is not seen. */
#define DARC_LINEAR_UNSEEN 1e-6

/* ---- profiles ------------------------------------------------------------
 *
 * Each at half and twice: of 636 intervals of 95 % 604 hold the truth, 597 to
 * 605 of 628 to 637; ends move by a twentieth of the interval in 13 at most.
 */

/* Trials on each side, a third where slopes do not lead them, and how near the
 * limit ends them; steps of the others at each. */
#define DARC_PROFILE_TRIES 24
#define DARC_PROFILE_NEAR 0.02
#define DARC_PROFILE_STEPS 40

/* So many times the value away, a profile that a step (a factor of 1.3 and
 * more) lifts by no more than that share of what it lacks has no end. */
#define DARC_PROFILE_WIDE 3.0
#define DARC_PROFILE_FLAT 0.02

/* The first step on a side, over the value, and the share of where slopes put
 * the limit that it is at least; a trial that failed with a step of
 * less than that share of the way has failed for certain. */
#define DARC_PROFILE_FIRST 0.3
#define DARC_PROFILE_LEAST 1024 /* one over that share */
#define DARC_PROFILE_FINE 0.02

/* A trial begins with no parameter more than that factor from where it was: far
 * along a slope rates may be stiff or explode. */
#define DARC_PROFILE_REACH 2.0

/* Times that a profile may lead to a better match. */
#define DARC_PROFILE_TURNS 4

/* Shifts, by rows, of a long recording. */
#define DARC_FORCING_SHIFTS 100

/* Knots of a forcing in a recording, and columns of all at most; knots are
 * correlated as exp(-t / (a third of the recording)). */
#define DARC_FORCING_KNOTS 8
#define DARC_FORCING_COLUMNS 160
#define DARC_FORCING_APART 3.0

/* What a state begins with is not known from that share of it, or of its RMS,
 * on. */
#define DARC_FORCING_VAGUE 0.33

/* Signals that terms are made of, at most; the share of a column that has to be
 * new beside what the model's unknowns do. */
#define DARC_FORCING_SIGNALS 5
#define DARC_FORCING_NEW 1e-6

/* Recordings whose own values common ones are sought from, at most. */
#define DARC_COMPARE_STARTS 4

/* Times that the best match must have come from different starts for it to
 * contradict a model. */
#define DARC_TRAJECTORY_MET 2

/* Inputs are staircases that repeat so many of their samples. */
#define DARC_STEPS_HELD 0.2

/* Steps come at samples where that is so much likelier, by twice the
 * logarithm, than that each comes anywhere between two. */
#define DARC_STEPS_SURE 9.2

/* Steps of long recordings whose times are sought, at most. */
#define DARC_STEPS_MOST 40
