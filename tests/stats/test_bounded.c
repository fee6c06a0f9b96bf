#include "tests.h"

#include "base/random.h"
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

/* Where the gradient is 0 between the bounds, and points outwards at them, the
 * value is least; the sum of unknowns is hardly told. */
START_TEST(no_unknown_would_go_further_inside)
{
    enum { N = 12 };
    darc_random random;
    darc_random_init(&random, 1 + (uint64_t)_i, 0);
    double g[N * N], own[N * N], x[N], b[N], low[N], high[N];
    for (int i = 0; i < N; i++) {
        low[i] = -darc_random_uniform(&random);
        high[i] = darc_random_uniform(&random);
        b[i] = x[i] = darc_random_normal(&random);
        for (int j = 0; j < N; j++)
            own[i * N + j] = (i == j) - (1 - 1e-4) / N;
    }
    memcpy(g, own, sizeof g);
    ck_assert(darc_bounded_solve(x, g, N, low, high));
    for (int i = 0; i < N; i++) {
        double slope = -b[i];
        for (int j = 0; j < N; j++)
            slope += own[i * N + j] * x[j];
        ck_assert_double_ge(x[i], low[i]);
        ck_assert_double_le(x[i], high[i]);
        if (x[i] > low[i])
            ck_assert_double_le(slope, 1e-6);
        if (x[i] < high[i])
            ck_assert_double_ge(slope, -1e-6);
    }
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
    tcase_add_loop_test(c, no_unknown_would_go_further_inside, 0, 20);
    tcase_add_test(c, what_has_no_factor_is_refused);
    suite_add_tcase(s, c);
    return s;
}
