#include "base/random.h"

#include <math.h>

static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void darc_random_init(darc_random *r, uint64_t seed, uint64_t stream)
{
    uint64_t a = seed, b = ~stream, x = splitmix(&a) ^ splitmix(&b);
    for (int i = 0; i < 4; i++)
        r->s[i] = splitmix(&x);
    r->has_spare = 0;
    r->spare = 0;
}

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static uint64_t next(darc_random *r)
{
    uint64_t *s = r->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double darc_random_uniform(darc_random *r)
{
    return (double)(next(r) >> 11) * 0x1p-53;
}

void darc_random_signs(darc_random *r, double *x, size_t n)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++, bits >>= 1) {
        if (i % 64 == 0)
            bits = next(r);
        x[i] = bits & 1 ? 1 : -1;
    }
}

double darc_random_normal(darc_random *r)
{
    if (r->has_spare) {
        r->has_spare = 0;
        return r->spare;
    }
    double x, y, q;
    do {
        x = 2 * darc_random_uniform(r) - 1;
        y = 2 * darc_random_uniform(r) - 1;
        q = x * x + y * y;
    } while (q >= 1 || q == 0);
    double f = sqrt(-2 * log(q) / q);
    r->spare = y * f;
    r->has_spare = 1;
    return x * f;
}
