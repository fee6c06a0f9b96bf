#include "tests.h"

#include "base/budget.h"

#include <string.h>

static int yes(void *user)
{
    return *(int *)user;
}

static void keep_stage(void *user, const darc_progress *p)
{
    *(long *)user += p->done;
}

START_TEST(unlimited_budgets_last)
{
    darc_budget b;
    darc_budget_init(&b);
    ck_assert_int_eq(darc_budget_check(&b, NULL), DARC_OK);
    ck_assert_int_eq(darc_budget_check(NULL, NULL), DARC_OK);
}
END_TEST

START_TEST(each_limit_ends_it_and_is_named)
{
    darc_budget b;
    darc_err err;
    int stop = 1;

    darc_budget_init(&b);
    darc_err_init(&err);
    b.deadline = darc_now() - 1;
    ck_assert_int_eq(darc_budget_check(&b, &err), DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "--timeout"));

    darc_budget_init(&b);
    darc_err_init(&err);
    b.memory = 1 << 10;
    ck_assert_int_eq(darc_budget_check(&b, &err), DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "--memory"));

    darc_budget_init(&b);
    darc_err_init(&err);
    b.interrupted = yes;
    b.user = &stop;
    ck_assert_int_eq(darc_budget_check(&b, &err), DARC_LIMIT);
    ck_assert_str_eq(err.message, "interrupted");
    stop = 0;
    ck_assert_int_eq(darc_budget_check(&b, NULL), DARC_OK);
}
END_TEST

START_TEST(progress_reaches_the_caller)
{
    darc_budget b;
    long sum = 0;
    darc_budget_init(&b);
    b.progress = keep_stage;
    b.user = &sum;
    darc_budget_progress(&b, &(darc_progress){"a", 5, 9, 0});
    darc_budget_progress(NULL, &(darc_progress){"a", 5, 9, 0});
    ck_assert_int_eq(sum, 5);
}
END_TEST

START_TEST(clocks_advance)
{
    double wall = darc_now(), cpu = darc_cpu_time();
    volatile double x = 0;
    for (int i = 0; i < 2000000; i++)
        x = x + 1;
    ck_assert(darc_now() > wall);
    ck_assert(darc_cpu_time() > cpu);
}
END_TEST

Suite *suite_budget(void)
{
    Suite *s = suite_create("budget");
    TCase *c = tcase_create("budget");
    tcase_add_test(c, unlimited_budgets_last);
    tcase_add_test(c, each_limit_ends_it_and_is_named);
    tcase_add_test(c, progress_reaches_the_caller);
    tcase_add_test(c, clocks_advance);
    suite_add_tcase(s, c);
    return s;
}
