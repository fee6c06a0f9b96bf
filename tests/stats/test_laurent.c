#include "tests.h"

#include "stats/laurent.h"

#include <math.h>

START_TEST(powers_and_products_lose_their_bias)
{
    /* y^4 -> y^4 - 6 s2 y^2 + 3 s2^2; y z -> y z - cov */
    darc_laurent f;
    darc_laurent_init(&f, 2);
    darc_laurent_add(&f, &(darc_monomial){.a = 2, .log = -1, .e = {4, 0}});
    darc_laurent_add(&f, &(darc_monomial){.a = 3, .log = -1, .e = {1, 1}});
    double cov[4] = {0.3, 0.1, 0.1, 0.7}, y[1] = {2.385}, z[1] = {-0.4}, out;
    darc_laurent_unbias(&f, cov);
    darc_laurent_eval(&out, &f, (const double *const[]){y, z}, 1);
    double want = 2 * (pow(y[0], 4) - 6 * 0.3 * y[0] * y[0] + 3 * 0.09) +
                  3 * (y[0] * z[0] - 0.1);
    ck_assert_double_eq_tol(out, want, 1e-12 * fabs(want));
    darc_laurent_clear(&f);
}
END_TEST

START_TEST(a_logarithm_loses_its_bias)
{
    /* log(y): + s2 / 2y^2 - (s2^2 / 8) 6/y^4 ... with the sign of -L/2 */
    darc_laurent f;
    double y[1] = {2.385}, out;
    darc_laurent_init(&f, 1);
    darc_laurent_add(&f, &(darc_monomial){.a = 1, .log = 0});
    darc_laurent_unbias(&f, (double[]){0.01});
    darc_laurent_eval(&out, &f, (const double *const[]){y}, 1);
    double s = 0.01 / (y[0] * y[0]);
    double want = log(y[0]) + s / 2 - s * s * 6 / 8 + s * s * s * 120 / 48;
    ck_assert_double_eq_tol(out, want, 1e-14);
    darc_laurent_clear(&f);
}
END_TEST

START_TEST(derivatives_and_questions)
{
    /* f = 3 y^2 / z + log(y); f_y = 6 y / z + 1 / y; f_yz = -6 y / z^2 */
    darc_laurent f, by, second;
    double y[1] = {2.385}, z[1] = {-0.4}, out, number;
    darc_laurent_init(&f, 2);
    darc_laurent_add(&f, &(darc_monomial){.a = 3, .log = -1, .e = {2, -1}});
    darc_laurent_add(&f, &(darc_monomial){.a = 1, .log = 0});
    darc_laurent_diff(&by, &f, 0);
    darc_laurent_eval(&out, &by, (const double *const[]){y, z}, 1);
    ck_assert_double_eq_tol(out, 6 * y[0] / z[0] + 1 / y[0], 1e-13);
    darc_laurent_diff(&second, &by, 1);
    darc_laurent_eval(&out, &second, (const double *const[]){y, z}, 1);
    ck_assert_double_eq_tol(out, -6 * y[0] / (z[0] * z[0]), 1e-12);
    ck_assert(!darc_laurent_is_number(&f, &number));
    ck_assert_int_eq(darc_laurent_is_variable(&f), -1);
    darc_laurent_clear(&f);
    darc_laurent_clear(&by);
    darc_laurent_clear(&second);
    darc_laurent_init(&f, 2);
    darc_laurent_add(&f, &(darc_monomial){.a = 1, .log = -1, .e = {0, 1}});
    ck_assert_int_eq(darc_laurent_is_variable(&f), 1);
    darc_laurent_diff(&by, &f, 1);
    ck_assert(darc_laurent_is_number(&by, &number) && number == 1);
    darc_laurent_clear(&f);
    darc_laurent_clear(&by);
}
END_TEST

Suite *suite_laurent(void)
{
    Suite *s = suite_create("laurent");
    TCase *c = tcase_create("laurent");
    tcase_add_test(c, powers_and_products_lose_their_bias);
    tcase_add_test(c, a_logarithm_loses_its_bias);
    tcase_add_test(c, derivatives_and_questions);
    suite_add_tcase(s, c);
    return s;
}
