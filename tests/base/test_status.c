#include "tests.h"

#include "darc/status.h"

START_TEST(first_message_stays)
{
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_fail(&err, DARC_DATA, "row %d", 7), DARC_DATA);
    ck_assert_int_eq(darc_fail(&err, DARC_LIMIT, "later"), DARC_LIMIT);
    ck_assert_int_eq(err.status, DARC_DATA);
    ck_assert_str_eq(err.message, "row 7");
}
END_TEST

START_TEST(null_error_is_allowed)
{
    ck_assert_int_eq(darc_fail(NULL, DARC_IO, "lost"), DARC_IO);
}
END_TEST

START_TEST(texts)
{
    ck_assert_str_eq(darc_status_text(DARC_OK), "ok");
    ck_assert_str_eq(darc_status_text(DARC_INTERNAL), "internal error");
}
END_TEST

static darc_status twice(int *n, darc_status first)
{
    darc_status status;
    DARC_TRY(first);
    *n = 2;
done:
    return status;
}

START_TEST(try_leaves_at_the_first_failure)
{
    int n = 1;
    ck_assert_int_eq(twice(&n, DARC_SYNTAX), DARC_SYNTAX);
    ck_assert_int_eq(n, 1);
    ck_assert_int_eq(twice(&n, DARC_OK), DARC_OK);
    ck_assert_int_eq(n, 2);
}
END_TEST

Suite *suite_status(void)
{
    Suite *s = suite_create("status");
    TCase *c = tcase_create("status");
    tcase_add_test(c, first_message_stays);
    tcase_add_test(c, null_error_is_allowed);
    tcase_add_test(c, texts);
    tcase_add_test(c, try_leaves_at_the_first_failure);
    suite_add_tcase(s, c);
    return s;
}
