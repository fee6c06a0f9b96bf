#include "tests.h"

#include "agree/measures.h"

#include <math.h>

enum { N = 2001 };

static double t[N], y[N], v[DARC_FEATURE_COUNT];

/* Unit step response of a second-order system, from 0 to 20 s. */
static void second_order(double damping, double omega, double height)
{
    double d = sqrt(1 - damping * damping), phi = acos(damping);
    for (int i = 0; i < N; i++) {
        t[i] = 0.01 * i;
        y[i] = height * (1 - exp(-damping * omega * t[i]) / d *
                                 sin(omega * d * t[i] + phi));
    }
}

/* Overshoot exp(-pi z / sqrt(1-z^2)), peak time pi / (omega d): textbook
 * formulas of the second-order step response. */
START_TEST(second_order_response)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        second_order(0.4, 3, sign * 2.5);
        darc_feature_extract(v, t, y, N, sign * 2.5);
        double d = sqrt(1 - 0.16), pi = acos(-1);
        ck_assert_double_eq_tol(v[DARC_FEATURE_OVERSHOOT], exp(-pi * 0.4 / d),
                                1e-4);
        ck_assert_double_eq_tol(v[DARC_FEATURE_PEAK_TIME], pi / (3 * d), 0.006);
        ck_assert_double_eq_tol(v[DARC_FEATURE_STEADY_STATE], sign * 2.5, 1e-6);
        ck_assert_double_eq_tol(v[DARC_FEATURE_STEADY_ERROR], 0, 1e-6);
        ck_assert_double_eq_tol(v[DARC_FEATURE_PEAK],
                                sign * 2.5 * (1 + exp(-pi * 0.4 / d)), 1e-3);
        /* By a fine bisection of the formula. */
        ck_assert_double_eq_tol(v[DARC_FEATURE_RISE_TIME], 0.48783, 1e-4);
        ck_assert_double_eq_tol(v[DARC_FEATURE_SETTLING_TIME], 2.80311, 1e-3);
    }
}
END_TEST

/* 1 - exp(-t): rise time log 9, settling time log 50. */
START_TEST(first_order_response)
{
    for (int i = 0; i < N; i++) {
        t[i] = 5 + 0.01 * i;
        y[i] = 7 - 3 * exp(-0.01 * i);
    }
    darc_feature_extract(v, t, y, N, NAN);
    ck_assert_double_eq_tol(v[DARC_FEATURE_RISE_TIME], log(9), 1e-4);
    ck_assert_double_eq_tol(v[DARC_FEATURE_SETTLING_TIME], log(50), 1e-4);
    ck_assert_double_eq_tol(v[DARC_FEATURE_OVERSHOOT], 0, 1e-7);
    ck_assert(isnan(v[DARC_FEATURE_STEADY_ERROR]));
    ck_assert_str_eq(darc_feature_missing(DARC_FEATURE_STEADY_ERROR, v),
                     "no target is given");
}
END_TEST

START_TEST(signals_without_features)
{
    for (int i = 0; i < N; i++) {
        t[i] = 0.01 * i;
        y[i] = sin(t[i]);
    }
    darc_feature_extract(v, t, y, N, 1);
    ck_assert(isnan(v[DARC_FEATURE_RISE_TIME]));
    ck_assert(isnan(v[DARC_FEATURE_STEADY_STATE]));
    ck_assert_str_eq(darc_feature_missing(DARC_FEATURE_OVERSHOOT, v),
                     "the signal does not settle");
    ck_assert_double_eq_tol(fabs(v[DARC_FEATURE_PEAK]), 1, 1e-4);
    for (int i = 0; i < N; i++)
        y[i] = 3;
    darc_feature_extract(v, t, y, N, 4);
    ck_assert(v[DARC_FEATURE_STEADY_STATE] == 3);
    ck_assert(v[DARC_FEATURE_STEADY_ERROR] == 1);
    ck_assert(isnan(v[DARC_FEATURE_RISE_TIME]));
    ck_assert(v[DARC_FEATURE_PEAK_TIME] == 0);
    ck_assert_str_eq(darc_feature_missing(DARC_FEATURE_RISE_TIME, v),
                     "there is no step between the begin and the end");
    darc_feature_extract(v, t, y, 1, 4); /* one sample */
    ck_assert(v[DARC_FEATURE_STEADY_STATE] == 3);
}
END_TEST

/* An impulse that returns to where it began has a peak, and no step. */
START_TEST(there_and_back)
{
    for (int i = 0; i < N; i++) {
        t[i] = 0.01 * i;
        y[i] = -4 * exp(-(t[i] - 3) * (t[i] - 3));
    }
    darc_feature_extract(v, t, y, N, NAN);
    ck_assert(v[DARC_FEATURE_PEAK] == -4);
    ck_assert(v[DARC_FEATURE_PEAK_TIME] == 3);
    ck_assert(isnan(v[DARC_FEATURE_OVERSHOOT]));
}
END_TEST

START_TEST(consistency_of_features)
{
    ck_assert_double_eq_tol(darc_feature_consistency(2, 2.5, 0.5), exp(-0.125),
                            1e-15);
    ck_assert_double_eq_tol(darc_feature_consistency(-2, -1.5, 0.5),
                            exp(-0.125), 1e-15);
    ck_assert_double_eq_tol(darc_feature_consistency(0, 0.5, 0.5), exp(-0.25),
                            1e-15);
    ck_assert(darc_feature_consistency(0, 0, 0.5) == 1);
}
END_TEST

START_TEST(rounding_is_no_overshoot)
{
    for (int i = 0; i < N; i++) {
        t[i] = 0.01 * i;
        y[i] = 2 - 2 * exp(-t[i] / 0.1) + 1e-12 * (i % 2);
    }
    darc_feature_extract(v, t, y, N, NAN);
    ck_assert(v[DARC_FEATURE_OVERSHOOT] == 0);
    ck_assert_double_eq_tol(v[DARC_FEATURE_STEADY_STATE], 2, 1e-9);
}
END_TEST

Suite *suite_feature(void)
{
    Suite *s = suite_create("feature");
    TCase *c = tcase_create("feature");
    tcase_add_test(c, rounding_is_no_overshoot);
    tcase_add_test(c, second_order_response);
    tcase_add_test(c, first_order_response);
    tcase_add_test(c, signals_without_features);
    tcase_add_test(c, there_and_back);
    tcase_add_test(c, consistency_of_features);
    suite_add_tcase(s, c);
    return s;
}
