/* scales.h - how large states and parameters may be, and draws around that. */
#pragma once

#include "base/random.h"
#include "trajectory/match.h"

typedef struct {
    double *state, *parameter; /* sizes; owned in one */
    const double *near;        /* values of parameters, NULL: unknown */
    darc_random random;
} darc_scales;

/* Set sizes to those that give terms the size of the signals' rates; near: as
 * in darc_seek; `random` is to be set. */
void darc_scales_init(darc_scales *s, darc_match *m, const double *near);
void darc_scales_clear(darc_scales *s);

/* Let m begin at draw i. */
void darc_scales_draw(darc_match *m, darc_scales *s, int i);
