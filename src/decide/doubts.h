/* doubts.h - what may have made the little that remains of a right model.
 *
 * The tests reject it then, and nothing is decided.
 */
#pragma once

#include "decide/evidence.h"
#include "decide/judgement.h"

/* Return "a tolerance of 0.048 would turn the verdict": x with two digits, no
 * less than x, nor than sums are sure to; none from 1 on. */
typedef struct {
    char text[64];
} darc_doubts_turn;

darc_doubts_turn darc_doubts_turning(double x);

/* Make d undecided on equation q: so much remains, but that may have made it.
 */
void darc_doubts_say(darc_decision *d, const darc_evidence *s, int q,
                     const char *but);

/* Whether as many coefficients are free as there are moments, so that nothing
 * was tested.  *d then says so. */
bool darc_doubts_untested(darc_decision *d, const darc_evidence *s);

/* Whether noise of an unknown spectrum may have made what is left, and much of
 * a term besides: no test holds its level then. */
bool darc_doubts_attenuated(const darc_evidence *s);

/* Return the RMS of the least noise that makes the equations hold, over that of
 * the signals, whatever its spectrum, and *u, the signal of which it takes
 * most; less what smoothing may have made.  (Q is the square of that noise, in
 * those of what each signal shows, at the best coefficients.)  As long as noise
 * is small no right model asks for more than its recording has. */
double darc_doubts_demand(const darc_evidence *s, int *u);

/* Whether the residual contradicts the model because that is more than
 * DARC_DEMAND. */
bool darc_doubts_demanding(const darc_decision *d, const darc_evidence *s);

/* Whether the residual contradicts the model although noise is estimated with
 * the equations: for that reason, or sampling made it. */
bool darc_doubts_beyond_noise(const darc_decision *d, const darc_evidence *s);

/* Make d, on equation q, undecided where sampling may have made what
 * contradicts it: it reaches too far, or less is left than DARC_FOLDED of what
 * half the rate would make.  Return whether d is undecided, and errors of
 * pulses might tell. */
bool darc_doubts_folded(darc_decision *d, const darc_evidence *s, int q);

/* Whether the term that equation q seems to lack is less than what the noise,
 * estimated with the equations, would hide: *d then says so.  Red noise of two
 * angles makes terms of their difference at 5 to 30 standard deviations, of 2
 * to 5 % beside 7 to 20 %; terms that are missing are six times what is hidden.
 */
bool darc_doubts_hidden(darc_decision *d, const darc_evidence *s, int q,
                        const darc_missing *lacks);

/* Decide where nothing is missing, but more is left than white noise makes:
 * little of it is noise of some spectrum, more may be a term that nobody
 * thought of. */
void darc_doubts_left(darc_decision *d, const darc_evidence *s, int q);

/* Whether an output's noise is rounding, which is white only while the signal
 * moves, and nothing remains for certain of what the tests reject, or little of
 * an output that rests.  *d then says so. */
bool darc_doubts_rounding(darc_decision *d, const darc_evidence *s, int q);

/* Whether what remains of equation q, but for this share, may be noise of any
 * colour that is not small in derived signals: no test of it holds then. */
bool darc_doubts_loud(const darc_evidence *s, int q, double explains);

/* Whether noise of any colour reaches equation q through a function whose slope
 * changes its sign, as the sine of what turns: tests take noise for the same
 * all along, and of coloured noise that is not so there. */
bool darc_doubts_turned(const darc_evidence *s, int q);

/* Whether a term that explains this share of what is left of equation q may be
 * noise of either kind. */
bool darc_doubts_term(const darc_evidence *s, int q, double explains);

/* Whether what goes with the past of inputs may be the times of their steps,
 * which are not known to come at samples.  *d then says so. */
bool darc_doubts_times(darc_decision *d, const darc_evidence *s, int q);

/* Whether so little may come of derived signals: close to where noise left the
 * domain of a root or logarithm, or of second powers of noise.  *d then says
 * so. */
bool darc_doubts_derived(darc_decision *d, const darc_evidence *s, int q);
