/* nearest.h - the parameters with which a linear model comes nearest to a
 * target, or to one of a family, over a band of frequency (src/MATHEMATICS.md,
 * 11, Meeting a target).
 *
 * The defect is the largest |H - G| / |G| there, of any input to any output: H
 * is the model's frequency response, G the target's, or where that is none at
 * all, whatever its parameters are, the output's to all inputs together.
 */
#pragma once

#include "base/budget.h"
#include "eliminate/transfer.h"

#include <stdint.h>

typedef struct {
    double low, high, tolerance; /* given; Hz */
    uint64_t seed;               /* given, of the search */
    darc_transfer of[2];         /* the model and the target at `value` */
    double *value; /* of the model's parameters, then the target's, few digits;
                      owned */
    double defect; /* NAN: no parameters give a response */
    double hz;     /* where it is that large, and of what to what: */
    int input, output;
    bool stable; /* all poles lie left of the imaginary axis but those at 0 that
                    the target has too, and the target's: exact */
    bool within; /* it is, and the defect is less than the tolerance: exact */
    char *none;  /* proof that no parameters come within the tolerance; NULL:
                    none was found; owned */
} darc_nearest;

/* Set n, the first of whose fields are given, to the nearest found; all
 * parameters of both are sought.
 * Fails: as darc_transfer_init; DARC_DOMAIN where a target without parameters
 * is not stable, or answers nothing at some frequency of the band. */
DARC_STATUS darc_nearest_find(darc_nearest *n, const darc_model *model,
                              const darc_model *target,
                              const darc_budget *budget, darc_err *err);
void darc_nearest_clear(darc_nearest *n);

/* Set h[0], h[1] to the responses of model and target at `hz`, [i * inputs + j]
 * of output i to input j; error to the relative deviations. */
void darc_nearest_at(const darc_nearest *n, double hz, double complex *h[2],
                     double *error);

/* Return |g[entry]|, or where that function of the target is none at all, that
 * of all inputs. */
double darc_nearest_size(const darc_nearest *n, const double complex *g,
                         int entry);

/* Return whether model and target are stable with these values, the model but
 * for integrators that the target has: exact. */
bool darc_nearest_is_stable(const darc_nearest *n, const double *value);

/* Return the function of the target at `value` that is 0 somewhere in the band;
 * -1: none is. */
int darc_nearest_zero(const darc_nearest *n);

/* ---- that there is none (src/MATHEMATICS.md, 11, Meeting a target) */

/* Return the proof as text, the frequencies at one of which the deviation is
 * larger, and the boxes that cover all parameters, of each either > 0 or any;
 * NULL: none was found.  It is sought around the values of n. */
char *darc_beyond_prove(const darc_nearest *n, const bool *positive,
                        const darc_budget *budget);
