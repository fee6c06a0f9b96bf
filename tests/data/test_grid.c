#include "tests.h"

#include "data/reader.h"

#include <math.h>

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
    tcase_add_test(c, jitter_is_not);
    suite_add_tcase(s, c);
    return s;
}
