#include "agree/theil.h"

#include "agree/thresholds.h"

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

double darc_theil_classical(const double *r, const double *s, size_t n)
{
    darc_norms m = darc_norms_of(r, s, n);
    double both = m.reference + m.simulation;
    return both > 0 ? m.difference / both : 0;
}

double darc_theil_reference(const double *r, const double *s, size_t n)
{
    darc_norms m = darc_norms_of(r, s, n);
    return m.reference > 0 ? m.difference / m.reference : m.difference;
}

double darc_theil_proximity(double coefficient, double lambda)
{
    assert(coefficient >= 0 && lambda > 0);
    return exp(-lambda * coefficient);
}

darc_grey darc_grey_degree(const double *r, const double *s, size_t n,
                           double lambda)
{
    assert(n > 0 && lambda > 0);
    darc_grey g = {1, HUGE_VAL, 0, false};
    for (size_t i = 0; i < n; i++) {
        double d = fabs(r[i] - s[i]);
        g.least = d < g.least ? d : g.least;
        g.most = d > g.most ? d : g.most;
    }
    if (g.most == 0)
        return g;
    double sum = 0, far = lambda * g.most;
    for (size_t i = 0; i < n; i++)
        sum += (g.least + far) / (fabs(r[i] - s[i]) + far);
    g.degree = sum / (double)n;
    g.parallel = g.least >= DARC_GREY_PARALLEL * g.most;
    return g;
}
