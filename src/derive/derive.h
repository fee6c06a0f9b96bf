/* derive.h - computing the derived signals of a model from a recording.
 *
 * A derived signal is a new column, computed sample by sample from measured
 * ones.  A derivative in its expression is an estimated one: of central
 * differences and Savitzky-Golay fits of many widths the one is taken whose
 * truncation error (difference to the next higher order) and noise
 * (noise times noise gain) are least together.  delay(x, T) is the value T
 * seconds before, by a cubic through four samples where T is no multiple of
 * the sampling time; table(x, ...) interpolates linearly; int(x) is the
 * integral from the first sample of a segment.  Where the expression has no
 * value, and where a delay or a derivative would reach over the end of a
 * segment, the derived signal has a gap.
 *
 * Its errors are known to first order.  The noise n_s of each measured signal s
 * that it depends on, through other derived signals too, reaches it as
 * slope(t) n_s(t - shift): slope is the exact partial derivative, at signals
 * smoothed as the caller wants.  Besides it may have an error of its own, of
 * standard deviation sd(t), which stays much the same along `correlation`
 * samples:
 * - an estimated derivative v has sd_v(t), of the noise that its formula lets
 *   through and of its truncation around t; f(v) has |df/dv| sd_v;
 * - sign(v), and whatever `if` chooses by v > 0, changes by a jump J where v
 *   passes 0: J sqrt(p (1 - p)), p = Phi(-|v| / sd_v), sd_v of all errors of v;
 *   J / sqrt(24) at least beside a change, for it comes at any time between two
 *   samples; where v rests it may be anything, within a bound;
 * - an integral adds up the errors of its argument.
 * The slope of min, max, abs and if is that of the branch taken.
 */
#pragma once

#include "base/budget.h"
#include "data/table.h"
#include "model/model.h"

/* needed[u] says which unknowns a test needs.  Mark also the measured and
 * derived signals that marked derived ones are computed from. */
void darc_derive_mark(bool *needed, const darc_model *model);

/* Set out, of as many samples as the table, to x so many seconds later, NAN
 * where that is not known; as delay() does. */
void darc_derive_delayed(double *out, const double *x, double late,
                         const darc_table *table);

/* Return whether derived signal u, or one that it is computed from, contains
 * a derivative, which has to be estimated, or an integral: its error is no
 * white noise. */
bool darc_derive_is_estimated(const darc_model *model, int u);

/* How derived signals are computed. */
typedef struct {
    size_t block;              /* samples at a time; 0: enough for economy */
    int threads;               /* at most; the result does not depend on it */
    const darc_budget *budget; /* NULL: none */
    const double *noise;       /* sd of measured signals by unknown, NAN: what
                                  their differences show; NULL: all NAN */
    int smooth; /* half-width, in samples, of the filter of the signals that
                   slopes are taken at; 0: at signals as they are */
} darc_derive_work;

/* Append the derived signals u with needed[u] to the table, which holds the
 * measured ones that they depend on, and what is known of their errors
 * (darc_table_derivation); shorten its segments to where all are known.  Set
 * error[u] (NULL allowed) to the RMS of all errors of the signal, in its unit;
 * the rest is unchanged.  Where the table has a spool the new columns go there,
 * and memory does not grow with the samples.
 * Fails: DARC_DATA when more than half of the samples have no value (the
 * logarithm of a negative number, a table that ends too early; the message
 * names signal, time and value), when a table cannot be used, or no sample is
 * left; DARC_LIMIT by the budget; DARC_IO.  Then the table is fit to be freed
 * only. */
DARC_STATUS darc_derive_by(darc_table *table, double *error,
                           const darc_model *model, const bool *needed,
                           const darc_derive_work *how, darc_err *err);

/* Set value[u], by unknown of the model, to the value of an input that has but
 * one, the same in all n recordings, which hold no derived signals (these are
 * numbered as the model's unknowns); else to NAN.  Return whether there are
 * any.  Cost: O(samples) of what stands still. */
bool darc_still_find(double *value, const darc_model *model,
                     darc_table *const *table, int n);

/* Return the model with constants for the inputs that have a value; NULL where
 * there can be none. */
darc_model *darc_still_fix(const darc_model *model, const double *value);
