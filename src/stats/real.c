#include "stats/real.h"

#include <math.h>

/* Beyond any exponent of a double. */
enum { FAR = 5000 };

double darc_real(const fmpz_t num, const fmpz_t den)
{
    slong above, below;
    double x = fmpz_get_d_2exp(&above, num);
    x /= fmpz_get_d_2exp(&below, den);
    slong e = above - below;
    return ldexp(x, e > FAR ? FAR : e < -FAR ? -FAR : (int)e);
}

double darc_real_integer(const fmpz_t n)
{
    slong e;
    double x = fmpz_get_d_2exp(&e, n);
    return ldexp(x, e > FAR ? FAR : (int)e);
}
