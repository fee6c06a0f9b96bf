/* instruments.h - a missing term tested by instruments, whatever the colour of
 * the noise.
 *
 * Instruments are the moments of an equation's terms, of signals rebuilt from
 * exact inputs alone (noise/rebuild.h).  Where the model is right they share
 * nothing with what is left (stats/twostage.h).
 */
#pragma once

#include "stats/twostage.h"
#include "terms/offers.h"

typedef struct {
    size_t functions;
    int equations, coeffs;
    int *first;    /* coefficient of an equation; owned */
    double *x, *z; /* coeffs columns of functions * equations rows; owned */
    bool *torn;    /* functions that reach into two folds; owned */
} darc_instruments;

/* Set z to the instruments for the equations `total` with their candidates,
 * derivatives estimated with the half-width `smooth`; to none, of no functions,
 * where there is no exact input, or an equation of the model holds an estimated
 * derivative. */
void darc_instruments_init(darc_instruments *z, const darc_offers *of,
                           const darc_total_struct *const *total, int smooth);
void darc_instruments_clear(darc_instruments *z);

/* Test a coefficient of the system, a candidate of equation q of f; as
 * darc_twostage_test. */
bool darc_instruments_test(darc_twostage *out, const darc_instruments *z,
                           const darc_fit *f, int q, int candidate);
