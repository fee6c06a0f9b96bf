#include "tests.h"

#include "report/spark.h"

#include <math.h>

START_TEST(shows_the_largest_of_each_part)
{
    const double x[] = {0, 0.1, -8, 1, NAN, NAN, 4, INFINITY};
    darc_text_t t;
    darc_text_init(t);
    darc_spark(t, x, 8, 8, 4, false);
    ck_assert_str_eq(t->s, ".@ +");
    darc_text_reset(t);
    darc_spark(t, x, 8, 8, 4, true);
    ck_assert_str_eq(t->s, "\u2581\u2588 \u2585");
    darc_text_reset(t);
    darc_spark(t, x, 2, 0.05, 5, false); /* more cells than values */
    ck_assert_str_eq(t->s, "...@@");
    darc_text_reset(t);
    darc_spark(t, x, 0, 1, 3, true);
    ck_assert_str_eq(t->s, "   ");
    darc_text_clear(t);
}
END_TEST

Suite *suite_spark(void)
{
    Suite *s = suite_create("spark");
    TCase *t = tcase_create("spark");
    tcase_add_test(t, shows_the_largest_of_each_part);
    suite_add_tcase(s, t);
    return s;
}
