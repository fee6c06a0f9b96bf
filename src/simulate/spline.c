#include "simulate/spline.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

static double slope(const darc_spline *s, size_t i)
{
    return (s->y[i + 1] - s->y[i]) / (s->t[i + 1] - s->t[i]);
}

/* The tridiagonal equations for m[1 .. n-2]: with h_i = t_(i+1) - t_i,
 * h_(i-1) m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_i m_(i+1) = 6 (d_i - d_(i-1)),
 * the ends replaced by m_0 = m_1 - (h_0/h_1) (m_2 - m_1) and its mirror
 * image (the third derivative does not jump at the second sample). */
static void set_equations(const darc_spline *s, double *low, double *mid,
                          double *up, double *rhs)
{
    size_t n = s->n;
    for (size_t i = 1; i + 1 < n; i++) {
        double h0 = s->t[i] - s->t[i - 1], h1 = s->t[i + 1] - s->t[i];
        low[i] = h0;
        mid[i] = 2 * (h0 + h1);
        up[i] = h1;
        rhs[i] = 6 * (slope(s, i) - slope(s, i - 1));
    }
    double h0 = s->t[1] - s->t[0], h1 = s->t[2] - s->t[1];
    mid[1] += h0 * (1 + h0 / h1);
    up[1] -= h0 * h0 / h1;
    double g0 = s->t[n - 1] - s->t[n - 2], g1 = s->t[n - 2] - s->t[n - 3];
    mid[n - 2] += g0 * (1 + g0 / g1);
    low[n - 2] -= g0 * g0 / g1;
}

static double beyond(const darc_spline *s, size_t end, size_t a, size_t b)
{
    double f = (s->t[end] - s->t[a]) / (s->t[b] - s->t[a]);
    return s->m[a] + f * (s->m[b] - s->m[a]);
}

void darc_spline_init(darc_spline *s, const double *t, const double *y,
                      size_t n)
{
    assert(n >= 2);
    s->n = n;
    s->t = darc_calloc(n, sizeof *s->t);
    s->y = darc_calloc(n, sizeof *s->y);
    memcpy(s->t, t, n * sizeof *t);
    memcpy(s->y, y, n * sizeof *y);
    s->m = darc_calloc(n, sizeof *s->m);
    if (n == 3)
        s->m[0] = s->m[1] = s->m[2] =
            2 * (slope(s, 1) - slope(s, 0)) / (t[2] - t[0]);
    if (n < 4)
        return;
    double *work = darc_calloc(4 * n, sizeof *work);
    double *low = work, *mid = work + n, *up = mid + n, *rhs = up + n;
    set_equations(s, low, mid, up, rhs);
    for (size_t i = 2; i + 1 < n; i++) {
        double f = low[i] / mid[i - 1];
        mid[i] -= f * up[i - 1];
        rhs[i] -= f * rhs[i - 1];
    }
    s->m[n - 2] = rhs[n - 2] / mid[n - 2];
    for (size_t i = n - 2; i-- > 1;)
        s->m[i] = (rhs[i] - up[i] * s->m[i + 1]) / mid[i];
    darc_free(work);
    s->m[0] = beyond(s, 0, 1, 2);
    s->m[n - 1] = beyond(s, n - 1, n - 2, n - 3);
}

void darc_spline_clear(darc_spline *s)
{
    darc_free(s->t);
    darc_free(s->y);
    darc_free(s->m);
    *s = (darc_spline){0};
}

/* Return the piece [t_i, t_(i+1)] of x. */
static size_t locate(const darc_spline *s, double x)
{
    size_t low = 0, high = s->n - 1; /* t[low] <= x < t[high], or an end */
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (x < s->t[mid])
            high = mid;
        else
            low = mid;
    }
    return low;
}

void darc_spline_eval(const darc_spline *s, double x, double out[3])
{
    size_t i = locate(s, x);
    double h = s->t[i + 1] - s->t[i], u = x - s->t[i];
    double m = s->m[i], jump = (s->m[i + 1] - m) / h;
    double first = slope(s, i) - h * (2 * m + s->m[i + 1]) / 6;
    out[0] = s->y[i] + u * (first + u * (m / 2 + u * jump / 6));
    out[1] = first + u * (m + u * jump / 2);
    out[2] = m + u * jump;
}

size_t darc_spline_before(const darc_spline *s, double x)
{
    return x < s->t[s->n - 1] ? locate(s, x) : s->n - 1;
}
