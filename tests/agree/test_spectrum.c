#include "tests.h"

#include "agree/spectrum.h"

#include "draw.h"

#include <math.h>
#include <string.h>

enum { N = 4096 };

static double x[N], y[N];
static darc_err err;

static void white(double *out, size_t n, double sd, uint64_t *state)
{
    for (size_t i = 0; i < n; i++)
        out[i] = sd * draw_normal(state);
}

/* x_t = 0.9 x_(t-1) - 0.5 x_(t-2) + e */
static void second_order(double *out, size_t n, double sd, uint64_t *state)
{
    double a = 0, b = 0;
    for (size_t i = 0; i < n + 200; i++) {
        double v = 0.9 * a - 0.5 * b + sd * draw_normal(state);
        b = a;
        a = v;
        if (i >= 200)
            out[i - 200] = v;
    }
}

/* The integral of the density is the variance (Parseval), here to the
 * statistical error of 15 windowed segments. */
START_TEST(power_of_white_noise)
{
    uint64_t state = 1;
    static double density[257];
    white(x, N, 3, &state);
    darc_spectrum_welch(density, x, N, 0.01, 512);
    double sum = 0;
    for (int k = 0; k < 257; k++)
        sum += density[k] / (512 * 0.01);
    ck_assert_double_eq_tol(sum, 9, 0.6);
    /* 9 / 50 Hz flat */
    double low = 0, high = 0;
    for (int k = 1; k < 128; k++) {
        low += density[k] / 127;
        high += density[k + 128] / 127;
    }
    ck_assert_double_eq_tol(low, 9.0 / 50, 0.02);
    ck_assert_double_eq_tol(high, 9.0 / 50, 0.02);
}
END_TEST

/* A sine of amplitude 2 at a bin has power 2, spread by the Hann window over
 * three bins. */
START_TEST(power_of_a_sine)
{
    static double density[129];
    for (int i = 0; i < N; i++)
        x[i] = 5 + 2 * cos(2 * 3.14159265358979324 * 20 * i / 256);
    darc_spectrum_welch(density, x, N, 0.5, 256);
    double power = (density[19] + density[20] + density[21]) / (256 * 0.5);
    ck_assert_double_eq_tol(power, 2, 1e-9);
    ck_assert(density[25] < 1e-20 && density[0] < 1e-20);
}
END_TEST

/* Equal processes: all 8 bands agree with probability 0.95 at least, and not
 * always (60 trials, 4 standard errors); a change of power in one band is
 * found. */
START_TEST(level_and_power)
{
    uint64_t state = 3;
    int all = 0, found = 0;
    darc_spectra v;
    for (int k = 0; k < 60; k++) {
        second_order(x, 2048, 1, &state);
        second_order(y, 2048, 1, &state);
        ck_assert_int_eq(
            darc_spectra_set(&v, &(darc_matched){x, y, 2048, 0.01}, 0.95, &err),
            DARC_OK);
        ck_assert_int_eq(v.bands, 8);
        all += v.accepted == 8;
        for (int i = 0; i < 2048; i++)
            y[i] *= 1.4;
        ck_assert_int_eq(
            darc_spectra_set(&v, &(darc_matched){x, y, 2048, 0.01}, 0.95, &err),
            DARC_OK);
        found += v.accepted < 8;
    }
    ck_assert_int_ge(all, 50);
    ck_assert_int_ge(found, 58);
    /* In the last trial the ratio is near 1.96 everywhere. */
    for (int k = 0; k < 8; k++)
        ck_assert_double_eq_tol(log(v.band[k].ratio), log(1.96), 0.7);
}
END_TEST

START_TEST(refusals)
{
    darc_spectra v;
    memset(x, 0, sizeof x);
    darc_err_init(&err);
    ck_assert_int_eq(
        darc_spectra_set(&v, &(darc_matched){x, x, 127, 0.01}, 0.95, &err),
        DARC_DATA);
    ck_assert_str_eq(err.message, "127 samples: spectra need 128 at least");
    darc_err_init(&err);
    ck_assert_int_eq(
        darc_spectra_set(&v, &(darc_matched){x, x, N, 0.01}, 0.95, &err),
        DARC_DATA);
    ck_assert_str_eq(err.message, "a constant signal has no spectrum");
    ck_assert_int_eq(v.bands, 0);
}
END_TEST

Suite *suite_spectrum(void)
{
    Suite *s = suite_create("spectrum");
    TCase *c = tcase_create("spectrum");
    tcase_add_test(c, power_of_white_noise);
    tcase_add_test(c, power_of_a_sine);
    tcase_add_test(c, level_and_power);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return s;
}
