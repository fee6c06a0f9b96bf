#include "tests.h"

#include "darc/json.h"

#include <math.h>

START_TEST(nesting_and_commas)
{
    darc_text_t t;
    darc_text_init(t);
    darc_json j;
    darc_json_init(&j, t);
    darc_json_object(&j, NULL);
    darc_json_long(&j, "n", 3);
    darc_json_array(&j, "a");
    darc_json_double(&j, NULL, 0.1);
    darc_json_bool(&j, NULL, true);
    darc_json_null(&j, NULL);
    darc_json_end_array(&j);
    darc_json_object(&j, "empty");
    darc_json_end_object(&j);
    darc_json_strings(&j, "s", (const char *const[]){"x", "y"}, 2);
    darc_json_strings(&j, "none", NULL, 0);
    darc_json_end_object(&j);
    ck_assert_str_eq(t->s, "{\n  \"n\": 3,\n  \"a\": [0.1, true, null],\n"
                           "  \"empty\": {},\n  \"s\": [\"x\", \"y\"],\n"
                           "  \"none\": []\n}");
    darc_text_clear(t);
}
END_TEST

START_TEST(strings_are_escaped)
{
    darc_text_t t;
    darc_text_init(t);
    darc_json j;
    darc_json_init(&j, t);
    darc_json_string(&j, NULL, "a\"b\\c\nd\x01");
    ck_assert_str_eq(t->s, "\"a\\\"b\\\\c\\nd\\u0001\"");
    darc_text_clear(t);
}
END_TEST

START_TEST(not_a_number_is_null)
{
    darc_text_t t;
    darc_text_init(t);
    darc_json j;
    darc_json_init(&j, t);
    darc_json_array(&j, NULL);
    darc_json_double(&j, NULL, NAN);
    darc_json_double(&j, NULL, -HUGE_VAL);
    darc_json_double(&j, NULL, -2.5e-300);
    darc_json_end_array(&j);
    ck_assert_str_eq(t->s, "[null, null, -2.5e-300]");
    darc_text_clear(t);
}
END_TEST

Suite *suite_json(void)
{
    Suite *s = suite_create("json");
    TCase *c = tcase_create("json");
    tcase_add_test(c, nesting_and_commas);
    tcase_add_test(c, strings_are_escaped);
    tcase_add_test(c, not_a_number_is_null);
    suite_add_tcase(s, c);
    return s;
}
