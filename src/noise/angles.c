#include "noise/angles.h"

#include "base/mem.h"
#include "noise/limits.h"

#include <math.h>
#include <stdbool.h>

enum { BESIDE = 4 };

#define TURN 6.28318530717958647692

/* The turn that the step from sample i to the next jumps by, 0: none: with it
 * the step is like the steps beside. */
static double jump(const double *y, size_t n, size_t i, double turn, double sd)
{
    double d = y[i + 1] - y[i];
    if (!(fabs(d) > turn / 2))
        return 0;
    double by = d > 0 ? turn : -turn, beside = 0;
    int steps = 0;
    for (size_t k = i > BESIDE ? i - BESIDE : 0; k <= i + BESIDE && k + 1 < n;
         k++) {
        double s = y[k + 1] - y[k];
        if (k == i || !(fabs(s) < DARC_TURN_STEP * turn))
            continue;
        beside += s;
        steps++;
    }
    if (steps < 2)
        return 0;
    double off = fabs(d - by - beside / steps);
    return off < fmax(DARC_TURN_OFF * turn, 6 * sd) ? by : 0;
}

/* Every step of more than a quarter of a turn is such a jump, and one has steps
 * on both sides: what jumps as it begins is switched on. */
static size_t count_jumps(const double *y, size_t n, double turn, double sd)
{
    size_t count = 0, inner = 0;
    double min = HUGE_VAL, max = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        min = fmin(min, y[i]);
        max = fmax(max, y[i]);
        double d = i + 1 < n ? y[i + 1] - y[i] : 0;
        if (!(fabs(d) > DARC_TURN_STEP * turn))
            continue;
        if (jump(y, n, i, turn, sd) == 0)
            return 0;
        count++;
        inner += i >= 2 && i + 3 < n;
    }
    double range = max - min;
    bool turns = range > DARC_TURN_RANGE * turn && range < 1.02 * turn;
    return turns && inner > 0 ? count : 0;
}

size_t darc_angle_turn(double *turn, const double *y, size_t n, double sd,
                       double step)
{
    static const double turns[] = {TURN, 360,  400,   1024,
                                   4096, 8192, 16384, 65536};
    for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
        size_t count = count_jumps(y, n, turns[k], sd);
        if (count < (k < 2 ? 1 : 2) || (k > 2 && step != 1))
            continue;
        *turn = turns[k];
        return count;
    }
    *turn = 0;
    return 0;
}

void darc_angle_unwrap(double *y, size_t n, double turn, double sd)
{
    double *by = darc_calloc(n, sizeof *by), sum = 0;
    for (size_t i = 0; i + 1 < n; i++)
        by[i + 1] = jump(y, n, i, turn, sd);
    for (size_t i = 0; i < n; i++) {
        sum += by[i];
        y[i] -= sum;
    }
    darc_free(by);
}
