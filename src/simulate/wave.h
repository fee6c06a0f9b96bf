/* wave.h - input signals of a simulation, with their exact derivatives: of the
 * shapes that `darc help simulating` lists, and sums of these; a file is the
 * cubic spline through its samples.
 *
 * A road is a sum of 256 sines, one in each of 256 spatial frequency bands
 * of equal ratio between 0.011 and 2.83 cycles/m; band and phase decide by
 * the seed.  The sine carries the power of its band under the displacement
 * spectrum G(n) = G0 (n / 0.1)^-2, G0 = 16e-6 m^3 for class A and four times
 * as much for each class after it (geometric means of ISO 8608).  Heights
 * count from the height at t = 0.
 */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct darc_wave darc_wave;

/* Whose signal it is. */
typedef struct {
    const char *name;      /* of the input */
    const char *column;    /* of its file; NULL: the one called name */
    uint64_t seed, stream; /* of its random numbers */
    const char *unit;      /* to which a column is brought; NULL, "": none */
} darc_wave_source;

/* Set *wave to the signal that spec describes.
 * Fails: DARC_USAGE for a description not of the shapes above; DARC_DATA,
 * DARC_IO for a file that cannot be used (no such column, a gap, fewer than
 * two samples); messages begin with the name. */
DARC_STATUS darc_wave_new(darc_wave **wave, const char *spec,
                          const darc_wave_source *from, darc_err *err);

/* Return doses: amounts y at n >= 2 increasing times t.  As a signal they are
 * 0. */
darc_wave *darc_wave_doses(const double *t, const double *y, size_t n);

/* Make w, of doses or from a file of amounts, doses at samples.
 * Fails: DARC_USAGE where it is neither, or a dose lies between samples. */
DARC_STATUS darc_wave_take_doses(darc_wave *w, const char *name, double rate,
                                 darc_err *err);

/* Return what is given at time t, and the first time after t where something
 * is, HUGE_VAL if none. */
double darc_wave_dose(const darc_wave *wave, double t);
double darc_wave_next_dose(const darc_wave *wave, double t);

/* What a signal does between its samples: a cubic spline; a line; nothing. */
typedef enum { DARC_SMOOTH, DARC_STRAIGHT, DARC_HELD } darc_between;

/* Return the signal through the n >= 2 samples y at increasing times t. */
darc_wave *darc_wave_of(const double *t, const double *y, size_t n,
                        darc_between between);
/* Move sample i of a signal that is held to time t, between its neighbours. */
void darc_wave_move(darc_wave *wave, size_t i, double t);
void darc_wave_free(darc_wave *wave);

/* Return the highest derivative that exists: 2 for a file, 0 for steps,
 * INT_MAX for the others; for a sum the least of its parts. */
int darc_wave_order(const darc_wave *wave);

/* Set out[k] to the k-th derivative at time t (s), k = 0 .. order; order is
 * at most darc_wave_order. */
void darc_wave_eval(const darc_wave *wave, double t, int order, double *out);

/* Return the degree of the polynomials of time that it consists of, -1: it does
 * not, or is a sum. */
int darc_wave_degree(const darc_wave *wave);

/* Of one that does, set out[k] to the k-th derivative, k = 0 .. 3, behind time
 * t; return until when these hold. */
double darc_wave_piece(const darc_wave *wave, double t, double out[4]);

/* Return the highest frequency (Hz) that is asked for until the time end; 0:
 * none is, by files, steps and roads. */
double darc_wave_highest(const darc_wave *wave, double end);

/* Return the first time after t where the signal jumps, HUGE_VAL if none. */
double darc_wave_next_jump(const darc_wave *wave, double t);

/* Set *from and *to to the times between which the signal is known; minus
 * and plus HUGE_VAL for all but files. */
void darc_wave_span(const darc_wave *wave, double *from, double *to);
