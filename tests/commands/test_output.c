/* Where the output goes, and what is said where it cannot. */
#include "tests.h"

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAR "systems/quarter_car_chassis/"
#define TWO CAR "data.csv " CAR "heavier.csv"

static darc_text_t err;

static void setup(void)
{
    darc_text_init(err);
}

static void teardown(void)
{
    darc_text_clear(err);
}

/* Whatever prints. */
static const char *const commands[] = {
    "--version",
    "--help",
    "help check",
    "help complete check -",
    "eliminate " CAR "model.darc",
    "eliminate " CAR "model.darc --format json",
    "identify " CAR "model.darc",
    "identify " CAR "model.darc --json -",
    "check structure " CAR "model.darc " CAR "data.csv",
    "check structure " CAR "model.darc " CAR "data.csv --quiet",
    "check structure " CAR "model.darc " CAR "data.csv --json -",
    "check structure " CAR "model.darc " CAR "data.csv --html -",
    "check structure " CAR "model.darc " CAR "data.csv --method pointwise "
    "--csv -",
    "isolate " CAR "model.darc " TWO,
    "isolate " CAR "model.darc " TWO " --json -",
    "drift " CAR "model.darc " TWO,
    "drift " CAR "model.darc " TWO " --json -",
    "drift " CAR "model.darc " TWO " --csv -",
    "simulate systems/low_pass/model.darc --param T=0.1,K=2 --input "
    "u=multisine:1,0.1,5 --quiet -o -",
    "compare " TWO,
    "compare " TWO " --json -",
    "credibility systems/missile/flight.factors",
    "credibility systems/missile/flight.factors --json -",
    "data " CAR "data.csv",
    "data " CAR "data.csv --json -",
    "demo",
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* Run command i with its output as the shell's words say; set err to what it
 * says on standard error, return its exit code. */
static int run(int i, const char *words)
{
    char line[2000], file[300];
    snprintf(file, sizeof file, "%s/stderr", program_directory());
    snprintf(line, sizeof line, "(%s %s 2>%s; echo $? >%s.code) %s",
             getenv("DARC"), commands[i], file, file, words);
    ck_assert_int_ne(system(line), -1);
    darc_text_reset(err);
    ck_assert(program_read_file(file, err));
    darc_text_t code = DARC_TEXT;
    snprintf(line, sizeof line, "%s.code", file);
    ck_assert(program_read_file(line, code));
    int n = atoi(code->s);
    darc_text_clear(code);
    return n;
}

static void must_say(int i, const char *words, const char *why)
{
    int code = run(i, words);
    ck_assert_msg(code == 4, "darc %s: exit code %d", commands[i], code);
    ck_assert_msg(strstr(err->s, "standard output: error: cannot write: ") &&
                      strstr(err->s, why),
                  "darc %s: %s", commands[i], err->s);
}

START_TEST(a_full_disk_is_told)
{
    must_say(_i, ">/dev/full", "No space left");
}
END_TEST

START_TEST(a_closed_output_is_told)
{
    must_say(_i, ">&-", "Bad file descriptor");
}
END_TEST

START_TEST(a_pipe_without_a_reader_is_told)
{
    int ends[2];
    char words[32];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    snprintf(words, sizeof words, ">&%d", ends[1]);
    must_say(_i, words, "Broken pipe");
    close(ends[1]);
}
END_TEST

START_TEST(a_reader_may_leave)
{
    run(_i, "| head -1 >/dev/null");
    ck_assert_msg(strstr(err->s, "rror") == NULL, "darc %s: %s", commands[_i],
                  err->s);
}
END_TEST

/* More than a pipe holds. */
START_TEST(a_reader_may_leave_early)
{
    char line[2000], file[300];
    snprintf(file, sizeof file, "%s/stderr", program_directory());
    snprintf(line, sizeof line,
             "%s simulate systems/low_pass/model.darc --param T=0.1,K=2 "
             "--input u=multisine:1,0.1,5 --quiet --rate 10000 --t-end 10 "
             "-o - 2>%s | head -1 >/dev/null",
             getenv("DARC"), file);
    ck_assert_int_eq(system(line), 0);
    ck_assert(program_read_file(file, err));
    ck_assert_str_eq(err->s, "");
}
END_TEST

/* ---- files ----------------------------------------------------------------
 */

#define MAKE                                                                   \
    "simulate systems/low_pass/model.darc --param T=0.1,K=2 --input "          \
    "u=multisine:1,0.1,5 --quiet -o "

/* Run a line of the shell in the temporary directory; DARC, ROOT: the program,
 * where the test runs. */
static int shell(const char *words)
{
    char line[4000], here[1000];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    const char *darc = getenv("DARC");
    snprintf(line, sizeof line,
             "R=%s; D=%s%s%s; cd %s && rm -rf * .darc* && ln -s $R/systems . "
             "|| exit 9; %s",
             here, darc[0] == '/' ? "" : here, darc[0] == '/' ? "" : "/", darc,
             program_directory(), words);
    int state = system(line);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

static const char *const lines[] = {
    /* a name as long as the system allows */
    "f=$(printf '%0255d' 7); $D " MAKE "$f && test -s $f",
    /* links stay links, also one that led to nothing */
    "echo old >a; ln -s a b; $D " MAKE "b && test -L b && ! grep old a",
    "mkdir d; ln -s d/new b; $D " MAKE "b && test -L b && test -s d/new",
    "ln -s c b; ln -s b c; $D " MAKE "b 2>e; test $? = 4 && grep -q Too e",
    /* all names of a file see what is written */
    "echo old >a; ln a b; $D " MAKE "a && cmp a b && ! grep old b",
    /* mode, and that of a new file */
    "echo old >a; chmod 640 a; $D " MAKE "a && test $(stat -c %a a) = 640",
    "umask 027; $D " MAKE "a && test $(stat -c %a a) = 640",
    /* owner */
    "test $(id -u) != 0 || { echo old >a; chown 65534:65533 a; $D " MAKE
    "a && test $(stat -c %u:%g a) = 65534:65533; }",
    /* a folder that is read only, which stops all but root */
    "test $(id -u) = 0 || { mkdir d; echo >d/a; chmod 555 d; $D " MAKE
    "d/a && chmod 755 d && test -s d/a; }",
    /* a limit on sizes: the old file stays, and nothing else */
    "echo old >a; (ulimit -f 1; $D " MAKE "a --rate 1000 2>e); test $? = 4 && "
    "grep -q large e && grep -q old a && test -z \"$(ls -A | grep tmp)\"",
    /* a name with a comma is proposed as it is taken */
    "printf 't,\"a, b\",c d\\n0,5,1\\n1,6,2\\n2,7,4\\n' >a; $D data a >b && "
    "grep -qF "
    "-- \"--map 'NAME1=\\\"a, b\\\",NAME2=c d'\" b && "
    "$D data a --map 'y=\"a, b\",z=c d' >b && grep -q '  y  *5  *7' b && "
    "grep -q '  z  *1  *4' b",
    /* what a killed run leaves, the next one removes */
    "$D " MAKE "a --rate 10000 --t-end 200 & for i in $(seq 500); do "
    "sleep 0.01; ls -A | grep -q tmp && break; done; "
    "kill -9 $(ps -o pid= --ppid $!) $!; wait; $D " MAKE
    "a && test -s a && test -z \"$(ls -A | grep tmp)\"",
};

START_TEST(files_are_as_people_expect)
{
    ck_assert_msg(shell(lines[_i]) == 0, "%s", lines[_i]);
}
END_TEST

/* Arguments, and what is said of them. */
static const char *const streams[][2] = {
    {"check structure " CAR "model.darc " CAR "data.csv --json - --html -",
     "--json - and --html -: standard output holds one result; name a file "
     "for the other"},
    {"check equal " CAR "model.darc - - <" CAR "data.csv",
     "'-' stands 2 times: standard input is read once"},
};

START_TEST(a_stream_serves_once)
{
    char said[300];
    darc_text_t out = DARC_TEXT;
    ck_assert_int_eq(program_run(streams[_i][0], out, err), 3);
    snprintf(said, sizeof said, "darc: %s\n", streams[_i][1]);
    ck_assert_str_eq(err->s, said);
    ck_assert_str_eq(out->s, "");
    darc_text_clear(out);
}
END_TEST

START_TEST(a_killed_computation_says_so)
{
    ck_assert_int_eq(
        shell("$D eliminate systems/qwwc/model.darc >out 2>said & until c=$(ps "
              "-o pid= --ppid $!); do sleep .01; done; kill -9 $c; wait $!; "
              "[ $? = 5 ] && grep -q 'killed (signal 9).*--memory' said"),
        0);
}
END_TEST

/* The child waits for a model that nobody writes. */
START_TEST(no_computation_outlives_its_command)
{
    ck_assert_int_eq(
        shell("rm -f pipe; mkfifo pipe; $D eliminate pipe >out 2>said & until "
              "c=$(ps -o pid= --ppid $!); do sleep .01; done; kill -9 $!; "
              "while ps -o stat= -p $c | grep -qv Z; do sleep .01; done"),
        0);
}
END_TEST

Suite *suite_output(void)
{
    Suite *s = suite_create("output");
    TCase *c = tcase_create("output");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, a_full_disk_is_told, 0, COMMANDS);
    tcase_add_loop_test(c, a_closed_output_is_told, 0, COMMANDS);
    tcase_add_loop_test(c, a_pipe_without_a_reader_is_told, 0, COMMANDS);
    tcase_add_loop_test(c, a_reader_may_leave, 0, COMMANDS);
    tcase_add_test(c, a_reader_may_leave_early);
    tcase_add_loop_test(c, a_stream_serves_once, 0, 2);
    tcase_add_test(c, a_killed_computation_says_so);
    tcase_add_test(c, no_computation_outlives_its_command);
    tcase_add_loop_test(c, files_are_as_people_expect, 0,
                        sizeof lines / sizeof lines[0]);
    suite_add_tcase(s, c);
    return s;
}
