#include "tests.h"

#include "base/limits.h"
#include "syntax/parser.h"

#include <string.h>

/* The tokens of text as a word of letters, one a token. */
static const char *shape(const char *text)
{
    static const char letters[] = "$?aN\"u'();+-*/^,|<=!>";
    static char out[200];
    darc_script script = {text, strlen(text),       "t",
                          NULL, DARC_LANGUAGE_DARC, NULL};
    darc_tokens t;
    darc_tokens_init(&t, &script);
    ck_assert_uint_lt(t.count, sizeof out);
    for (size_t i = 0; i < t.count; i++)
        out[i] = letters[t.token[i].kind];
    out[t.count] = '\0';
    darc_tokens_clear(&t);
    return out;
}

START_TEST(words)
{
    ck_assert_str_eq(shape("m*a = c*z + d*z'"), "a*a=a*a+a*a';$");
    ck_assert_str_eq(shape("der(x_1, 3)^-2/.5"), "a(a,N)^-N/N;$");
    ck_assert_str_eq(shape("x [m/s^2] \"a \\\" b\""), "au\";$");
    ck_assert_str_eq(shape("x1 >> y\nz != 1.5e-3"), "a>a;a!N;$");
    ck_assert_str_eq(shape("if a>=b then t(x;1)"), "aa<aaa(a|N);$");
    ck_assert_str_eq(shape("a<b>\nc"), "a<a<a;$");
    ck_assert_str_eq(shape(""), "$");
    ck_assert_str_eq(shape("a # b\n\n  # c\n"), "a;$");
    ck_assert_str_eq(shape("\xEF\xBB\xBF"
                           "a\r\nb\r\n"),
                     "a;a;$");
}
END_TEST

START_TEST(lines_go_on_after_operators_and_in_parentheses)
{
    ck_assert_str_eq(shape("a +\n b\nc"), "a+a;a;$");
    ck_assert_str_eq(shape("a = # why\n\n b"), "a=a;$");
    ck_assert_str_eq(shape("(a\n + b)\nc"), "(a+a);a;$");
    ck_assert_str_eq(shape("a'\nb"), "a';a;$");
    ck_assert_str_eq(shape("a)\nb"), "a);a;$");
}
END_TEST

START_TEST(bad_words_end_the_tokens)
{
    ck_assert_str_eq(shape("a @ b"), "a?");
    ck_assert_str_eq(shape("a = 2x"), "a=?");
    ck_assert_str_eq(shape("[m"), "?");
    ck_assert_str_eq(shape("\"m\n\""), "?");
    ck_assert_str_eq(shape("1.2.3"), "?");
    ck_assert_str_eq(shape("2e"), "?");
}
END_TEST

START_TEST(places_count_characters)
{
    darc_script script = {
        "\"\xC3\xB6\xC3\xB6\" a\n\tb", 11, "t", NULL, DARC_LANGUAGE_DARC, NULL};
    darc_tokens t;
    darc_tokens_init(&t, &script);
    ck_assert_int_eq(t.token[1].place.line, 1);
    ck_assert_int_eq(t.token[1].place.column, 6);
    ck_assert(!t.token[1].first);
    ck_assert_int_eq(t.token[3].place.line, 2);
    ck_assert_int_eq(t.token[3].place.column, 2);
    ck_assert(t.token[3].first);
    ck_assert(darc_token_is(t.token + 3, "b"));
    ck_assert(!darc_token_is(t.token + 3, "bb"));
    darc_tokens_clear(&t);
}
END_TEST

/* Exactly as much as limits.h allows is a token; one more is none. */
START_TEST(limits)
{
    char text[DARC_MAX_DIGITS + 2];
    memset(text, 'x', sizeof text);
    text[DARC_MAX_NAME] = '\0';
    ck_assert_str_eq(shape(text), "a;$");
    text[DARC_MAX_NAME] = 'x';
    text[DARC_MAX_NAME + 1] = '\0';
    ck_assert_str_eq(shape(text), "?");
    memset(text, '7', sizeof text);
    text[DARC_MAX_DIGITS] = '\0';
    ck_assert_str_eq(shape(text), "N;$");
    text[DARC_MAX_DIGITS] = '7';
    text[DARC_MAX_DIGITS + 1] = '\0';
    ck_assert_str_eq(shape(text), "?");
}
END_TEST

START_TEST(messages_point_at_tabs_and_long_lines)
{
    darc_err err;
    darc_err_init(&err);
    darc_script script = {"\ta + @",          6,   "t.darc", &err,
                          DARC_LANGUAGE_DARC, NULL};
    ck_assert_int_eq(
        darc_script_fail(&script, (darc_place){1, 6}, DARC_SYNTAX, "no %d", 7),
        DARC_SYNTAX);
    ck_assert_str_eq(err.message, "t.darc:1:6: error: no 7\n\ta + @\n\t    ^");
    char line[1000];
    memset(line, '-', sizeof line);
    line[700] = 'X';
    darc_err_init(&err);
    script =
        (darc_script){line, sizeof line, "t", &err, DARC_LANGUAGE_DARC, NULL};
    (void)darc_script_fail(&script, (darc_place){1, 701}, DARC_SYNTAX, "x");
    const char *shown = strchr(err.message, '\n') + 1;
    const char *caret = strchr(shown, '\n') + 1;
    ck_assert_int_eq(shown[strlen(caret) - 1], 'X');
}
END_TEST

Suite *suite_token(void)
{
    Suite *s = suite_create("token");
    TCase *c = tcase_create("token");
    tcase_add_test(c, words);
    tcase_add_test(c, lines_go_on_after_operators_and_in_parentheses);
    tcase_add_test(c, bad_words_end_the_tokens);
    tcase_add_test(c, places_count_characters);
    tcase_add_test(c, limits);
    tcase_add_test(c, messages_point_at_tabs_and_long_lines);
    suite_add_tcase(s, c);
    return s;
}
