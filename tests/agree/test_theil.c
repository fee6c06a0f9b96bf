#include "tests.h"

#include "agree/measures.h"

#include "draw.h"

#include <math.h>

static const double r[] = {1, 2, 2, -4}; /* root sum of squares 5 */
static const double s[] = {1, 5, -2, -4};

START_TEST(by_hand)
{
    ck_assert_double_eq_tol(darc_theil_reference(r, s, 4), 1, 1e-15);
    ck_assert_double_eq_tol(darc_theil_classical(r, s, 4),
                            5 / (5 + sqrt(1 + 25 + 4 + 16)), 1e-15);
    ck_assert_double_eq_tol(darc_theil_proximity(2.385, 0.5), exp(-1.1925),
                            1e-15);
}
END_TEST

START_TEST(degenerate_series)
{
    static const double zero[] = {0, 0, 0}, x[] = {3, 0, 4};
    ck_assert(darc_theil_classical(zero, zero, 3) == 0);
    ck_assert(darc_theil_reference(zero, zero, 3) == 0);
    ck_assert(darc_theil_classical(zero, x, 3) == 1);
    ck_assert(darc_theil_reference(zero, x, 3) == 5); /* numerator alone */
    ck_assert(darc_theil_reference(x, zero, 3) == 1);
    ck_assert(darc_theil_reference(r, r, 1) == 0);
}
END_TEST

START_TEST(squares_beyond_the_range)
{
    double big[4], bigger[4];
    for (int k = 0; k < 2; k++) {
        double f = k == 0 ? 1e200 : 1e-200;
        for (int i = 0; i < 4; i++) {
            big[i] = r[i] * f;
            bigger[i] = s[i] * f;
        }
        ck_assert_double_eq_tol(darc_theil_reference(big, bigger, 4), 1, 1e-14);
    }
}
END_TEST

/* Symmetric in the classical form; both scale-free; 0 only for equals; grows
 * with the distance. */
START_TEST(properties_on_random_signals)
{
    enum { N = 100 };
    double a[N], b[N], c[N], d[N];
    uint64_t state = 7;
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < N; i++) {
            a[i] = draw_uniform(&state);
            b[i] = draw_uniform(&state);
            c[i] = a[i] + 2 * (b[i] - a[i]);
            d[i] = -3.5 * a[i];
        }
        double u = darc_theil_classical(a, b, N);
        ck_assert_double_eq_tol(u, darc_theil_classical(b, a, N), 1e-15);
        ck_assert(u > 0 && u <= 1);
        double t = darc_theil_reference(a, b, N);
        ck_assert_double_eq_tol(darc_theil_reference(a, c, N), 2 * t, 1e-12);
        ck_assert_double_eq_tol(darc_theil_reference(a, d, N), 4.5, 1e-12);
        ck_assert(darc_theil_proximity(t, 0.5) >
                  darc_theil_proximity(2 * t, 0.5));
    }
}
END_TEST

START_TEST(grey_by_hand)
{
    /* D = 0, 3, 4, 0: (0 + 2) / (D + 2) = 1, 2/5, 1/3, 1 */
    darc_grey g = darc_grey_degree(r, s, 4, 0.5);
    ck_assert_double_eq_tol(g.degree, (2 + 0.4 + 1.0 / 3) / 4, 1e-15);
    ck_assert(g.least == 0 && g.most == 4 && !g.parallel);
    ck_assert(darc_grey_degree(r, r, 4, 0.5).degree == 1);
    ck_assert(!darc_grey_degree(r, r, 4, 0.5).parallel);
}
END_TEST

START_TEST(grey_falls_into_its_trap)
{
    double shifted[4];
    for (int i = 0; i < 4; i++)
        shifted[i] = r[i] + 1024;
    darc_grey g = darc_grey_degree(r, shifted, 4, 0.5);
    ck_assert(g.degree == 1);
    ck_assert(g.parallel);
    shifted[2] += 200; /* D = 1024 .. 1224, 0.84: no longer parallel */
    ck_assert(!darc_grey_degree(r, shifted, 4, 0.5).parallel);
}
END_TEST

START_TEST(grey_properties)
{
    enum { N = 60 };
    double a[N], b[N];
    uint64_t state = 9;
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < N; i++) {
            a[i] = draw_uniform(&state);
            b[i] = draw_uniform(&state);
        }
        double g = darc_grey_degree(a, b, N, 0.5).degree;
        ck_assert(g == darc_grey_degree(b, a, N, 0.5).degree);
        /* Every term lies between lambda / (1 + lambda) and 1, and grows with
         * lambda. */
        ck_assert(g > 1.0 / 3 && g <= 1);
        ck_assert(g < darc_grey_degree(a, b, N, 0.75).degree);
    }
}
END_TEST

Suite *suite_theil(void)
{
    Suite *suite = suite_create("theil");
    TCase *c = tcase_create("theil");
    tcase_add_test(c, by_hand);
    tcase_add_test(c, degenerate_series);
    tcase_add_test(c, squares_beyond_the_range);
    tcase_add_test(c, properties_on_random_signals);
    tcase_add_test(c, grey_by_hand);
    tcase_add_test(c, grey_falls_into_its_trap);
    tcase_add_test(c, grey_properties);
    suite_add_tcase(suite, c);
    return suite;
}
