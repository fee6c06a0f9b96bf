/* What darc shows on a terminal, by way of script(1), which makes one. */
#include "tests.h"

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAR "systems/quarter_car_chassis/"
#define CHECK "check equal " CAR "model.darc " CAR "data.csv " CAR "heavier.csv"

static darc_text_t seen;

static void setup(void)
{
    darc_text_init(seen);
}

static void teardown(void)
{
    darc_text_clear(seen);
}

static void look(const char *environment, const char *arguments)
{
    char line[1024];
    snprintf(line, sizeof line,
             "%s script -qec '%s %s 2>/dev/null' /dev/null </dev/null 2>&1",
             environment, getenv("DARC"), arguments);
    FILE *from = popen(line, "r");
    ck_assert_ptr_nonnull(from);
    darc_text_reset(seen);
    for (int c; (c = getc(from)) != EOF;)
        darc_text_putc(seen, (char)c);
    int state = pclose(from);
    ck_assert_msg(state == 256, "%s: %d: %s", line, state, seen->s);
}

static bool has_script(void)
{
    if (system("script -qec true /dev/null </dev/null >/dev/null 2>&1") == 0)
        return true;
    fprintf(stderr, "terminal: skipped, script(1) makes no terminal here\n");
    return false;
}

START_TEST(verdicts_stand_out)
{
    if (!has_script())
        return;
    look("TERM=xterm LC_ALL=C.UTF-8", CHECK);
    ck_assert_ptr_nonnull(strstr(seen->s, "\033[1;31mINCONSISTENT\033[0m"));
    ck_assert_ptr_nonnull(strstr(seen->s, "\u2588")); /* the largest residual */
    ck_assert_ptr_nonnull(strstr(seen->s, "|r| from "));
}
END_TEST

START_TEST(plain_where_colour_is_not_wanted)
{
    if (!has_script())
        return;
    look("NO_COLOR=1 TERM=xterm LC_ALL=C", CHECK);
    ck_assert_ptr_null(strchr(seen->s, '\033'));
    ck_assert_ptr_nonnull(strstr(seen->s, "INCONSISTENT: "));
    ck_assert_ptr_nonnull(strchr(seen->s, '@'));
    look("TERM=dumb LC_ALL=C", CHECK);
    ck_assert_ptr_null(strchr(seen->s, '\033'));
    look("NO_COLOR= TERM=xterm LC_ALL=C", CHECK);
    ck_assert_ptr_nonnull(strchr(seen->s, '\033'));
    look("TERM=xterm LC_ALL=C", CHECK " --json -");
    ck_assert_ptr_null(strchr(seen->s, '\033'));
}
END_TEST

START_TEST(plain_in_a_pipe)
{
    darc_text_t err;
    darc_text_init(err);
    ck_assert_int_eq(program_run(CHECK, seen, err), 1);
    ck_assert_ptr_null(strchr(seen->s, '\033'));
    ck_assert_ptr_null(strstr(seen->s, "|r| from"));
    ck_assert_uint_eq(err->len, 0);
    darc_text_clear(err);
}
END_TEST

START_TEST(progress_tells_rate_and_remaining_time)
{
    if (!has_script())
        return;
    char line[1024];
    snprintf(line, sizeof line,
             "script -qec '%s simulate systems/quarter_car/model.darc "
             "--timeout 2.5 --input road=road:C,20 --t-end 100000 --param "
             "m=300,mw=40,c=2e4,d=1500,ct=180000 -o /dev/null' /dev/null "
             "</dev/null",
             getenv("DARC"));
    FILE *from = popen(line, "r");
    for (int c; (c = getc(from)) != EOF;)
        darc_text_putc(seen, (char)c);
    pclose(from);
    ck_assert_msg(strstr(seen->s, "[....................] ") != NULL, "%s",
                  seen->s);
    ck_assert_msg(strstr(seen->s, "/s, ") != NULL, "%s", seen->s);
    ck_assert_ptr_nonnull(strstr(seen->s, " left"));
}
END_TEST

/* A message after a line of progress: the line is gone before it. */
START_TEST(progress_is_erased_before_what_is_printed)
{
    if (!has_script())
        return;
    char line[1024];
    snprintf(
        line, sizeof line,
        "TERM=xterm script -qec '%s simulate systems/quarter_car/model.darc "
        "--timeout 2.5 --input road=road:C,20 --t-end 100000 --param "
        "m=300,mw=40,c=2e4,d=1500,ct=180000 -o /dev/null' /dev/null "
        "</dev/null",
        getenv("DARC"));
    FILE *from = popen(line, "r");
    for (int c; (c = getc(from)) != EOF;)
        darc_text_putc(seen, (char)c);
    pclose(from);
    const char *said = strstr(seen->s, "darc: ");
    ck_assert_msg(said != NULL, "%s", seen->s);
    ck_assert_msg(said - seen->s > 4 && strncmp(said - 4, "\r\033[K", 4) == 0,
                  "%s", seen->s);
    ck_assert_ptr_null(strstr(said, "\033[K"));
}
END_TEST

Suite *suite_terminal(void)
{
    Suite *s = suite_create("terminal");
    TCase *t = tcase_create("terminal");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, verdicts_stand_out);
    tcase_add_test(t, plain_where_colour_is_not_wanted);
    tcase_add_test(t, plain_in_a_pipe);
    tcase_add_test(t, progress_tells_rate_and_remaining_time);
    tcase_add_test(t, progress_is_erased_before_what_is_printed);
    suite_add_tcase(s, t);
    return s;
}
