#include "sample.h"
#include "tests.h"

#include "algebra/names.h"

#include <stdio.h>

START_TEST(names_are_found_whole)
{
    darc_names_t names;
    darc_names_init(names);
    ck_assert_int_eq(darc_names_find(names, "x", 1), -1);
    ck_assert_int_eq(darc_names_add(names, "x1", DARC_STATE), 0);
    ck_assert_int_eq(darc_names_add(names, "x", DARC_OUTPUT), 1);
    ck_assert_int_eq(darc_names_find(names, "x", 1), 1);
    ck_assert_int_eq(darc_names_find(names, "x1", 2), 0);
    ck_assert_int_eq(darc_names_find(names, "x1 rest", 2), 0);
    ck_assert_int_eq(darc_names_find(names, "x12", 3), -1);
    ck_assert_int_eq(darc_names_find(names, "", 0), -1);
    darc_names_clear(names);
    ck_assert_int_eq(names->count, 0);
}
END_TEST

START_TEST(copies_are_independent)
{
    darc_names_t a, b;
    test_sample_names(a);
    test_sample_names(b);
    darc_names_set(a, a);
    ck_assert_int_eq(a->count, SAMPLE_NAMES);
    for (int i = 0; i < 100; i++) {
        char name[20];
        snprintf(name, sizeof name, "n%d", i);
        darc_names_add(a, name, DARC_PARAMETER);
    }
    darc_names_set(b, a);
    darc_names_clear(a);
    ck_assert_int_eq(b->count, SAMPLE_NAMES + 100);
    ck_assert_int_eq(darc_names_find(b, "n99", 3), SAMPLE_NAMES + 99);
    ck_assert_int_eq(b->symbol[SAMPLE_TIME].kind, DARC_TIME);
    darc_names_clear(b);
}
END_TEST

Suite *suite_names(void)
{
    Suite *s = suite_create("names");
    TCase *c = tcase_create("names");
    tcase_add_test(c, names_are_found_whole);
    tcase_add_test(c, copies_are_independent);
    suite_add_tcase(s, c);
    return s;
}
