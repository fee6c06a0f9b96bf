#include "tests.h"

#include "agree/runs.h"

#include "draw.h"

#include <math.h>

static darc_err err;
static darc_interval v;

static void setup(void)
{
    darc_err_init(&err);
}

/* Differences 1 2 3 4: mean 2.5, sd sqrt(5/3), t(.975, 3) = 3.182446. */
START_TEST(paired_by_hand)
{
    static const double r[] = {5, 4, 7, 6}, s[] = {6, 6, 10, 10};
    ck_assert_int_eq(darc_interval_paired(&v, (darc_runs){r, 4},
                                          (darc_runs){s, 4}, 0.95, 6, &err),
                     DARC_OK);
    double half = 3.182446305284263 * sqrt(5.0 / 3 / 4);
    ck_assert_double_eq_tol(v.difference, 2.5, 1e-15);
    ck_assert_double_eq_tol(v.low, 2.5 - half, 1e-12);
    ck_assert_double_eq_tol(v.high, 2.5 + half, 1e-12);
    ck_assert(!v.zero_inside && v.within);
    ck_assert_int_eq(darc_interval_paired(&v, (darc_runs){r, 4},
                                          (darc_runs){s, 4}, 0.99, 4.5, &err),
                     DARC_OK);
    ck_assert(v.zero_inside && !v.within);
}
END_TEST

/* Variances 1 (n = 3) and 4 (n = 3): variance 5/3, dof 25/9 / (1/18 + 16/18)
 * = 2.9411765. */
START_TEST(welch_by_hand)
{
    static const double r[] = {1, 2, 3}, s[] = {8, 10, 12};
    ck_assert_int_eq(darc_interval_welch(&v, (darc_runs){r, 3},
                                         (darc_runs){s, 3}, 0.95, 0, &err),
                     DARC_OK);
    ck_assert_double_eq_tol(v.difference, 8, 1e-15);
    ck_assert_double_eq_tol(v.dof, 50.0 / 17, 1e-12);
    ck_assert(!v.zero_inside && !v.within);
    ck_assert_double_eq_tol(v.high + v.low, 16, 1e-12);
}
END_TEST

START_TEST(runs_that_are_alike)
{
    static const double r[] = {2, 2}, s[] = {2.5, 2.5, 2.5};
    ck_assert_int_eq(darc_interval_welch(&v, (darc_runs){r, 2},
                                         (darc_runs){s, 3}, 0.95, 1, &err),
                     DARC_OK);
    ck_assert(v.low == 0.5 && v.high == 0.5 && v.within && !v.zero_inside);
}
END_TEST

START_TEST(one_run_is_refused)
{
    static const double r[] = {2, NAN}, s[] = {2.5, 3};
    ck_assert_int_eq(darc_interval_paired(&v, (darc_runs){r, 1},
                                          (darc_runs){s, 1}, 0.95, 1, &err),
                     DARC_DATA);
    ck_assert_str_eq(err.message,
                     "1 reference run: an interval needs at least 2; the "
                     "samples of one run are no replicates");
    setup();
    ck_assert_int_eq(darc_interval_welch(&v, (darc_runs){s, 2},
                                         (darc_runs){r, 2}, 0.95, 1, &err),
                     DARC_DATA);
    ck_assert_str_eq(err.message, "simulation run 2 has no value");
}
END_TEST

/* The interval covers the true difference as often as it says: 1000 trials,
 * 3.3 standard errors. */
START_TEST(coverage)
{
    uint64_t state = 4;
    int paired = 0, welch = 0;
    for (int k = 0; k < 1000; k++) {
        double r[5], s[5], s2[9];
        for (int i = 0; i < 5; i++) {
            r[i] = draw_normal(&state);
            s[i] = r[i] + 0.3 + 0.5 * draw_normal(&state);
        }
        for (int i = 0; i < 9; i++)
            s2[i] = 0.3 + 4 * draw_normal(&state);
        ck_assert_int_eq(darc_interval_paired(&v, (darc_runs){r, 5},
                                              (darc_runs){s, 5}, 0.9, 0, NULL),
                         DARC_OK);
        paired += v.low <= 0.3 && 0.3 <= v.high;
        ck_assert_int_eq(darc_interval_welch(&v, (darc_runs){r, 5},
                                             (darc_runs){s2, 9}, 0.9, 0, NULL),
                         DARC_OK);
        welch += v.low <= 0.3 && 0.3 <= v.high;
    }
    ck_assert_int_ge(paired, 869);
    ck_assert_int_le(paired, 931);
    ck_assert_int_ge(welch, 869);
    ck_assert_int_le(welch, 931);
}
END_TEST

Suite *suite_interval(void)
{
    Suite *s = suite_create("interval");
    TCase *c = tcase_create("interval");
    tcase_add_checked_fixture(c, setup, NULL);
    tcase_add_test(c, paired_by_hand);
    tcase_add_test(c, welch_by_hand);
    tcase_add_test(c, runs_that_are_alike);
    tcase_add_test(c, one_run_is_refused);
    tcase_add_test(c, coverage);
    suite_add_tcase(s, c);
    return s;
}
