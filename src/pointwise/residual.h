/* residual.h - the residual of a relation along recordings, with its errors.
 *
 * A residual r_i is the value of the relation at sample i, derivatives taken
 * by the formulas of differ.h.  Four things make it differ from 0:
 *   noise       sd_i of r_i to first order: stencils of all derivatives of a
 *               signal are combined before they are squared, so that what
 *               derivatives share is counted once;
 *   truncation  r_i by the formula asked for minus r_i by the next rung of
 *               its ladder; and that rung minus the one after it;
 *   rounding    an a-priori bound: operations, weights, samples;
 *   the model   what a verdict is about.
 * Two recordings are paired sample by sample: the i-th sample of A where all
 * derivatives exist with the i-th of B, up to the shorter; the relation
 * holds for any pair of instants, so rates and lengths may differ.
 */
#pragma once

#include "darc/report.h"
#include "derive/differ.h"
#include "relation/relation.h"

/* Means in the unit of the function; rms, max and size over all samples
 * used, the rest over the `inner` ones, where two more rungs fit as well: what
 * is compared must come from the same samples. */
typedef struct {
    size_t used, inner;
    double rms, max;
    double inner_rms;
    double size;        /* RMS of the sum of the absolute values of the terms */
    double response;    /* RMS of (d f / d v) v, v the leading derivative */
    double noise;       /* RMS of sd_i */
    double noise_least; /* the same for the least noise there may be */
    double noise_dof;   /* the noise part of the mean of r^2 fluctuates like
                           noise^2 chi2(dof) / dof: stencils overlap */
    double truncation;  /* RMS of the first difference of rungs */
    double truncation_least; /* what the least noise alone puts there */
    double next;             /* of the second difference of rungs */
    double next_noise, next_least;
    double rounding; /* RMS of the rounding bound */
} darc_residual_errors;

/* Release what happens at each sample: margin is the least |f_i| / bar of an
 * inequation f. */
void darc_residual_series_clear(darc_residual_series *s);

/* Say that values begin .. end - 1 are not read for a while.  Needed for
 * economy alone. */
void darc_residual_series_done(const darc_residual_series *s, size_t begin,
                               size_t end);

typedef struct darc_residual darc_residual;

/* Set *residual to the relation along the tables (relation->recordings of
 * them), which must outlive it, as must the relation.
 * Fails: DARC_DATA when a signal is not in its table, or no sample has all
 * derivatives; DARC_DOMAIN as darc_differ_new. */
DARC_STATUS darc_residual_new(darc_residual **residual,
                              const darc_relation *relation,
                              const darc_table *const *tables,
                              const darc_diff_spec *spec, darc_err *err);
void darc_residual_free(darc_residual *residual);

/* Return the number of functions: the residual, then the inequations. */
int darc_residual_functions(const darc_residual *residual);

/* Return the table and the column that unknown w of the relation's jet is
 * read from; -1 where it does not occur or is time. */
int darc_residual_column(const darc_residual *residual, int w);

/* Return the total degree of the residual in the signals. */
double darc_residual_degree(const darc_residual *residual);

/* Set the standard deviation of the noise of unknown w (0 at first), and
 * the least that it may be, 0 <= least <= sd. */
void darc_residual_set_noise(darc_residual *residual, int w, double sd,
                             double least);

/* Set errors[f] for every function and, unless NULL, series, by `threads`
 * threads; the result does not depend on their number.
 * Fails: DARC_DATA when a value is not finite; DARC_LIMIT by the budget;
 * DARC_IO when a temporary file finds no room. */
DARC_STATUS darc_residual_run(const darc_residual *residual, int threads,
                              const darc_budget *budget,
                              darc_residual_errors *errors,
                              darc_residual_series *series, darc_err *err);

/* Set s from the errors of function 0; unit stays as it is. */
void darc_residual_summarise(darc_residual_summary *s,
                             const darc_residual_errors *e);
