#include "stats/bounded.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/lanes.h"

#include <math.h>
#include <string.h>

enum { DARC_BOUNDED_TURNS = 50, DARC_BOUNDED_HALVES = 30 };

/* Share of the fall that a slope promises which is enough [Ber82]. */
static const double enough = 1e-4;

/* Moves of unknowns, and what that changes of the gradient, below which the
 * place is found. */
static const double least = 1e-12;

/* What is minimised: x'gx / 2 - b'x within bounds. */
typedef struct {
    int n;
    const double *g, *b, *low, *high;
    double *slope, *move, *to, *work; /* at x; n, n, n, n x n */
} bounded;

static double within(const bounded *s, int j, double x)
{
    return fmin(fmax(x, s->low[j]), s->high[j]);
}

/* Set the gradient at x; return the value there. */
static double value_at(double *slope, const bounded *s, const double *x)
{
    size_t n = (size_t)s->n;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double gx = darc_lanes_dot(s->g + i * n, x, n);
        slope[i] = gx - s->b[i];
        sum += x[i] * (gx / 2 - s->b[i]);
    }
    return sum;
}

/* Set the move to the step of Newton, of the unknowns that the gradient does
 * not hold at a bound. */
static bool set_move(bounded *s, const double *x)
{
    int n = s->n;
    memcpy(s->work, s->g, (size_t)n * (size_t)n * sizeof *s->work);
    for (int j = 0; j < n; j++) {
        bool held = (x[j] <= s->low[j] && s->slope[j] > 0) ||
                    (x[j] >= s->high[j] && s->slope[j] < 0);
        s->move[j] = held ? 0 : -s->slope[j];
        for (int i = 0; i < n && held; i++)
            s->work[i * n + j] = s->work[j * n + i] = i == j;
    }
    return darc_dense_solve(s->work, s->move, n, 1);
}

/* Go along the move as far as that lowers the value, each unknown within its
 * bounds; return whether x was moved. */
static bool go(double *x, double *value, bounded *s)
{
    double share = 1;
    for (int half = 0; half < DARC_BOUNDED_HALVES; half++, share /= 2) {
        double fall = 0, far = 0;
        for (int j = 0; j < s->n; j++) {
            s->to[j] = within(s, j, x[j] + share * s->move[j]);
            fall += s->slope[j] * (s->to[j] - x[j]);
            far = fmax(far, fabs(s->to[j] - x[j]));
        }
        double now = value_at(s->work, s, s->to);
        if (!(far > least))
            return false;
        if (!(fall < 0) || now > *value + enough * fall)
            continue;
        bool falls = *value - now > least * fabs(now);
        memcpy(x, s->to, (size_t)s->n * sizeof *x);
        *value = value_at(s->slope, s, x);
        return falls;
    }
    return false;
}

bool darc_bounded_solve(double *x, double *g, int n, const double *low,
                        const double *high)
{
    bounded s = {.n = n, .low = low, .high = high};
    double *own, *b;
    DARC_CARVE({&own, n * n}, {&b, n}, {&s.slope, n}, {&s.move, n}, {&s.to, n},
               {&s.work, n * n});
    memcpy(own, g, (size_t)n * (size_t)n * sizeof *g);
    memcpy(b, x, (size_t)n * sizeof *x);
    s.g = own;
    s.b = b;
    for (int j = 0; j < n; j++)
        x[j] = within(&s, j, 0);
    double value = value_at(s.slope, &s, x);
    bool ok = darc_dense_cholesky(g, n), moves = true;
    for (int turn = 0; turn < DARC_BOUNDED_TURNS && ok && moves; turn++) {
        ok = set_move(&s, x);
        moves = ok && go(x, &value, &s);
    }
    darc_free(own);
    return ok;
}
