#include "tests.h"

#include "emit/json.h"

#include <math.h>
#include <string.h>

START_TEST(nesting_and_commas)
{
    darc_text_t t;
    darc_text_init(t);
    darc_json j;
    darc_json_init(&j, t);
    darc_json_put(&j, "{n:i a[:d :b :t :s] empty{} *:a none:a left:S}", 3, 0.1,
                  true, DARC_UNKNOWN, NULL, "s",
                  (const char *const[]){"x", "y"}, 2, NULL, 0, NULL);
    ck_assert_str_eq(t->s, "{\n  \"n\": 3,\n  \"a\": [0.1, true, null, null],\n"
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
    darc_json_put(&j, ":s", "a\"b\\c\nd\x01");
    ck_assert_str_eq(t->s, "\"a\\\"b\\\\c\\nd\\u0001\"");
    darc_text_clear(t);
}
END_TEST

/* The examples are table 3-7 of the Unicode standard and its neighbours. */
START_TEST(strings_are_utf8)
{
    static const struct {
        const char *bytes;
        bool good;
    } at[] = {{"\xc2\xb5", true},
              {"\xe2\x82\xac", true},
              {"\xf0\x9f\x98\x80", true},
              {"\xf4\x8f\xbf\xbf", true},
              {"\xed\x9f\xbf", true},
              {"\xe0\xa0\x80", true},
              {"\xb5", false},
              {"\xc2", false},
              {"\xc0\xaf", false},
              {"\xe0\x9f\xbf", false},
              {"\xed\xa0\x80", false},
              {"\xf0\x8f\xbf\xbf", false},
              {"\xf4\x90\x80\x80", false},
              {"\xf5\x80\x80\x80", false},
              {"\xe2\x82", false},
              {"\xff", false}};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        darc_text_t t, want;
        darc_text_init(t);
        darc_text_init(want);
        darc_json j;
        darc_json_init(&j, t);
        darc_text_printf(want, "a%sb", at[i].bytes);
        darc_json_put(&j, ":s", want->s);
        darc_text_reset(want);
        darc_text_puts(want, "\"a");
        for (size_t k = 0; !at[i].good && k < strlen(at[i].bytes); k++)
            darc_text_puts(want, "\xef\xbf\xbd");
        darc_text_printf(want, "%sb\"", at[i].good ? at[i].bytes : "");
        ck_assert_str_eq(t->s, want->s);
        darc_text_clear(t);
        darc_text_clear(want);
    }
}
END_TEST

START_TEST(not_a_number_is_null)
{
    darc_text_t t;
    darc_text_init(t);
    darc_json j;
    darc_json_init(&j, t);
    darc_json_put(&j, "[:d :d :d]", NAN, -HUGE_VAL, -2.5e-300);
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
    tcase_add_test(c, strings_are_utf8);
    tcase_add_test(c, not_a_number_is_null);
    suite_add_tcase(s, c);
    return s;
}
