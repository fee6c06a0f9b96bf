#include "weak/bspline.h"

#include <assert.h>
#include <math.h>

/* N_0 is 1 on [0, 1); N_p(x) = (x N_(p-1)(x) + (p+1-x) N_(p-1)(x-1)) / p. */
static double cardinal(int p, double x)
{
    double n[DARC_BSPLINE_MAX_DEGREE + 2];
    assert(p >= 0 && p <= DARC_BSPLINE_MAX_DEGREE);
    if (x <= 0 || x >= p + 1)
        return p == 0 && x == 0 ? 1 : 0;
    for (int i = 0; i <= p; i++)
        n[i] = x - i >= 0 && x - i < 1;
    for (int q = 1; q <= p; q++)
        for (int i = 0; i <= p - q; i++)
            n[i] = ((x - i) * n[i] + (q + 1 - (x - i)) * n[i + 1]) / q;
    return n[0];
}

/* N_p^(d)(x) = sum_i (-1)^i binomial(d, i) N_(p-d)(x - i). */
void darc_bspline_table(double *out, int degree, int order, int step)
{
    assert(order >= 0 && order < degree && step >= 1);
    double scale = pow(step, -order);
    for (int t = 0; t <= (degree + 1) * step; t++) {
        double x = (double)t / step, sum = 0, b = 1;
        for (int i = 0; i <= order; i++) {
            sum += b * cardinal(degree - order, x - i);
            b = -b * (order - i) / (i + 1);
        }
        out[t] = sum * scale;
    }
}
