#include "tests.h"

#include "draw.h"
#include "stats/autoregress.h"

#include <math.h>
#include <string.h>

enum { N = 4096 };

static const double PI = 3.14159265358979323846;
static double x[N];

/* x_t = 0.9 x_(t-1) - 0.5 x_(t-2) + e + 5 */
static void second_order(size_t n, double sd, uint64_t seed)
{
    double a = 0, b = 0;
    for (size_t i = 0; i < n + 200; i++) {
        double v = 0.9 * a - 0.5 * b + sd * draw_normal(&seed);
        b = a;
        a = v;
        if (i >= 200)
            x[i - 200] = v + 5;
    }
}

START_TEST(the_model_is_found)
{
    darc_autoregress m;
    second_order(N, 1.5, 2);
    darc_autoregress_fit(&m, x, N, 40, DARC_BY_MDL);
    ck_assert_int_eq(m.order, 2);
    ck_assert_int_eq(m.best[DARC_BY_MDL], 2);
    ck_assert_int_ge(m.best[DARC_BY_AIC], 2);
    ck_assert_double_eq(m.samples, N);
    /* Standard error sqrt((1 - .25) / N) = 0.0135. */
    ck_assert_double_eq_tol(m.a[0], 0.9, 0.05);
    ck_assert_double_eq_tol(m.a[1], -0.5, 0.05);
    ck_assert_double_eq_tol(m.variance, 2.25, 0.2);
    int by_mdl = m.best[DARC_BY_AIC];
    darc_autoregress_fit(&m, x, N, 40, DARC_BY_AIC);
    ck_assert_int_eq(m.order, by_mdl);
    darc_autoregress_fit(&m, x, N, 0, DARC_BY_AIC);
    ck_assert_int_eq(m.order, 0);
}
END_TEST

/* Burg's coefficients without a recursion of the prediction errors: these are
 * evaluated from the samples at every order. */
static void burg_directly(long double *a, int order, size_t n)
{
    long double mean = 0;
    for (size_t t = 0; t < n; t++)
        mean += x[t] / (long double)n;
    for (int m = 0; m < order; m++) {
        long double num = 0, den = 0, old[40];
        for (size_t t = (size_t)m + 1; t < n; t++) {
            long double f = x[t] - mean, b = x[t - 1 - (size_t)m] - mean;
            for (int k = 0; k < m; k++) {
                f -= a[k] * (x[t - 1 - (size_t)k] - mean);
                b -= a[k] * (x[t - (size_t)(m - k)] - mean);
            }
            num += 2 * f * b;
            den += f * f + b * b;
        }
        memcpy(old, a, sizeof old);
        a[m] = num / den;
        for (int k = 0; k < m; k++)
            a[k] = old[k] - a[m] * old[m - 1 - k];
    }
}

START_TEST(coefficients_are_those_of_a_direct_evaluation)
{
    darc_autoregress m;
    long double a[40] = {0};
    second_order(300, 0.01, 7);
    darc_autoregress_fit(&m, x, 300, 25, DARC_BY_AIC);
    ck_assert_int_ge(m.order, 2);
    burg_directly(a, m.order, 300);
    for (int k = 0; k < m.order; k++)
        ck_assert_double_eq_tol(m.a[k], (double)a[k], 1e-10);
}
END_TEST

START_TEST(a_sine_and_a_constant_end_the_recursion)
{
    darc_autoregress m;
    for (int i = 0; i < 500; i++)
        x[i] = sin(0.3 * i);
    darc_autoregress_fit(&m, x, 500, 40, DARC_BY_MDL);
    ck_assert(isfinite(m.variance) && m.variance > 0);
    for (int i = 0; i < m.order; i++)
        ck_assert(isfinite(m.a[i]));
    for (int i = 0; i < 500; i++)
        x[i] = 2.5;
    darc_autoregress_fit(&m, x, 500, 40, DARC_BY_AIC);
    ck_assert_int_eq(m.order, 0);
    ck_assert_double_eq(m.variance, 0);
}
END_TEST

/* |sum kernel_j exp(-i omega j)|^2 is the density variance / gain, up to what
 * was cut. */
START_TEST(gain_and_kernel_are_one_spectrum)
{
    static double kernel[N];
    darc_autoregress m = {.order = 2, .a = {0.9, -0.5}, .variance = 2.25};
    int taps = darc_autoregress_kernel(kernel, N, &m);
    double energy = 0, whole = 2.25 * 1.5 / (0.5 * (1.5 * 1.5 - 0.81));
    for (int j = 0; j < taps; j++)
        energy += kernel[j] * kernel[j];
    ck_assert_double_eq(kernel[0], 1.5);
    ck_assert_double_lt(energy, whole);
    ck_assert_double_gt(energy, (1 - 1e-4) * whole);
    ck_assert_double_lt(energy - pow(kernel[taps - 1], 2), (1 - 1e-4) * whole);
    for (int i = 0; i < 7; i++) {
        double w = 0.385 + 0.4 * i, re = 0, im = 0;
        for (int j = 0; j < taps; j++) {
            re += kernel[j] * cos(w * j);
            im -= kernel[j] * sin(w * j);
        }
        double density = 2.25 / darc_autoregress_gain(&m, w);
        ck_assert_double_eq_tol(re * re + im * im, density, 0.03 * 1.5 * 3.5);
    }
    ck_assert_int_eq(darc_autoregress_kernel(kernel, 3, &m), 3);
    ck_assert_double_eq_tol(kernel[2], 1.5 * (0.81 - 0.5), 1e-15);
    m.order = 0;
    ck_assert_int_eq(darc_autoregress_kernel(kernel, N, &m), 1);
}
END_TEST

/* Of no use beyond order 0, p coefficients add 2 cos^2 each: (2 + 2p) / n on
 * the average over all frequencies.  One pole a at frequency w has the
 * covariance 1 - a^2 and the gradient 2 Re(1 / (exp(iw) - a)). */
START_TEST(doubt_is_that_of_the_covariance)
{
    darc_autoregress m = {.order = 5, .variance = 3, .samples = 1000};
    ck_assert_double_eq_tol(darc_autoregress_doubt(&m, 0, PI), 12e-3, 1e-15);
    m.order = 1;
    m.a[0] = 0.9;
    double w = 0.285, q = 1 - 2 * 0.9 * cos(w) + 0.81;
    double g = 2 * (cos(w) - 0.9) / q;
    ck_assert_double_eq_tol(darc_autoregress_doubt(&m, w, w),
                            (2 + 0.19 * g * g) / 1000, 1e-15);
}
END_TEST

/* The same by experiment: 400 models of 500 samples. */
START_TEST(doubt_is_the_variance_of_estimates)
{
    enum { RUNS = 400 };
    double sum = 0, square = 0, doubt = 0, w = 0.9;
    for (int i = 0; i < RUNS; i++) {
        darc_autoregress m;
        second_order(500, 1, 100 + (uint64_t)i);
        darc_autoregress_fit(&m, x, 500, 2, DARC_BY_AIC);
        double s = log(m.variance / darc_autoregress_gain(&m, w));
        sum += s / RUNS;
        square += s * s / RUNS;
        doubt += darc_autoregress_doubt(&m, w, w) / RUNS;
    }
    double variance = square - sum * sum; /* known to 7 % */
    ck_assert_double_eq_tol(doubt, variance, 0.25 * variance);
}
END_TEST

Suite *suite_autoregress(void)
{
    Suite *s = suite_create("autoregress");
    TCase *c = tcase_create("autoregress");
    tcase_add_test(c, the_model_is_found);
    tcase_add_test(c, coefficients_are_those_of_a_direct_evaluation);
    tcase_add_test(c, a_sine_and_a_constant_end_the_recursion);
    tcase_add_test(c, gain_and_kernel_are_one_spectrum);
    tcase_add_test(c, doubt_is_that_of_the_covariance);
    tcase_add_test(c, doubt_is_the_variance_of_estimates);
    suite_add_tcase(s, c);
    return s;
}
