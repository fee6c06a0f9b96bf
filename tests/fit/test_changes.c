#include "tests.h"

#include "fit/changes.h"

#include <stdlib.h>
#include <string.h>

enum { N = 12 };

/* One input that changes at samples 4 and 8. */
static const double value[N] = {1, 1, 1, 1, 2, 2, 2, 2, 5, 5, 5, 5};
static darc_segment all = {0, N};

static double *moved(double first, double second)
{
    double early[N] = {0};
    darc_table t = {.samples = N, .segments = 1, .segment = &all};
    early[4] = first;
    early[8] = second;
    return darc_changes_new(value, early, &t);
}

START_TEST(what_lies_between_its_samples_stays)
{
    double *own = moved(0.25, 0.75);
    ck_assert_mem_eq(own + N, value, sizeof value);
    ck_assert_double_eq(own[4], 0.25);
    ck_assert_double_eq(own[8], 0.75);
    free(own);
}
END_TEST

/* A quarter behind sample 4 is three quarters before sample 5; a quarter before
 * sample 7, too, another sample shows it. */
START_TEST(what_lies_beside_them_is_shown_by_another)
{
    double *own = moved(-0.25, 1.25);
    ck_assert_double_eq(own[4], 0);
    ck_assert_double_eq(own[5], 0.75);
    ck_assert_double_eq(own[N + 4], 1);
    ck_assert_double_eq(own[N + 5], 2);
    ck_assert_double_eq(own[8], 0);
    ck_assert_double_eq(own[7], 0.25);
    ck_assert_double_eq(own[N + 7], 5);
    ck_assert_double_eq(own[N + 6], 2);
    free(own);
}
END_TEST

Suite *suite_changes(void)
{
    Suite *s = suite_create("changes");
    TCase *c = tcase_create("changes");
    tcase_add_test(c, what_lies_between_its_samples_stays);
    tcase_add_test(c, what_lies_beside_them_is_shown_by_another);
    suite_add_tcase(s, c);
    return s;
}
