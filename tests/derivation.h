/* derivation.h - derived signals of recordings made in memory, for tests. */
#ifndef DARC_TESTS_DERIVATION_H
#define DARC_TESTS_DERIVATION_H

#include "derive/derive.h"
#include "model/model.h"

/* Return a recording of y and u in steps of dt, all 0, without a gap. */
darc_table *derivation_table(size_t samples, double dt);

/* Make sample i a gap of all signals. */
void derivation_gap(darc_table *table, size_t i);

/* What became of derived signal v, after those it needs. */
typedef struct {
    darc_model *model;
    darc_table *table;
    const double *value;
    const darc_derivation *of;
} derivation;

/* Derive v by `derived`, lines of that section; the test fails where it
 * cannot.  NULL: by default. */
void derivation_make(derivation *d, darc_table *table, const char *derived,
                     const darc_derive_work *how);
void derivation_clear(derivation *d);

/* v has no value: the message contains this. */
void derivation_refuse(darc_table *table, const char *derived,
                       const char *message);

/* Return what reaches v of the noise of the signal; the test fails where that
 * is nothing. */
const darc_influence *derivation_influence(const derivation *d,
                                           const char *signal, long shift);

/* Return its slope at sample i. */
double derivation_slope(const darc_influence *by, size_t i);

#endif
