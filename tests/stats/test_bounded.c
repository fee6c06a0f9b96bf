#include "tests.h"

#include "stats/bounded.h"

#include <math.h>
#include <string.h>

/* 2 x + y = 3, x + 2 y = 3: both are 1; with x held at .5, y is 1.25. */
START_TEST(what_is_held_moves_the_others)
{
    const double matrix[4] = {2, 1, 1, 2};
    double g[4], x[2] = {3, 3};
    double low[2] = {-HUGE_VAL, -HUGE_VAL}, high[2] = {HUGE_VAL, HUGE_VAL};
    memcpy(g, matrix, sizeof g);
    ck_assert(darc_bounded_solve(x, g, 2, low, high));
    ck_assert_double_eq_tol(x[0], 1, 1e-14);
    ck_assert_double_eq_tol(x[1], 1, 1e-14);
    x[0] = x[1] = 3;
    high[0] = 0.5;
    memcpy(g, matrix, sizeof g);
    ck_assert(darc_bounded_solve(x, g, 2, low, high));
    ck_assert_double_eq_tol(x[0], 0.5, 1e-14);
    ck_assert_double_eq_tol(x[1], 1.25, 1e-14);
    ck_assert_double_eq_tol(g[0], sqrt(2), 1e-14); /* its factor */
}
END_TEST

START_TEST(what_has_no_factor_is_refused)
{
    double g[4] = {1, 2, 2, 1}, x[2] = {1, 1};
    const double low[2] = {-1, -1}, high[2] = {1, 1};
    ck_assert(!darc_bounded_solve(x, g, 2, low, high));
}
END_TEST

Suite *suite_bounded(void)
{
    Suite *s = suite_create("bounded");
    TCase *c = tcase_create("bounded");
    tcase_add_test(c, what_is_held_moves_the_others);
    tcase_add_test(c, what_has_no_factor_is_refused);
    suite_add_tcase(s, c);
    return s;
}
