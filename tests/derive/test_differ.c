#include "tests.h"

#include "base/mem.h"
#include "derive/differ.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 400

/* A table of one signal without gaps; samples at t0 + i dt, or at `time`. */
typedef struct {
    double time[SAMPLES], value[SAMPLES];
    darc_signal signal;
    darc_segment segment[3];
    darc_table table;
} recording;

static double wave(double t, int k)
{
    double shift = k * acos(0);
    return pow(7, k) * sin(7 * t + shift) +
           0.3 * pow(19, k) * sin(19 * t + 1 + shift);
}

static void make_recording(recording *r, double dt, bool uniform)
{
    static char name[] = "y", unit[] = "m";
    for (int i = 0; i < SAMPLES; i++) {
        double jitter = uniform ? 0 : 0.3 * sin(2.385 * i);
        r->time[i] = 0.5 + dt * (i + jitter);
        r->value[i] = wave(r->time[i], 0);
    }
    r->signal = (darc_signal){name, unit, r->value};
    r->segment[0] = (darc_segment){0, SAMPLES};
    r->table = (darc_table){.samples = SAMPLES,
                            .time = uniform ? NULL : r->time,
                            .t0 = 0.5,
                            .dt = uniform ? dt : 0,
                            .signals = 1,
                            .signal = &r->signal,
                            .segments = 1,
                            .segment = r->segment};
}

static double rms_error(const recording *r, const char *text, int k)
{
    static double value[SAMPLES];
    darc_diff_spec spec;
    ck_assert_int_eq(darc_diff_spec_parse(&spec, text, NULL), DARC_OK);
    ck_assert_int_eq(darc_differ_signal((darc_differentiated){.value = value},
                                        &r->table, 0, k, &spec, NULL),
                     DARC_OK);
    double sum = 0;
    int n = 0;
    for (int i = 0; i < SAMPLES; i++)
        if (!isnan(value[i])) {
            double e = value[i] - wave(r->time[i], k);
            sum += e * e;
            n++;
        }
    ck_assert_int_gt(n, SAMPLES / 2);
    return sqrt(sum / n);
}

/* The weights in double. */
static void set_weights(double *w, int orders, double z, const double *x, int n)
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

/* Published rows of [For88], table 1, and 4, 6 by symmetry. */
START_TEST(weights_as_published)
{
    const double x[] = {-2, -1, 0, 1, 2};
    const double w[3][5] = {{0, 0, 1, 0, 0},
                            {1 / 12., -2 / 3., 0, 2 / 3., -1 / 12.},
                            {-1 / 12., 4 / 3., -5 / 2., 4 / 3., -1 / 12.}};
    double got[15];
    set_weights(got, 2, 0, x, 5);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 5; j++)
            ck_assert_double_eq_tol(got[5 * k + j], w[k][j], 1e-16);
}
END_TEST

/* Weights are exact on monomials of degree < n, at uneven points. */
START_TEST(weights_exact_on_polynomials)
{
    const double x[] = {-1.9, -1.2, -0.1, 0.4, 1.7, 2.385, 3.1};
    const double z = 0.35;
    double w[4 * 7];
    set_weights(w, 3, z, x, 7);
    for (int k = 0; k <= 3; k++)
        for (int d = 0; d < 7; d++) {
            double want = d < k ? 0 : pow(z, d - k), got = 0, size = 0;
            for (int i = 0; i < k; i++)
                want *= d - i;
            for (int j = 0; j < 7; j++) {
                got += w[7 * k + j] * pow(x[j], d);
                size += fabs(w[7 * k + j] * pow(x[j], d));
            }
            ck_assert_double_eq_tol(got, want, 1e-14 * (size + 1));
        }
}
END_TEST

/* Fitting a polynomial of degree n-1 to n points is interpolation. */
START_TEST(fit_meets_interpolation)
{
    long double x[9], a[5 * 9], b[5 * 9], work[27];
    for (int j = 0; j < 9; j++)
        x[j] = j - 4 + 0.2L * sinl(2.385L * j);
    darc_fdweights_long(a, 4, (darc_fdpoints){x, 9, 0.1L});
    darc_fdweights_fit(b, 4, 8, (darc_fdpoints){x, 9, 0.1L}, work);
    for (int i = 0; i < 45; i++)
        ck_assert_double_eq_tol((double)a[i], (double)b[i], 1e-14);
}
END_TEST

/* Savitzky and Golay 1964: quadratic, 5 points: value -3 12 17 12 -3 / 35,
 * slope -2 -1 0 1 2 / 10. */
START_TEST(fit_as_published)
{
    const double value[] = {-3, 12, 17, 12, -3};
    long double x[] = {-2, -1, 0, 1, 2}, w[10], work[15];
    darc_fdweights_fit(w, 1, 2, (darc_fdpoints){x, 5, 0}, work);
    for (int j = 0; j < 5; j++) {
        ck_assert_double_eq_tol((double)w[j], value[j] / 35, 1e-16);
        ck_assert_double_eq_tol((double)w[5 + j], (j - 2) / 10., 1e-16);
    }
}
END_TEST

/* Halving dt divides the error by 2^order; so the order is what it claims.
 * On an uneven grid an even derivative loses one order. */
START_TEST(orders_as_claimed)
{
    static recording coarse, fine;
    for (int uneven = 0; uneven < 2; uneven++)
        for (int k = 1; k <= 4; k++)
            for (int p = 2; p <= 6; p += 2) {
                char text[32];
                snprintf(text, sizeof text, "central%d", p);
                make_recording(&coarse, 0.02, !uneven);
                make_recording(&fine, 0.01, !uneven);
                double ratio =
                    rms_error(&coarse, text, k) / rms_error(&fine, text, k);
                double order = p - (uneven && k % 2 == 0);
                ck_assert_double_eq_tol(log2(ratio), order, 0.45);
            }
}
END_TEST

START_TEST(fit_on_both_grids)
{
    static recording r;
    for (int uneven = 0; uneven < 2; uneven++) {
        make_recording(&r, 0.002, !uneven);
        double size = pow(19, 2);
        ck_assert_double_lt(rms_error(&r, "sg:21,4", 2), 2e-3 * size);
        ck_assert_double_lt(rms_error(&r, "sg:21,6", 2), 2e-5 * size);
    }
}
END_TEST

/* The difference of two rungs is the error of the lower one. */
START_TEST(truncation_is_estimated)
{
    static recording r;
    static double value[SAMPLES], truncation[SAMPLES];
    static const char *const spec_text[] = {"central2", "central4", "sg:15,3"};
    make_recording(&r, 0.004, true);
    for (int s = 0; s < 3; s++) {
        darc_diff_spec spec;
        ck_assert_int_eq(darc_diff_spec_parse(&spec, spec_text[s], NULL), 0);
        ck_assert_int_eq(
            darc_differ_signal((darc_differentiated){value, truncation, NULL},
                               &r.table, 0, 1, &spec, NULL),
            0);
        double error = 0, off = 0;
        for (int i = 20; i < SAMPLES - 20; i++) {
            double e = value[i] - wave(r.time[i], 1);
            error += e * e;
            off += (e - truncation[i]) * (e - truncation[i]);
        }
        ck_assert_double_lt(off, 0.01 * error);
    }
}
END_TEST

/* The gain is the standard deviation of the derivative of unit noise. */
START_TEST(gain_is_that_of_noise)
{
    static recording r;
    static double value[SAMPLES], gain[SAMPLES];
    for (int uneven = 0; uneven < 2; uneven++) {
        make_recording(&r, 0.01, !uneven);
        unsigned long state = 1;
        for (int i = 0; i < SAMPLES; i++) {
            r.value[i] = 0;
            for (int j = 0; j < 12; j++) {
                state = state * 6364136223846793005UL + 1442695040888963407UL;
                r.value[i] += (double)(state >> 11) * 0x1p-53 - 0.5;
            }
        }
        darc_diff_spec spec;
        spec = (darc_diff_spec){.kind = DARC_DIFF_CENTRAL, .order = 4};
        ck_assert_int_eq(
            darc_differ_signal((darc_differentiated){value, NULL, gain},
                               &r.table, 0, 2, &spec, NULL),
            0);
        double sum = 0;
        for (int i = 2; i < SAMPLES - 2; i++)
            sum += value[i] * value[i] / (gain[i] * gain[i]);
        ck_assert_double_eq_tol(sum / (SAMPLES - 4), 1, 0.25);
    }
}
END_TEST

/* Nothing is taken across a gap or from one side. */
START_TEST(gaps_and_ends_are_trimmed)
{
    static recording r;
    static double value[SAMPLES];
    make_recording(&r, 0.01, true);
    r.segment[0] = (darc_segment){0, 100};
    r.segment[1] = (darc_segment){103, 108};
    r.segment[2] = (darc_segment){110, SAMPLES};
    r.table.segments = 3;
    for (int i = 100; i < 103; i++)
        r.value[i] = NAN;
    darc_diff_spec spec;
    spec = (darc_diff_spec){.kind = DARC_DIFF_CENTRAL, .order = 4};
    ck_assert_int_eq(darc_differ_signal((darc_differentiated){.value = value},
                                        &r.table, 0, 3, &spec, NULL),
                     0);
    for (int i = 0; i < SAMPLES; i++) {
        bool inside = (i >= 3 && i < 97) || (i >= 113 && i < SAMPLES - 3);
        ck_assert_int_eq(!isnan(value[i]), inside);
    }
}
END_TEST

START_TEST(specs_read_back)
{
    static const char *const good[] = {"central2", "central4", "central6",
                                       "sg:11,3", "sg:9999,20"};
    static const char *const bad[] = {
        "central3",   "central",   "sg:10,3", "sg:3,3",     "sg:11",
        "sg:11,0",    "sg:11,21",  "sg:",     "sg:11,3x",   "",
        "sg:99999,3", "central4 ", "sg:-5,3", "sg:999999,3"};
    darc_diff_spec spec, before;
    char text[32];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ck_assert_int_eq(darc_diff_spec_parse(&spec, good[i], NULL), DARC_OK);
        if (spec.kind == DARC_DIFF_CENTRAL)
            snprintf(text, sizeof text, "central%d", spec.order);
        else
            snprintf(text, sizeof text, "sg:%d,%d", spec.window, spec.degree);
        ck_assert_str_eq(text, good[i]);
    }
    before = spec;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        darc_err err;
        darc_err_init(&err);
        ck_assert_int_eq(darc_diff_spec_parse(&spec, bad[i], &err),
                         DARC_DOMAIN);
        ck_assert_ptr_nonnull(strstr(err.message, bad[i]));
        ck_assert_int_eq(memcmp(&spec, &before, sizeof spec), 0);
    }
}
END_TEST

START_TEST(degree_must_reach_the_derivative)
{
    static recording r;
    static double value[SAMPLES];
    darc_diff_spec spec;
    darc_err err;
    make_recording(&r, 0.01, true);
    darc_err_init(&err);
    ck_assert_int_eq(darc_diff_spec_parse(&spec, "sg:11,2", NULL), DARC_OK);
    ck_assert_int_eq(darc_differ_signal((darc_differentiated){.value = value},
                                        &r.table, 0, 3, &spec, &err),
                     DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "degree 2 has no derivative"));
}
END_TEST

Suite *suite_differ(void)
{
    Suite *s = suite_create("differ");
    TCase *c = tcase_create("differ");
    tcase_add_test(c, weights_as_published);
    tcase_add_test(c, weights_exact_on_polynomials);
    tcase_add_test(c, fit_meets_interpolation);
    tcase_add_test(c, fit_as_published);
    tcase_add_test(c, orders_as_claimed);
    tcase_add_test(c, fit_on_both_grids);
    tcase_add_test(c, truncation_is_estimated);
    tcase_add_test(c, gain_is_that_of_noise);
    tcase_add_test(c, gaps_and_ends_are_trimmed);
    tcase_add_test(c, specs_read_back);
    tcase_add_test(c, degree_must_reach_the_derivative);
    suite_add_tcase(s, c);
    return s;
}
