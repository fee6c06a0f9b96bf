/* fixture_quarter.h - recordings of a quarter car over a road that is a sum
 * of sines, and its relations; the linear car exactly, derivatives included. */
#ifndef DARC_FIXTURE_QUARTER_H
#define DARC_FIXTURE_QUARTER_H

#include "data/table.h"
#include "relation/relation.h"

#define QUARTER_ORDERS 4 /* derivatives 0 .. 3 */

typedef struct {
    double m, c, d, mw, ct; /* kg, N/m, N s/m, kg, N/m */
    double cubic;           /* RMS of the cubic force over that of c z */
    int road;               /* number of the road */
} quarter_car;

/* 300 kg, 20000 N/m, 1500 N s/m, 40 kg, 180000 N/m, linear, road 1. */
quarter_car quarter_car_default(void);

typedef struct {
    darc_table table; /* a, z */
    darc_signal signal[2];
    darc_segment segment;
    double *exact[2][QUARTER_ORDERS]; /* of the linear car */
} quarter;

/* Drive for n samples of dt seconds. */
void quarter_drive(quarter *q, const quarter_car *car, size_t n, double dt);

/* Add white noise of `share` of the RMS of each signal. */
void quarter_add_noise(quarter *q, double share, unsigned long seed);
void quarter_clear(quarter *q);

/* Return a standard normal number. */
double quarter_normal(unsigned long *state);

/* Set r to the relation of the test (changed: the mass): expanded, or as a
 * matrix closed by its last row. */
void quarter_relation(darc_relation *r, darc_test test, bool expanded);
void quarter_relation_clear(darc_relation *r);

/* The same for any relation of one or two recordings: names as in
 * relation.h, entries of n columns as text in the variables "y_k" for the
 * k-th derivative of y; rows n, the last one `last`. */
void fixture_relation(darc_relation *r, int recordings, int names,
                      const char *const *name, int order, int columns,
                      const char *const *entry, bool expanded);
void fixture_relation_clear(darc_relation *r);

/* Append the polynomial in such text. */
void fixture_append(darc_dpolys_t p, const char *text, const darc_jet_t jet);

#endif
