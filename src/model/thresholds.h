/* thresholds.h - the numbers that decide something in this room.
 *
 * Input limits stand in base/limits.h.  "Tried" gives the range, as far as it
 * was tried, over which the tests of the room pass.
 */
#pragma once

/* Up to this n a root r = a^(1/n) of states is bound by r^n = a, which is
 * exact; above, by its differential equation, which is of degree 2.
 * Tried: 3 .. 4; at 2 a test misses the exact equation of a cube root. */
#define DARC_ROOT_BY_POWER 3

/* Products of two terms until one way to a solved form is given up for another;
 * 10 ns each.  Tried: the first up to 1e7. */
#define DARC_SOLVING_WORK 1e6
#define DARC_SOLVING_WORK_MOST 3e8
