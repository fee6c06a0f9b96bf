/* draw.h - random numbers for tests, the same everywhere. */
#ifndef DARC_TESTS_DRAW_H
#define DARC_TESTS_DRAW_H

#include <math.h>
#include <stdint.h>

static inline uint64_t draw_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* Uniform in 0 < x < 1. */
static inline double draw_uniform(uint64_t *state)
{
    return ((double)(draw_bits(state) >> 11) + 0.5) * 0x1p-53;
}

/* Standard normal, by Box and Muller. */
static inline double draw_normal(uint64_t *state)
{
    double r = sqrt(-2 * log(draw_uniform(state)));
    return r * cos(6.283185307179586 * draw_uniform(state));
}

#endif
