#include "tests.h"

#include "data/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Return the step of n times: t(i) rounded to `digits` decimals. */
static double step_of(double dt, double jitter, int digits, int lost)
{
    darc_grid g;
    double scale = pow(10, digits);
    darc_grid_init(&g);
    for (int i = 0; i < 500; i++) {
        double t = 0.3 * dt + i * dt + (i % 3 - 1) * jitter;
        if (lost > 0 && i == lost)
            continue;
        t = round(t * scale) / scale;
        for (size_t k = i > 0 ? darc_grid_missing(&g, t, 500) : 0; k > 0; k--)
            ck_assert(!isnan(darc_grid_fill(&g, k, t)));
        darc_grid_append(&g, t);
    }
    return darc_grid_step(&g);
}

/* Recorders print few digits: half a digit is no jitter where the step is many
 * digits long. */
START_TEST(rounded_stamps_are_uniform)
{
    ck_assert_double_eq_tol(step_of(0.0088515, 0, 3, 0), 0.0088515, 2e-6);
    ck_assert_double_eq_tol(step_of(1 / 30.0, 0, 3, 0), 1 / 30.0, 4e-6);
    ck_assert_double_eq_tol(step_of(0.0088515, 0, 3, 200), 0.0088515, 2e-6);
}
END_TEST

/* Times as %.*g prints them: the last digit is that of the row; jitter is more
 * than it. */
static double step_of_printed(double dt, double jitter, int digits)
{
    darc_grid g;
    darc_grid_init(&g);
    for (int i = 0; i < 4800; i++) {
        char text[32];
        double t = i * dt + (i % 3 == 1) * jitter;
        snprintf(text, sizeof text, "%.*g", digits, t);
        darc_grid_append(&g, strtod(text, NULL));
    }
    return darc_grid_step(&g);
}

START_TEST(digits_may_be_those_of_the_row)
{
    ck_assert_double_eq_tol(step_of_printed(1 / 60.0, 0, 6), 1 / 60.0, 1e-7);
    ck_assert_double_eq_tol(step_of_printed(1 / 7.0, 0, 5), 1 / 7.0, 1e-6);
    ck_assert_double_eq(step_of_printed(1 / 60.0, 2e-4, 6), 0);
    ck_assert_double_eq(step_of_printed(1 / 60.0, 2e-5, 9), 0);
}
END_TEST

START_TEST(clocks_of_single_precision_are_uniform)
{
    darc_grid g;
    darc_grid_init(&g);
    for (int i = 0; i < 4800; i++)
        darc_grid_append(&g, (float)(i / 60.0));
    ck_assert_double_eq_tol(darc_grid_step(&g), 1 / 60.0, 1e-7);
}
END_TEST

/* The power of 10 at a time is found at the ends of what a double holds. */
START_TEST(extremes_end)
{
    darc_grid g;
    darc_grid_init(&g);
    darc_grid_append(&g, 0);
    darc_grid_append(&g, 5e-324);
    darc_grid_append(&g, 1);
    darc_grid_append(&g, 1.2e308);
    darc_grid_append(&g, HUGE_VAL);
    ck_assert_uint_eq(g.count, 5);
}
END_TEST

START_TEST(jitter_is_not)
{
    ck_assert_double_eq(step_of(0.0088515, 0.0015, 3, 0), 0);
    ck_assert_double_eq(step_of(0.01, 2e-4, 6, 0), 0);
    /* the step is two digits long: rounding could hide a lost row */
    ck_assert_double_eq(step_of(0.0024, 0, 3, 0), 0);
}
END_TEST

Suite *suite_grid(void)
{
    Suite *s = suite_create("grid");
    TCase *c = tcase_create("grid");
    tcase_add_test(c, rounded_stamps_are_uniform);
    tcase_add_test(c, digits_may_be_those_of_the_row);
    tcase_add_test(c, clocks_of_single_precision_are_uniform);
    tcase_add_test(c, extremes_end);
    tcase_add_test(c, jitter_is_not);
    suite_add_tcase(s, c);
    return s;
}
