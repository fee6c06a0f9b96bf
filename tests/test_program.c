/* The command line, through the program itself. */
#include "tests.h"

#include "program.h"

#include <string.h>

static darc_text_t out, err;

static void setup(void)
{
    darc_text_init(out);
    darc_text_init(err);
}

static void teardown(void)
{
    darc_text_clear(out);
    darc_text_clear(err);
}

static void expect(const char *arguments, int code, const char *in_out,
                   const char *in_err)
{
    int got = program_run(arguments, out, err);
    ck_assert_msg(got == code, "darc %s: exit code %d, not %d\n%s%s", arguments,
                  got, code, out->s, err->s);
    ck_assert_msg(strstr(out->s, in_out) != NULL, "darc %s: output\n%s",
                  arguments, out->s);
    ck_assert_msg(strstr(err->s, in_err) != NULL, "darc %s: messages\n%s",
                  arguments, err->s);
}

START_TEST(version_and_help)
{
    expect("--version", 0, "darc 0.1.0\n", "");
    expect("--help", 0, "usage: darc COMMAND", "");
    expect("help", 0, "usage: darc COMMAND", "");
    expect("", 3, "", "usage: darc COMMAND");
    expect("chek", 3, "", "no command 'chek'");
    expect("help chek", 3, "", "no command 'chek'");
}
END_TEST

Suite *suite_program(void)
{
    Suite *s = suite_create("program");
    TCase *c = tcase_create("program");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, version_and_help);
    suite_add_tcase(s, c);
    return s;
}
