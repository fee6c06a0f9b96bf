#include "stats/smoother.h"

#include "base/mem.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>

enum { TERMS = DARC_SMOOTHER_DEGREE + 1 };

/* With x = s/half and the Gram matrix G of powers of x, the coefficient of
 * x^order is row `order` of G^-1 times the powers. */
void darc_smoother_weights(double *weight, int half, int order, double dt)
{
    double gram[TERMS * TERMS], row[TERMS] = {0}, power[2 * TERMS] = {0};
    assert(half >= 3 && order < TERMS);
    for (int s = -half; s <= half; s++) {
        double x = (double)s / half, p = 1;
        for (int i = 0; i < 2 * TERMS; i++, p *= x)
            power[i] += p;
    }
    for (int i = 0; i < TERMS * TERMS; i++)
        gram[i] = power[i / TERMS + i % TERMS];
    row[order] = 1;
    lapack_int info =
        LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', TERMS, 1, gram, TERMS, row, TERMS);
    assert(info == 0);
    (void)info;
    double factor = 1;
    for (int i = 1; i <= order; i++)
        factor *= i / (half * dt);
    for (int s = -half; s <= half; s++) {
        double x = (double)s / half, sum = 0;
        for (int i = TERMS - 1; i >= 0; i--)
            sum = sum * x + row[i];
        weight[s + half] = factor * sum;
    }
}

/* Return |H(f) - (2 pi f)^order| of the weights. */
static double gain_error(const double *weight, int half, int order, double dt,
                         double f)
{
    double omega = 2 * 3.14159265358979323846 * f, sum = 0;
    for (int s = -half; s <= half; s++)
        sum += weight[s + half] *
               (order % 2 == 0 ? cos(omega * s * dt) : sin(omega * s * dt));
    double sign = order % 4 < 2 ? 1 : -1;
    return fabs(sign * sum - pow(omega, order));
}

int darc_smoother_half(int order, double dt, double f, double bias, int most)
{
    double *w = darc_calloc(2 * (size_t)most + 1, sizeof *w);
    int half = most;
    for (; half > 4; half = half * 15 / 16) {
        darc_smoother_weights(w, half, order, dt);
        double noise = 0;
        for (int s = 0; s <= 2 * half; s++)
            noise += w[s] * w[s];
        if (gain_error(w, half, order, dt, f) <= bias * sqrt(noise))
            break;
    }
    darc_free(w);
    return half < 4 ? 4 : half;
}

void darc_lagrange(double *p, int j, int first, int count, double at)
{
    for (int m = 0; m < count; m++)
        p[m] = m == 0;
    for (int i = 0, degree = 0; i < count; i++) {
        if (i == j)
            continue;
        degree++;
        for (int m = degree; m >= 0; m--)
            p[m] = ((m > 0 ? p[m - 1] : 0) - (first + i - at) * p[m]) / (j - i);
    }
}

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
