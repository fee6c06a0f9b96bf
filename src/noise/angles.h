/* angles.h - angles that jump by a turn where they leave its range. */
#pragma once

#include <stddef.h>

/* Return how often the n values jump by a turn, and set *turn to that: 2 pi,
 * 360, 400, or, where values are whole numbers (step 1), a power of two; 0
 * where any step of more than DARC_TURN_STEP of it is no such jump: with the
 * turn it is like the steps beside, as noise of sd allows. */
size_t darc_angle_turn(double *turn, const double *y, size_t n, double sd,
                       double step);

/* Let values go on over such jumps. */
void darc_angle_unwrap(double *y, size_t n, double turn, double sd);
