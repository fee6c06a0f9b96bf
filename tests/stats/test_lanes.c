#include "tests.h"

#include "stats/lanes.h"

#include <math.h>

/* Values around 1000 with a spread of 1, of a generator of its own. */
static void fill(double *x, size_t n)
{
    uint64_t s = 12345;
    for (size_t i = 0; i < n; i++) {
        s = s * UINT64_C(6364136223846793005) + 1442695040888963407u;
        x[i] = 1000 + (double)(s >> 11) / 9007199254740992.0;
    }
}

START_TEST(sums_are_those_of_a_plain_loop)
{
    double x[61], y[61];
    fill(x, 61);
    fill(y, 61);
    for (size_t n = 0; n <= 61; n++) {
        long double sum = 0, dot = 0, square = 0;
        for (size_t i = 0; i < n; i++) {
            sum += x[i];
            dot += x[i] * (long double)y[i];
            square += (x[i] - 999.5L) * (x[i] - 999.5L);
        }
        ck_assert_double_eq_tol(darc_lanes_sum(x, n), (double)sum, 1e-9);
        ck_assert_double_eq_tol(darc_lanes_dot(x, y, n), (double)dot, 1e-6);
        ck_assert_double_eq_tol(darc_lanes_square(x, 999.5, n), (double)square,
                                1e-11);
    }
}
END_TEST

START_TEST(the_variance_is_that_of_all_segments)
{
    enum { N = 10000 };
    static double x[N];
    darc_segment segment[2] = {{3, 5000}, {5100, N}};
    darc_table table = {.samples = N, .segments = 2, .segment = segment};
    fill(x, N);
    x[5050] = NAN;
    long double n = 0, mean = 0, squares = 0;
    for (int s = 0; s < 2; s++)
        for (size_t i = segment[s].begin; i < segment[s].end; i++, n++)
            mean += x[i];
    mean /= n;
    for (int s = 0; s < 2; s++)
        for (size_t i = segment[s].begin; i < segment[s].end; i++)
            squares += (x[i] - mean) * (x[i] - mean);
    ck_assert_double_eq_tol(darc_lanes_variance(x, &table),
                            (double)(squares / n), 1e-12);
}
END_TEST

Suite *suite_lanes(void)
{
    Suite *s = suite_create("lanes");
    TCase *c = tcase_create("lanes");
    tcase_add_test(c, sums_are_those_of_a_plain_loop);
    tcase_add_test(c, the_variance_is_that_of_all_segments);
    suite_add_tcase(s, c);
    return s;
}
