/* draw.h - simulated noise: what it adds to sums of moments. */
#ifndef DARC_FIT_DRAW_H
#define DARC_FIT_DRAW_H

#include "fit/sums.h"
#include "weak/columns.h"

/* Add `weight` times the mean of so many draws to the noise-only sums N and T;
 * the noise depends on the piece alone. */
void darc_draw_add(darc_sums *s, darc_weak_work *work,
                   const darc_columns_room *b, const double *c,
                   const darc_effort *effort, double weight);

/* Set out (rows x coeffs) to one draw of noise in the moments of the piece
 * that is loaded, as it is modelled, or red where its colour is not known; the
 * noise depends on the piece and the number of the draw alone. */
void darc_draw_noise(double *out, darc_weak_work *work, int draw, bool red);

#endif
