/* sines.h - sums of sines: offset + sum_i amplitude_i sin(omega_i t +
 * phase_i), and the random ones among them: multisines and roads. */
#ifndef DARC_SIMULATE_SINES_H
#define DARC_SIMULATE_SINES_H

#include "base/random.h"

#define DARC_TWO_PI 6.283185307179586476925

typedef struct {
    int count;
    double offset;
    double *amplitude, *omega, *phase; /* omega in rad/s; owned */
} darc_sines;

/* Set s to count sines of amplitude 0. */
void darc_sines_init(darc_sines *s, int count);
void darc_sines_clear(darc_sines *s);

/* Set s to n sines of equal amplitude at evenly spread frequencies f0 .. f1
 * (Hz), random phases, root mean square rms. */
void darc_sines_multisine(darc_sines *s, double rms, double f0, double f1,
                          int n, darc_random *r);

/* Set s to the height (m) under a wheel at `speed` (m/s) on a road of class
 * 'A' .. 'H'; see wave.h. */
void darc_sines_road(darc_sines *s, char class, double speed, darc_random *r);

/* Set out[k] to the k-th derivative at t, k = 0 .. order. */
void darc_sines_eval(const darc_sines *s, double t, int order, double *out);

#endif
