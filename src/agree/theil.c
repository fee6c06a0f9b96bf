#include "agree/theil.h"

#include "agree/norms.h"

#include <assert.h>
#include <math.h>

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
