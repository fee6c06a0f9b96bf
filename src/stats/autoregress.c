#include "stats/autoregress.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The recursion keeps forward and backward prediction errors f, b of order m
 * and the reflection coefficient k = 2 sum f_t b_(t-1) / sum (f_t^2 +
 * b_(t-1)^2), which minimises their sum of squares at order m + 1. */
static double reflection(const double *f, const double *b, size_t m, size_t n)
{
    double num = 0, den = 0;
    for (size_t t = m + 1; t < n; t++) {
        num += f[t] * b[t - 1];
        den += f[t] * f[t] + b[t - 1] * b[t - 1];
    }
    return den > 0 ? 2 * num / den : 0;
}

static void update_errors(double *f, double *b, size_t m, size_t n, double k)
{
    for (size_t t = n - 1; t > m; t--) {
        double ft = f[t];
        f[t] = ft - k * b[t - 1];
        b[t] = b[t - 1] - k * ft;
    }
}

static void update_model(double *a, int m, double k)
{
    double old[DARC_AUTOREGRESS_MOST];
    memcpy(old, a, sizeof old);
    a[m] = k;
    for (int i = 0; i < m; i++)
        a[i] = old[i] - k * old[m - 1 - i];
}

/* Set f and b to x without its mean; return its mean square. */
static double start_errors(double *f, double *b, const double *x, size_t n)
{
    double sum = 0, power = 0;
    for (size_t t = 0; t < n; t++)
        sum += x[t];
    for (size_t t = 0; t < n; t++) {
        f[t] = b[t] = x[t] - sum / (double)n;
        power += f[t] * f[t] / (double)n;
    }
    return power;
}

void darc_autoregress_fit(darc_autoregress *out, const double *x, size_t n,
                          int most, darc_criterion criterion)
{
    assert(most <= DARC_AUTOREGRESS_MOST && n > (size_t)most);
    double *f = darc_malloc(n * sizeof *f), *b = darc_malloc(n * sizeof *b);
    double a[DARC_AUTOREGRESS_MOST] = {0}, least[] = {HUGE_VAL, HUGE_VAL};
    double samples = (double)n, power = start_errors(f, b, x, n), v = power;
    double price[] = {2, log(samples)};
    *out = (darc_autoregress){.variance = v, .samples = samples};
    for (int m = 0; m <= most; m++) {
        for (int c = 0; c < 2; c++) {
            double cost = samples * log(v) + m * price[c];
            if (!(cost < least[c]))
                continue;
            least[c] = cost;
            out->best[c] = m;
            if (c == (int)criterion) {
                out->variance = v;
                memcpy(out->a, a, sizeof a);
            }
        }
        /* A signal predicted to the last digits: higher orders fit rounding. */
        if (m == most || v <= 1e-24 * power)
            break;
        double k = reflection(f, b, (size_t)m, n);
        update_errors(f, b, (size_t)m, n, k);
        update_model(a, m, k);
        v *= 1 - k * k;
        v = v > 1e-30 * power ? v : 1e-30 * power;
    }
    out->order = out->best[criterion];
    DARC_FREE(f, b);
}

void darc_autoregress_floored(darc_autoregress *out, const double *x, size_t n,
                              int order, double floor)
{
    assert(order <= DARC_AUTOREGRESS_MOST && n > (size_t)order);
    double r[DARC_AUTOREGRESS_MOST + 1] = {0};
    for (int k = 0; k <= order; k++)
        for (size_t t = (size_t)k; t < n; t++)
            r[k] += x[t] * x[t - (size_t)k] / (double)n;
    *out = (darc_autoregress){.variance = r[0] * (1 + floor),
                              .samples = (double)n};
    for (int m = 0; m < order && out->variance > 0; m++) {
        double k = r[m + 1];
        for (int i = 0; i < m; i++)
            k -= out->a[i] * r[m - i];
        k /= out->variance;
        update_model(out->a, m, k);
        out->variance *= 1 - k * k;
        out->order = m + 1;
    }
}

/* Set re + i im to A = 1 - sum a_k exp(-i omega k). */
static void transfer(double *re, double *im, const darc_autoregress *m,
                     double omega)
{
    *re = 1;
    *im = 0;
    for (int k = 0; k < m->order; k++) {
        *re -= m->a[k] * cos(omega * (k + 1));
        *im += m->a[k] * sin(omega * (k + 1));
    }
}

double darc_autoregress_gain(const darc_autoregress *m, double omega)
{
    double re, im;
    transfer(&re, &im, m, omega);
    return re * re + im * im;
}

/* Return the square of the product of the upper triangular Toeplitz matrix
 * whose first row is r and the vector g. */
static double toeplitz_square(const double *r, const double *g, int p)
{
    double sum = 0;
    for (int i = 0; i < p; i++) {
        double row = 0;
        for (int k = i; k < p; k++)
            row += r[k - i] * g[k];
        sum += row * row;
    }
    return sum;
}

/* The relative variance at one frequency, g_k = 2 Re(exp(-i omega k) / A). */
static double doubt_at(const darc_autoregress *m, double omega)
{
    int p = m->order;
    double g[DARC_AUTOREGRESS_MOST], r[DARC_AUTOREGRESS_MOST] = {1};
    double s[DARC_AUTOREGRESS_MOST], re, im;
    transfer(&re, &im, m, omega);
    for (int k = 0; k < p; k++) {
        double c = cos(omega * (k + 1)), d = sin(omega * (k + 1));
        g[k] = 2 * (c * re - d * im) / (re * re + im * im);
        s[k] = -m->a[p - 1 - k];
        if (k + 1 < p)
            r[k + 1] = -m->a[k];
    }
    return (2 + toeplitz_square(r, g, p) - toeplitz_square(s, g, p)) /
           m->samples;
}

double darc_autoregress_doubt(const darc_autoregress *m, double low,
                              double high)
{
    enum { POINTS = 16 };
    double sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += doubt_at(m, low + (i + 0.5) / POINTS * (high - low));
    return sum / POINTS;
}

int darc_autoregress_kernel(double *kernel, int most, const darc_autoregress *m)
{
    assert(most > 0);
    double energy = 0, tail = 0;
    int taps = most;
    for (int j = 0; j < most; j++) {
        kernel[j] = j == 0 ? sqrt(m->variance) : 0;
        for (int k = 0; k < m->order && k < j; k++)
            kernel[j] += m->a[k] * kernel[j - 1 - k];
        energy += kernel[j] * kernel[j];
    }
    while (taps > 1 &&
           tail + kernel[taps - 1] * kernel[taps - 1] <= 1e-4 * energy) {
        taps--;
        tail += kernel[taps] * kernel[taps];
    }
    return taps;
}
