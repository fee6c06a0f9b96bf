/* thresholds.h - the constants that decide in this room, none of them about a
 * verdict: what is expanded, what is shown, what is worth a note.
 */
#pragma once

/* Products of terms within which io-equations are expanded: in any case; where
 * their coefficients can be fitted, or functions are missing: some seconds. */
#define DARC_EXPANDED_WORK 2e5
#define DARC_FITTED_WORK 1e8

/* The same for the search of terms that share a coefficient: seconds. */
#define DARC_GROUP_WORK 2e7

/* Terms of a relation beyond which it is evaluated by its matrix: the residual
 * is the same up to a factor, and error bars of long polynomials grow. */
#define DARC_EXPANDED_TERMS 400

/* Beside a verdict of the weak form a relation without parameters of more terms
 * in the entries of its matrix is not derived: nobody reads it, and it would
 * keep the verdict waiting. */
#define DARC_SHOWN_TERMS 2e4

/* The error of a derived signal below this share of its RMS is not worth a
 * note: every signal is taken to have as much noise (DARC_WEAK_NOISE_FLOOR). */
#define DARC_NOTABLE_SHARE 1e-6

/* Sampling intervals that differ by less than this fraction are the same: as
 * much as times may differ that count as uniform (data/table.h). */
#define DARC_SAME_INTERVAL 1e-6

/* Noise at rest of this share of a recording's variance, in every signal: what
 * moves is less than a quarter of the noise.  A driven recording given for one
 * at rest has about 1; its spectrum is that of the signals, and noise of it
 * would explain whatever the model does. */
#define DARC_REST_LOUD 0.8

/* Share of --memory that a recording may take before it goes to a temporary
 * file: two recordings, their derived signals and the work need the rest. */
#define DARC_MEMORY_SHARE 0.25

/* Terms of all io-equations up to which values are sought: with 281 identifying
 * takes 0.04 s, with 2763 1.8 s and finds not all. */
#define DARC_VALUES_TERMS 1000

/* Functions of parameters are linear around values that are found again there
 * to within ENOUGH of their standard deviations: what is of second order is
 * then less than a hundredth of what noise does.  It takes 2 to 4 passes. Where
 * more than RISE times as much is left as before, a parameter is moved ASIDE by
 * that share instead (chosen).  Two
 * recordings further APART, in standard deviations, than noise makes likely
 * have values of their own. */
#define DARC_NEAR_PASSES 12
#define DARC_NEAR_ENOUGH 0.1
#define DARC_NEAR_RISE 1.5
#define DARC_NEAR_ASIDE 0.25
#define DARC_NEAR_APART 3.0

/* Where no values are told, so many starts are tried (fit/starts.h), in
 * SAMPLES of the recording, and so many of the best followed, with inputs as
 * recorded.  Two of these have to end at the same sum of squares, to within
 * SAME of its sum over freedom, unless a model is found that holds, or that
 * leaves HOLDS times what noise does at most; one at which AWAY times as much
 * is left as at the start goes nowhere (chosen). */
#define DARC_NEAR_STARTS 20
#define DARC_NEAR_SAMPLES 400
#define DARC_NEAR_HOLDS 2.0
#define DARC_NEAR_FOLLOWED 6
#define DARC_NEAR_SAME 0.1
#define DARC_NEAR_AWAY 3.0

/* Samples of a recording up to which trajectories take the place of a weak form
 * that does not apply: longer ones are left for other reasons. */
#define DARC_TRAJECTORY_SAMPLES 256

/* Samples of a recording that are a long one to trajectories, which are asked a
 * second time up to so many; and the share of the largest term that the weak
 * form leaves then, at most: of more its coefficients are no start.  Of 45
 * loops that lack a term 34, 34, 36 are found and 0, 1, 1 consistent at .25,
 * .5, 1; of 30 right ones 26 are consistent at .25 and 1, of 12 pendulums 9. */
#define DARC_LONG_SAMPLES 300
#define DARC_LONG_MOST 5000
#define DARC_LONG_LEFT 0.25

/* Notes kept, details among them (chosen). */
#define DARC_SESSION_NOTES 64

/* A window has so many supports of the test functions that the one before has,
 * too, and a new one; several where that is less than so many rows (chosen: the
 * cost).  Functions that reach into the new one are weighed given the others.
 * What they tell is white noise as far as those hold what went before: an
 * oscillator damped by .1, 240 alarms a day, 443 expected: 615, 555, 469, 448
 * with 3, 4, 5, 7 supports. */
#define DARC_WATCH_SUPPORTS 7
#define DARC_WATCH_ROWS 40

/* Supports after which the largest change that is looked for is found, at best;
 * larger ones are found sooner.  Smaller ones follow as far as the windows are
 * looked back upon: for a share of the baseline, so that its error is smaller
 * than theirs, and so many windows at most (chosen: the cost). */
#define DARC_WATCH_SOON 20.0
#define DARC_WATCH_BASELINE 16
#define DARC_WATCH_ROOM 2048

/* Changes of so many standard deviations are told by a fit of the window: of
 * those of 4 and 20 % of a motor's resistance the score missed 2.5 and 7.5 %,
 * less than one deviation where there are so few. */
#define DARC_SCORE_REACH 10

/* Times of delays are sought up to so much of the longest stretch of a
 * recording, at places apart by so much of the shortest period of the delayed
 * signal, or by one of so many of the time itself; a share of the leading term
 * below which one is as good as another; the best is refined by so many golden
 * sections, to a thousandth (chosen: what is told from there on is the same).
 */
#define DARC_LATE_MOST 0.25
#define DARC_LATE_SPACING 0.15
#define DARC_LATE_PLACES 250
#define DARC_LATE_SHARE 1e-9
#define DARC_LATE_SECTIONS 14

/* Places that leave at most exp(WORSE) as much as the best may be as good once
 * they are refined, of which so many are tried, the first ones: where both
 * leave the same to SAME deviations of a sum of so many squares. */
#define DARC_LATE_WORSE 6.0
#define DARC_LATE_TRIED 4
#define DARC_LATE_SAME 4.0

/* Samples so many of the shortest period apart: a cubic between the two is
 * off by a tenth of what moves so fast (random times, 8 right models and 8
 * wrong: 7 and 4 are decided, all rightly; with .16 7 and 1, and without it 1
 * right one is refused). */
#define DARC_LATE_BETWEEN 0.25
