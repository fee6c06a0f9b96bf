#include "stats/bounded.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/dense.h"

#include <math.h>
#include <string.h>

enum { DARC_BOUNDED_TURNS = 4 }; /* chosen */

/* Hold unknown j at x; the other sides, b, take it up. */
static void hold(double *g, double *b, int n, int j, double x)
{
    for (int i = 0; i < n; i++) {
        b[i] -= x * g[i * n + j];
        g[i * n + j] = g[j * n + i] = 0;
    }
    g[j * (n + 1)] = 1;
    b[j] = x;
}

bool darc_bounded_solve(double *x, double *g, int n, const double *low,
                        const double *high)
{
    size_t m = (size_t)n;
    double *held, *work, *b;
    DARC_CARVE({&held, n * n}, {&work, n * n}, {&b, n});
    memcpy(held, g, m * m * sizeof *g);
    memcpy(b, x, m * sizeof *x);
    bool beyond = true, ok = darc_dense_solve(g, x, n, 1);
    for (int turn = 0; turn < DARC_BOUNDED_TURNS && beyond && ok; turn++) {
        beyond = false;
        for (int j = 0; j < n; j++) {
            double in = fmin(fmax(x[j], low[j]), high[j]);
            if (in == x[j])
                continue;
            hold(held, b, n, j, in);
            beyond = true;
        }
        if (!beyond)
            break;
        memcpy(work, held, m * m * sizeof *g);
        memcpy(x, b, m * sizeof *x);
        ok = darc_dense_solve(work, x, n, 1);
    }
    for (int j = 0; j < n; j++)
        x[j] = fmin(fmax(x[j], low[j]), high[j]);
    darc_free(held);
    return ok;
}
