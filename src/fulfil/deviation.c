#include "fulfil/nearest.h"

#include <math.h>

static const double turn = 2 * 3.14159265358979323846;

/* Is this function of the target 0? */
static bool is_none(const darc_nearest *n, int entry)
{
    return fmpz_mpoly_is_zero(n->of[1].f + 1 + entry, n->of[1].ctx);
}

double darc_nearest_size(const darc_nearest *n, const double complex *g,
                         int entry)
{
    int m = n->of[1].inputs, first = entry / m * m;
    double size = cabs(g[entry]);
    for (int j = 0; j < m && is_none(n, entry); j++)
        size = hypot(size, cabs(g[first + j]));
    return size;
}

void darc_nearest_at(const darc_nearest *n, double hz, double complex *h[2],
                     double *error)
{
    for (int k = 0; k < 2; k++)
        darc_transfer_at(&n->of[k], turn * hz, h[k]);
    for (int i = 0; i < n->of[1].outputs * n->of[1].inputs; i++)
        error[i] = cabs(h[0][i] - h[1][i]) / darc_nearest_size(n, h[1], i);
}

bool darc_nearest_is_stable(const darc_nearest *n, const double *value)
{
    int zeros = darc_transfer_integrators(&n->of[0], value);
    return zeros >= 0 && zeros <= darc_transfer_integrators(
                                      &n->of[1], value + n->of[0].parameters);
}

int darc_nearest_zero(const darc_nearest *n)
{
    const double within[] = {1, n->low, n->high};
    const double *goal = n->value + n->of[0].parameters;
    int k = n->of[1].outputs * n->of[1].inputs - 1;
    while (k >= 0 &&
           darc_transfer_is_near(NULL, NULL, &n->of[1], goal, k, within))
        k--;
    return k;
}
