#include "tests.h"

#include "base/scratch.h"

#include <string.h>

/* All files together, and what is closed is free again. */
START_TEST(the_disk_has_a_limit)
{
    static const char bytes[600];
    darc_scratch a, b;
    darc_err err = {DARC_OK, ""};
    darc_scratch_limit(1000);
    ck_assert_int_eq(darc_scratch_open(&a, NULL), DARC_OK);
    ck_assert_int_eq(darc_scratch_open(&b, NULL), DARC_OK);
    ck_assert_int_eq(darc_scratch_write(&a, bytes, 600, 0, NULL), DARC_OK);
    ck_assert_int_eq(darc_scratch_write(&a, bytes, 600, 0, NULL), DARC_OK);
    ck_assert_int_eq(darc_scratch_write(&b, bytes, 600, 0, &err), DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "--disk"));
    darc_scratch_close(&a);
    ck_assert_int_eq(darc_scratch_write(&b, bytes, 600, 0, NULL), DARC_OK);
    darc_scratch_close(&b);
    ck_assert_int_eq(darc_scratch_open(&a, NULL), DARC_OK);
    ck_assert_int_eq(darc_scratch_write(&a, bytes, 600, 401, NULL), DARC_LIMIT);
    darc_scratch_close(&a);
    darc_scratch_limit(0);
}
END_TEST

Suite *suite_scratch(void)
{
    Suite *s = suite_create("scratch");
    TCase *c = tcase_create("scratch");
    tcase_add_test(c, the_disk_has_a_limit);
    suite_add_tcase(s, c);
    return s;
}
