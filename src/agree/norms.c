#include "agree/norms.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static darc_norms scaled(const double *r, const double *s, size_t n,
                         double scale)
{
    double rr = 0, ss = 0, dd = 0;
    for (size_t i = 0; i < n; i++) {
        double a = r[i] * scale, b = s[i] * scale, d = a - b;
        rr += a * a;
        ss += b * b;
        dd += d * d;
    }
    return (darc_norms){sqrt(rr) / scale, sqrt(ss) / scale, sqrt(dd) / scale};
}

darc_norms darc_norms_of(const double *r, const double *s, size_t n)
{
    assert(n > 0);
    darc_norms m = scaled(r, s, n, 1);
    double most = m.reference + m.simulation + m.difference;
    /* Squares are safe while no norm comes near sqrt of the range. */
    if (most > 1e-140 && most < 1e140)
        return m;
    double largest = fmax(darc_norms_max(r, n), darc_norms_max(s, n));
    if (largest < 4 * DBL_MIN)
        return m;
    return scaled(r, s, n, 1 / largest);
}

double darc_norms_max(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

double darc_norms_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}
