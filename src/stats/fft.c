#include "stats/fft.h"

#include "base/mem.h"
#include "stats/lanes.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

static const double PI = 3.14159265358979323846;

void darc_fft_plan_init(darc_fft_plan *plan, int n)
{
    assert(n > 0 && (n & (n - 1)) == 0);
    plan->n = n;
    DARC_CALLOC((size_t)n, plan->c, plan->s);
    for (int half = 1; half < n; half *= 2)
        for (int k = 0; k < half; k++) {
            plan->c[half + k] = cos(PI * k / half);
            plan->s[half + k] = -sin(PI * k / half);
        }
}

void darc_fft_plan_clear(darc_fft_plan *plan)
{
    DARC_FREE(plan->c, plan->s);
    *plan = (darc_fft_plan){0};
}

static void bit_reverse(double *re, double *im, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            DARC_SWAP(double, re[i], re[j]);
            DARC_SWAP(double, im[i], im[j]);
        }
    }
}

/* One butterfly pass over blocks of 2*half values. */
DARC_EVERY_WIDTH static void butterflies(double *restrict re,
                                         double *restrict im, int n, int half,
                                         const double *restrict c,
                                         const double *restrict s)
{
    for (int i = 0; i < n; i += 2 * half) {
        double *restrict ar = re + i, *restrict ai = im + i;
        double *restrict br = ar + half, *restrict bi = ai + half;
        for (int k = 0; k < half; k++) {
            double r = br[k] * c[k] - bi[k] * s[k];
            double m = br[k] * s[k] + bi[k] * c[k];
            br[k] = ar[k] - r;
            bi[k] = ai[k] - m;
            ar[k] += r;
            ai[k] += m;
        }
    }
}

/* The passes of half = 1 and 2 in one. */
static void first_passes(double *re, double *im, int n)
{
    for (int i = 0; i + 3 < n; i += 4) {
        double *r = re + i, *m = im + i;
        double ar = r[0] + r[1], ai = m[0] + m[1];
        double br = r[0] - r[1], bi = m[0] - m[1];
        double cr = r[2] + r[3], ci = m[2] + m[3];
        double dr = r[2] - r[3], di = m[2] - m[3];
        r[0] = ar + cr;
        m[0] = ai + ci;
        r[1] = br + di;
        m[1] = bi - dr;
        r[2] = ar - cr;
        m[2] = ai - ci;
        r[3] = br - di;
        m[3] = bi + dr;
    }
}

void darc_fft_run(const darc_fft_plan *plan, double *re, double *im)
{
    int n = plan->n, half = 1;
    bit_reverse(re, im, n);
    if (n >= 4) {
        first_passes(re, im, n);
        half = 4;
    }
    for (; half < n; half *= 2)
        butterflies(re, im, n, half, plan->c + half, plan->s + half);
}
