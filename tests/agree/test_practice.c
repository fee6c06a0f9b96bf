#include "tests.h"

#include "agree/measures.h"

#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400 };

static double r[N], s[N];
static darc_iso18571 v;

static double pulse(double t)
{
    return exp(-(t - 2) * (t - 2) * 4) - 0.4 * exp(-(t - 2.7) * (t - 2.7) * 9);
}

static void shifted_by(int samples, double gain)
{
    for (int i = 0; i < N; i++) {
        r[i] = pulse(0.01 * i);
        s[i] = gain * pulse(0.01 * (i - samples));
    }
}

START_TEST(errors_by_hand)
{
    static const double a[] = {1, 3, 2, 6}, b[] = {1, 2, 4, 6};
    darc_errors e;
    darc_practice_errors(&e, a, b, 4, NAN);
    ck_assert_double_eq_tol(e.rms, sqrt(5.0 / 4), 1e-15);
    ck_assert_double_eq_tol(e.nrmse, sqrt(5.0 / 4) / 5, 1e-15);
    ck_assert(e.max_error == 2 && e.at == 2);
    ck_assert_double_eq_tol(e.r_squared, 1 - 5.0 / 14, 1e-14);
    darc_practice_errors(&e, a, b, 4, 10);
    ck_assert_double_eq_tol(e.nrmse, sqrt(5.0 / 4) / 10, 1e-15);
}
END_TEST

START_TEST(constant_reference)
{
    static const double a[] = {2, 2, 2}, b[] = {2, 3, 2};
    darc_errors e;
    darc_practice_errors(&e, a, b, 3, NAN);
    ck_assert(isnan(e.nrmse) && isnan(e.r_squared));
    ck_assert(e.max_error == 1 && e.at == 1);
}
END_TEST

START_TEST(equal_signals_rate_one)
{
    shifted_by(0, 1);
    darc_practice_iso18571(&v, &(darc_matched){r, s, N, 0.01}, NAN);
    ck_assert_double_eq_tol(v.rating, 1, 1e-12);
    ck_assert_str_eq(v.grade, "excellent");
    ck_assert(v.shift == 0 && v.points == N && v.undefined == NULL);
}
END_TEST

/* A pure delay: phase 1 - (k / N) / .2, magnitude and slope stay 1. */
START_TEST(delay)
{
    for (int k = -30; k <= 30; k += 15) {
        shifted_by(k, 1);
        darc_practice_iso18571(&v, &(darc_matched){r, s, N, 0.01}, NAN);
        ck_assert_double_eq_tol(v.phase, 1 - abs(k) / 80.0, 1e-12);
        ck_assert_double_eq_tol(v.shift, 0.01 * k, 1e-4);
        ck_assert_double_eq_tol(v.magnitude, 1, 1e-9);
        ck_assert_double_eq_tol(v.slope, 1, 1e-9);
        ck_assert(k == 0 || v.corridor < 1);
    }
    shifted_by(100, 1); /* beyond 20 % */
    darc_practice_iso18571(&v, &(darc_matched){r, s, N, 0.01}, NAN);
    ck_assert(v.phase == 0 || v.magnitude < 0.5);
}
END_TEST

/* Gain 1.3: warping cannot lower the peak, slopes differ by 30 %. */
START_TEST(gain)
{
    shifted_by(0, 1.3);
    darc_practice_iso18571(&v, &(darc_matched){r, s, N, 0.01}, NAN);
    ck_assert(v.phase == 1);
    ck_assert_double_eq_tol(v.slope, (2 - 0.3) / 2, 1e-12);
    ck_assert(v.magnitude < 1 && v.magnitude > (0.5 - 0.3) / 0.5 - 1e-12);
    double before = v.rating;
    shifted_by(0, 1.6);
    darc_practice_iso18571(&v, &(darc_matched){r, s, N, 0.01}, NAN);
    ck_assert(v.rating < before);
}
END_TEST

/* Corridor by its formula: a constant offset of 20 % of the peak gives
 * ((.5 - .2) / .45)^2 everywhere. */
START_TEST(corridor_of_an_offset)
{
    shifted_by(0, 1);
    double top = 0;
    for (int i = 0; i < N; i++)
        top = fmax(top, fabs(r[i]));
    for (int i = 0; i < N; i++)
        s[i] = r[i] + 0.2 * top;
    darc_practice_iso18571(&v, &(darc_matched){r, s, N, 0.01}, NAN);
    ck_assert_double_eq_tol(v.corridor, 4.0 / 9, 1e-9);
    ck_assert(v.phase == 1);
    ck_assert_double_eq_tol(v.slope, 1, 1e-9);
    darc_practice_iso18571(&v, &(darc_matched){r, s, N, 0.01},
                           5 * top); /* 4 %: inside */
    ck_assert(v.corridor == 1);
}
END_TEST

START_TEST(long_signals_are_averaged)
{
    static double a[9001], b[9001];
    for (int i = 0; i < 9001; i++) {
        a[i] = pulse(i / 2250.0);
        b[i] = pulse((i - 450) / 2250.0);
    }
    darc_practice_iso18571(&v, &(darc_matched){a, b, 9001, 1 / 2250.0}, NAN);
    ck_assert_uint_eq(v.points, 1800);
    ck_assert_double_eq_tol(v.shift, 0.2, 1e-3);
}
END_TEST

START_TEST(undefined_ratings)
{
    memset(r, 0, sizeof r);
    shifted_by(0, 1);
    darc_practice_iso18571(&v, &(darc_matched){r, s, 19, 0.01}, NAN);
    ck_assert_str_eq(v.undefined, "fewer than 20 samples");
    memset(r, 0, sizeof r);
    darc_practice_iso18571(&v, &(darc_matched){r, s, N, 0.01}, NAN);
    ck_assert_str_eq(v.undefined,
                     "the reference is zero: give a nominal value");
    darc_practice_iso18571(&v, &(darc_matched){r, s, N, 0.01}, 100);
    ck_assert_str_eq(v.undefined, "a constant signal has no phase");
    ck_assert(isnan(v.rating) && v.corridor == 1);
}
END_TEST

/* 0 <= every part <= 1, whatever the signals. */
START_TEST(bounds_on_random_signals)
{
    uint64_t state = 5;
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < N; i++) {
            r[i] = draw_normal(&state);
            s[i] = k * draw_normal(&state);
        }
        s[0] += 1;
        darc_practice_iso18571(&v, &(darc_matched){r, s, 60, 0.01}, NAN);
        const double part[] = {v.corridor, v.phase, v.magnitude, v.slope,
                               v.rating};
        for (int i = 0; i < 5; i++)
            ck_assert(part[i] >= 0 && part[i] <= 1);
    }
}
END_TEST

Suite *suite_practice(void)
{
    Suite *suite = suite_create("practice");
    TCase *c = tcase_create("practice");
    tcase_add_test(c, errors_by_hand);
    tcase_add_test(c, constant_reference);
    tcase_add_test(c, equal_signals_rate_one);
    tcase_add_test(c, delay);
    tcase_add_test(c, gain);
    tcase_add_test(c, corridor_of_an_offset);
    tcase_add_test(c, long_signals_are_averaged);
    tcase_add_test(c, undefined_ratings);
    tcase_add_test(c, bounds_on_random_signals);
    suite_add_tcase(suite, c);
    return suite;
}
