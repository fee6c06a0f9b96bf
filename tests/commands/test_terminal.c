/* What darc shows on a terminal. */
#define _DEFAULT_SOURCE /* forkpty */
#include "tests.h"

#include "program.h"

#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Run a command of the shell on a terminal, press Ctrl-C once it has shown
 * `until` (NULL: never), set seen to what it shows, return its exit code. */
static int watch(const char *command, const char *until)
{
    int fd, state;
    char part[4096];
    struct winsize size = {.ws_row = 24, .ws_col = 100};
    pid_t child = forkpty(&fd, NULL, NULL, &size);
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setenv("TERM", "xterm", 1);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    darc_text_reset(seen);
    for (ssize_t n; (n = read(fd, part, sizeof part)) > 0;) {
        darc_text_write(seen, part, (size_t)n);
        if (until != NULL && strstr(seen->s, until) != NULL) {
            ck_assert_int_eq(write(fd, "\003", 1), 1);
            until = NULL;
        }
    }
    close(fd);
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_msg(until == NULL, "%s: not seen: %s in %s", command, until,
                  seen->s);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

static void look(const char *environment, const char *arguments)
{
    char line[1024];
    snprintf(line, sizeof line, "%s $DARC %s 2>/dev/null", environment,
             arguments);
    ck_assert_msg(watch(line, NULL) == 1, "%s: %s", line, seen->s);
}

START_TEST(verdicts_stand_out)
{
    look("TERM=xterm LC_ALL=C.UTF-8", CHECK);
    ck_assert_ptr_nonnull(strstr(seen->s, "\033[1;31mINCONSISTENT\033[0m"));
    ck_assert_ptr_nonnull(strstr(seen->s, "\u2588")); /* the largest residual */
    ck_assert_ptr_nonnull(strstr(seen->s, "|r| from "));
}
END_TEST

START_TEST(plain_where_colour_is_not_wanted)
{
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

#define SIMULATION                                                             \
    "exec $DARC simulate systems/quarter_car/model.darc "                      \
    "--input road=road:C,20 --t-end 100000 --param "                           \
    "m=300,mw=40,c=2e4,d=1500,ct=180000 -o /dev/null"

START_TEST(progress_tells_rate_and_remaining_time)
{
    watch(SIMULATION, " left");
    ck_assert_msg(strstr(seen->s, "[....................] ") != NULL, "%s",
                  seen->s);
    ck_assert_msg(strstr(seen->s, "/s, ") != NULL, "%s", seen->s);
}
END_TEST

/* Return what was printed from the first message on: the line of progress is
 * gone before it, and does not come again. */
static const char *said(void)
{
    const char *first = strstr(seen->s, "darc: ");
    ck_assert_msg(first != NULL && first - seen->s > 4 &&
                      strncmp(first - 4, "\r\033[K", 4) == 0 &&
                      strstr(first, "\033[K") == NULL,
                  "%s", seen->s);
    return first;
}

START_TEST(progress_is_erased_before_what_is_printed)
{
    watch(SIMULATION " --timeout 2.5", NULL);
    said();
}
END_TEST

/* ---- Ctrl-C -------------------------------------------------------------- */

/* y' + p1 y is a sum of products of neighbours, so that every set of parameters
 * takes a search; three of them change. */
static const char many[] =
    "model many\nparameters\n p1 p2 p3 p4 p5 p6 p7 p8 p9\ninputs\n"
    " u1 u2 u3 u4 u5 u6 u7 u8 u9\noutputs\n y\nequations\n"
    " y' + p1*y = p1*p2*u1 + p2*p3*u2 + p3*p4*u3 + p4*p5*u4 + p5*p6*u5 + \n"
    " p6*p7*u6 + p7*p8*u7 + p8*p9*u8 + p9*p1*u9\n";

static void record_many(const char *changed, const char *to)
{
    char line[2048];
    int n = snprintf(line, sizeof line,
                     "simulate %s --param "
                     "p1=1.5,p2=1.5,p4=1.5,p6=1.5,p7=1.5,p8=1.5,%s "
                     "--noise 0.01 --t-end 20 --rate 100 -o %s",
                     program_path("many.darc"), changed, program_path(to));
    for (int i = 1; i <= 9; i++)
        n += snprintf(line + n, sizeof line - (size_t)n,
                      " --input u%d=multisine:1,0.1,5", i);
    darc_text_t out = DARC_TEXT;
    ck_assert_int_eq(program_run(line, out, out), 0);
    darc_text_clear(out);
}

START_TEST(isolate_tells_what_it_knows)
{
    char line[2048];
    program_write("many.darc", many);
    record_many("p3=1.5,p5=1.5,p9=1.5", "a.csv");
    record_many("p3=1.7,p5=1.3,p9=1.9", "b.csv");
    snprintf(line, sizeof line, "exec $DARC isolate %s %s %s",
             program_path("many.darc"), program_path("a.csv"),
             program_path("b.csv"));
    ck_assert_int_eq(watch(line, " of 36"), 5);
    const char *text = said();
    ck_assert_ptr_nonnull(strstr(text, "darc: interrupted\r\n"));
    ck_assert_msg(strstr(text, "none: the parameters differ; so far ") != NULL,
                  "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "rejected (--verbose)"));
}
END_TEST

START_TEST(drift_tells_what_it_knows)
{
    enum { RECORDINGS = 60 };
    char line[8192];
    int n = snprintf(line, sizeof line,
                     "exec $DARC drift --threads 1 %smodel.darc", CAR);
    for (int i = 0; i < RECORDINGS; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, " %s%s", CAR,
                      i % 2 > 0 ? "heavier.csv" : "data.csv");
    ck_assert_int_eq(watch(line, "recordings ["), 5);
    const char *text = said();
    ck_assert_ptr_nonnull(strstr(text, "darc: interrupted\r\n"));
    ck_assert_msg(strstr(text, "(baseline)") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "heavier.csv ") != NULL, "%s", text);
}
END_TEST

/* Rows come as they are known; what the last windows told is kept. */
START_TEST(monitor_keeps_what_it_knows)
{
    char line[2048];
    darc_text_t out = DARC_TEXT;
    const char *good = program_path("good.csv");
    snprintf(line, sizeof line,
             "simulate systems/low_pass/model.darc --param T=0.1,K=2 "
             "--input u=multisine:1,0.1,5 --noise 0.01 --t-end 60 -o %s",
             good);
    ck_assert_int_eq(program_run(line, out, out), 0);
    snprintf(line, sizeof line,
             "(cat %s; exec sleep 600) | $DARC monitor "
             "systems/low_pass/model.darc --baseline %s --state %s",
             good, good, program_path("state"));
    watch(line, "\"alarm\"");
    ck_assert_msg(strstr(seen->s, "darc: interrupted\r\n") != NULL, "%s",
                  seen->s);
    ck_assert_ptr_nonnull(strstr(seen->s, "darc: reached: window "));
    darc_text_reset(out);
    ck_assert(program_read_file(program_path("state"), out));
    ck_assert_uint_gt(out->len, 0);
    darc_text_clear(out);
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
    tcase_add_test(t, isolate_tells_what_it_knows);
    tcase_add_test(t, drift_tells_what_it_knows);
    tcase_add_test(t, monitor_keeps_what_it_knows);
    suite_add_tcase(s, t);
    return s;
}
