#include "derive/fdweights.h"

#include "base/limits.h"
#include "base/mem.h"
#include "derive/differ.h"

#include <assert.h>
#include <string.h>

/* One step of [For88]: from the weights on x[0 .. i-1] to those on
 * x[0 .. i]; *c1 is the product of x[i-1] - x[j], j < i-1. */
static void fornberg_step(long double *w, int orders, darc_fdpoints at, int i,
                          long double *c1)
{
    const long double *x = at.x;
    int top = i < orders ? i : orders, n = at.n;
    long double c2 = 1, c4 = x[i - 1] - at.z, c5 = x[i] - at.z;
    for (int j = 0; j < i; j++) {
        long double c3 = x[i] - x[j];
        c2 *= c3;
        if (j == i - 1) {
            for (int k = top; k > 0; k--)
                w[k * n + i] =
                    *c1 * (k * w[(k - 1) * n + i - 1] - c4 * w[k * n + i - 1]) /
                    c2;
            w[i] = -*c1 * c4 * w[i - 1] / c2;
        }
        for (int k = top; k > 0; k--)
            w[k * n + j] = (c5 * w[k * n + j] - k * w[(k - 1) * n + j]) / c3;
        w[j] = c5 * w[j] / c3;
    }
    *c1 = c2;
}

void darc_fdweights_long(long double *w, int orders, darc_fdpoints at)
{
    assert(orders >= 0 && orders < at.n);
    for (int i = 0; i < (orders + 1) * at.n; i++)
        w[i] = 0;
    w[0] = 1;
    long double c1 = 1;
    for (int i = 1; i < at.n; i++)
        fornberg_step(w, orders, at, i, &c1);
}

void darc_fdweights(double *w, int orders, double z, const double *x, int n)
{
    size_t count = (size_t)(orders + 1) * (size_t)n;
    long double *lw = darc_calloc(count + (size_t)n, sizeof *lw);
    long double *lx = lw + count;
    for (int j = 0; j < n; j++)
        lx[j] = x[j];
    darc_fdweights_long(lw, orders, (darc_fdpoints){lx, n, z});
    for (size_t i = 0; i < count; i++)
        w[i] = (double)lw[i];
    darc_free(lw);
}

static long double dot(const long double *a, const long double *b, int n)
{
    long double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

/* Derivatives 0 .. orders of p_j and p_(j-1) at z, and the step to p_(j+1):
 * p_(j+1)^(k) = (z - a) p_j^(k) + k p_j^(k-1) - b p_(j-1)^(k). */
typedef struct {
    long double now[DARC_MAX_SG_DEGREE + 1], before[DARC_MAX_SG_DEGREE + 1];
} jets;

static void jets_step(jets *p, int orders, long double za, long double b)
{
    for (int k = orders; k >= 0; k--) {
        long double next = za * p->now[k] - b * p->before[k];
        if (k > 0)
            next += k * p->now[k - 1];
        p->before[k] = p->now[k];
        p->now[k] = next;
    }
}

void darc_fdweights_fit(long double *w, int orders, int degree,
                        darc_fdpoints at, long double *work)
{
    int n = at.n;
    assert(orders <= degree && degree < n && degree <= DARC_MAX_SG_DEGREE);
    long double *now = work, *before = work + n, *xp = work + 2 * n;
    jets p = {.now = {1}};
    long double norm_before = 1;
    for (int i = 0; i < (orders + 1) * n; i++)
        w[i] = 0;
    for (int i = 0; i < n; i++) {
        now[i] = 1;
        before[i] = 0;
    }
    for (int j = 0; j <= degree; j++) {
        long double norm = dot(now, now, n);
        for (int k = 0; k <= orders; k++)
            for (int i = 0; i < n; i++)
                w[k * n + i] += p.now[k] / norm * now[i];
        for (int i = 0; i < n; i++)
            xp[i] = at.x[i] * now[i];
        long double a = dot(xp, now, n) / norm;
        long double b = j == 0 ? 0 : norm / norm_before;
        for (int i = 0; i < n; i++) {
            long double next = xp[i] - a * now[i] - b * before[i];
            before[i] = now[i];
            now[i] = next;
        }
        jets_step(&p, orders, at.z - a, b);
        norm_before = norm;
    }
}
