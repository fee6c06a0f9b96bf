#include "tests.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(grows_past_its_first_allocation)
{
    darc_text_t t;
    darc_text_init(t);
    for (int i = 0; i < 1000; i++)
        darc_text_printf(t, "%d,", i % 10);
    ck_assert_uint_eq(t->len, 2000);
    ck_assert_uint_eq(strlen(t->s), 2000);
    char *s = darc_text_take(t);
    ck_assert_str_eq(t->s, "");
    ck_assert_int_eq(s[1998], '9');
    free(s);
    darc_text_clear(t);
}
END_TEST

/* Cells stand under each other, what comes last is as it was. */
START_TEST(cells_are_aligned)
{
    darc_text_t t = DARC_TEXT;
    darc_text_puts(t, "a long line before\n");
    size_t begin = t->len;
    darc_text_puts(t, "x" DARC_CELL "1" DARC_CELL "one\nname" DARC_CELL
                      "a tab\tis none\n\nz" DARC_CELL "12" DARC_CELL);
    darc_text_align(t, begin, 2);
    ck_assert_str_eq(t->s, "a long line before\nx     1   one\n"
                           "name  a tab\tis none\n\nz     12  ");
    darc_text_reset(t); /* two bytes of a degree are one character */
    darc_text_puts(t, "\u00b0C" DARC_CELL "1\nabc" DARC_CELL "2");
    darc_text_align(t, 0, 1);
    ck_assert_str_eq(t->s, "\u00b0C  1\nabc 2");
    darc_text_clear(t);
}
END_TEST

START_TEST(doubles_read_back)
{
    static const double x[] = {2.385, 0.1, 1.0 / 3, 1e-310, -2.5e300, 3};
    darc_text_t t;
    darc_text_init(t);
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        darc_text_reset(t);
        darc_text_double(t, x[i]);
        ck_assert(strtod(t->s, NULL) == x[i]);
    }
    ck_assert_str_eq(t->s, "3");
    darc_text_reset(t);
    darc_text_double(t, 0.1);
    ck_assert_str_eq(t->s, "0.1");
    darc_text_double(t, NAN);
    darc_text_double(t, -HUGE_VAL);
    ck_assert_str_eq(t->s, "0.1nan-inf");
    darc_text_clear(t);
}
END_TEST

START_TEST(percent_without_powers_of_ten)
{
    static const double x[] = {0.0015, 0.994, 0.996, 1.6234, -2.5, 1e-6, 1e5};
    darc_text_t t = DARC_TEXT;
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        darc_text_puts(t, i > 0 ? ", " : "");
        darc_text_percent(t, x[i]);
    }
    ck_assert_str_eq(t->s, "0.15 %, 99 %, 100 %, 162 %, -250 %, 0.0001 %, "
                           "1e+07 %");
    ck_assert_str_eq(darc_percent_fine(0.05041).text, "5.04 %");
    ck_assert_str_eq(darc_percent_fine(12.3456).text, "1235 %");
    ck_assert_str_eq(darc_percent_up_to(0.0123).text, "up to 1.2 %");
    ck_assert_str_eq(darc_percent_up_to(4.77).text, "100 % and more");
    darc_text_clear(t);
}
END_TEST

/* What nobody sees is shown: controls, marks that turn the order round, bytes
 * that are no UTF-8. */
START_TEST(what_is_hidden_is_shown)
{
    darc_text_t t = DARC_TEXT;
    darc_text_shown(t, "a\x1b[2J\n\tb\u202e\u00e9\x80\x7f\u200f\u2028");
    ck_assert_str_eq(t->s, "a\\x1b[2J\n\tb\\u202e\u00e9\\x80\\x7f\\u200f"
                           "\\u2028");
    darc_text_clear(t);
    char *name = darc_text_name("x\ny\x07zw", 5);
    ck_assert_str_eq(name, "x y\\x07z");
    free(name);
}
END_TEST

Suite *suite_text(void)
{
    Suite *s = suite_create("text");
    TCase *c = tcase_create("text");
    tcase_add_test(c, grows_past_its_first_allocation);
    tcase_add_test(c, cells_are_aligned);
    tcase_add_test(c, doubles_read_back);
    tcase_add_test(c, percent_without_powers_of_ten);
    tcase_add_test(c, what_is_hidden_is_shown);
    suite_add_tcase(s, c);
    return s;
}
