#include "tests.h"

#include "stats/real.h"

#include <math.h>

START_TEST(large_quotients_are_doubles)
{
    fmpz_t n, d;
    fmpz_init(n);
    fmpz_init_set_ui(d, 10);
    fmpz_pow_ui(d, d, 400);
    fmpz_mul_si(n, d, -3);
    ck_assert(darc_real(n, d) == -3);
    fmpz_add_ui(d, d, 7);
    ck_assert_double_eq_tol(darc_real(n, d), -3, 1e-15);
    ck_assert(darc_real_integer(n) == -HUGE_VAL);
    fmpz_one(d);
    ck_assert(darc_real(n, d) == -HUGE_VAL && darc_real(d, n) == 0);
    fmpz_set_si(n, -2385);
    fmpz_set_ui(d, 1000);
    ck_assert_double_eq_tol(darc_real(n, d), -2.385, 1e-15);
    ck_assert(darc_real_integer(n) == -2385);
    fmpz_zero(n);
    ck_assert(darc_real(n, d) == 0 && darc_real_integer(n) == 0);
    fmpz_clear(n);
    fmpz_clear(d);
}
END_TEST

Suite *suite_real(void)
{
    Suite *s = suite_create("real");
    TCase *c = tcase_create("real");
    tcase_add_test(c, large_quotients_are_doubles);
    suite_add_tcase(s, c);
    return s;
}
