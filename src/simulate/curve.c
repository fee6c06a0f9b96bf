#include "simulate/curve.h"

#include "base/mem.h"
#include "simulate/thresholds.h"
#include "stats/columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void darc_sines_init(darc_sines *s, int count)
{
    s->count = count;
    s->offset = 0;
    DARC_CARVE({&s->amplitude, count}, {&s->omega, count}, {&s->phase, count});
}

void darc_sines_clear(darc_sines *s)
{
    darc_free(s->amplitude);
    *s = (darc_sines){0};
}

void darc_sines_road(darc_sines *s, char class, double speed, darc_random *r)
{
    darc_sines_init(s, DARC_ROAD_BANDS);
    double g0 = DARC_ROAD_CLASS_A * pow(4, class - 'A');
    double ratio =
               pow(DARC_ROAD_HIGHEST / DARC_ROAD_LOWEST, 1.0 / DARC_ROAD_BANDS),
           n = DARC_ROAD_LOWEST;
    for (int i = 0; i < DARC_ROAD_BANDS; i++, n *= ratio) {
        /* Power of the band: the integral of G from n to n ratio. */
        double power = g0 * DARC_ROAD_REFERENCE * DARC_ROAD_REFERENCE *
                       (1 / n - 1 / (n * ratio));
        double at = n * pow(ratio, darc_random_uniform(r));
        s->amplitude[i] = sqrt(2 * power);
        s->omega[i] = DARC_TWO_PI * at * speed;
        s->phase[i] = DARC_TWO_PI * darc_random_uniform(r);
    }
    double height;
    darc_sines_eval(s, 0, 0, &height);
    s->offset = -height;
}

/* The k-th derivative of sin is sin, cos, -sin, -cos for k mod 4 = 0 .. 3. */
void darc_sines_eval(const darc_sines *s, double t, int order, double *out)
{
    memset(out, 0, (size_t)(order + 1) * sizeof *out);
    out[0] = s->offset;
    for (int i = 0; i < s->count; i++) {
        double phase = s->omega[i] * t + s->phase[i], a = s->amplitude[i];
        double even = a * sin(phase), odd = order > 0 ? a * cos(phase) : 0;
        for (int k = 0; k <= order; k++) {
            double term = (k & 1) != 0 ? odd : even;
            out[k] += (k & 2) != 0 ? -term : term;
            even *= s->omega[i];
            odd *= s->omega[i];
        }
    }
}

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
    DARC_CARVE({&s->t, (ptrdiff_t)n}, {&s->y, (ptrdiff_t)n},
               {&s->m, (ptrdiff_t)n});
    memcpy(s->t, t, n * sizeof *t);
    memcpy(s->y, y, n * sizeof *y);
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

double darc_spline_piece(const darc_spline *s, double x, double out[4])
{
    size_t i = locate(s, x);
    double h = s->t[i + 1] - s->t[i], u = x - s->t[i];
    double m = s->m[i], jump = (s->m[i + 1] - m) / h;
    double first = slope(s, i) - h * (2 * m + s->m[i + 1]) / 6;
    out[0] = s->y[i] + u * (first + u * (m / 2 + u * jump / 6));
    out[1] = first + u * (m + u * jump / 2);
    out[2] = m + u * jump;
    out[3] = jump;
    return i + 2 < s->n ? s->t[i + 1] : HUGE_VAL;
}

void darc_spline_eval(const darc_spline *s, double x, double out[3])
{
    double piece[4];
    darc_spline_piece(s, x, piece);
    memcpy(out, piece, 3 * sizeof *out);
}

size_t darc_spline_before(const darc_spline *s, double x)
{
    return x < s->t[s->n - 1] ? locate(s, x) : s->n - 1;
}
