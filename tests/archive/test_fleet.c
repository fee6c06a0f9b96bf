/* Campaigns on several ranks: mpirun -n 2 darc drift.  Skipped, with a line
 * that says so, where mpirun cannot run or darc was built without MPI. */
#include "tests.h"

#include "base/mem.h"
#include "program.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CAR "systems/quarter_car_chassis/"
/* What MPI's library keeps to its end is no leak of darc's. */
#define LAUNCH "env ASAN_OPTIONS=detect_leaks=0 mpirun --oversubscribe -n 2 "

static darc_text_t out, err;
static char *darc, *launched; /* values of DARC: alone, on two ranks */
static bool can;              /* there are two ranks */

/* Once for all tests. */
static void find_mpirun(void)
{
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    darc_text_t t = DARC_TEXT;
    darc = darc_strdup(getenv("DARC"));
    darc_text_printf(t, LAUNCH "%s", darc);
    launched = darc_text_take(t);
    darc_text_printf(t,
                     LAUNCH "%s drift " CAR "model.darc 2>&1 | grep usage "
                            ">/dev/null",
                     darc);
    can = system(t->s) == 0;
    if (!can)
        fprintf(stderr, "fleet: skipped, mpirun cannot run, or this build of "
                        "darc lacks MPI\n");
    darc_text_clear(t);
}

static void forget_mpirun(void)
{
    darc_free(darc);
    free(launched);
}

static void setup(void)
{
    darc_text_init(out);
    darc_text_init(err);
}

static void teardown(void)
{
    setenv("DARC", darc, 1);
    darc_text_clear(out);
    darc_text_clear(err);
}

/* Run with DARC so; return the exit code. */
static int run(const char *with, const char *format, const char *argument)
{
    char line[2000];
    setenv("DARC", with, 1);
    snprintf(line, sizeof line, format, argument);
    int code = program_run(line, out, err);
    setenv("DARC", darc, 1);
    return code;
}

/* The rows of a database but for times, in order; to be freed. */
static char *dump(const char *db)
{
    char command[600];
    darc_text_t text = DARC_TEXT;
    snprintf(command, sizeof command,
             "python3 -c \"import sqlite3\n"
             "db = sqlite3.connect('%s')\n"
             "db.execute('UPDATE recording SET added = 0')\n"
             "print(*sorted(db.iterdump()), sep='\\n')\"",
             db);
    FILE *p = popen(command, "r");
    ck_assert_ptr_nonnull(p);
    char line[4096];
    while (fgets(line, sizeof line, p) != NULL)
        darc_text_puts(text, line);
    ck_assert_int_eq(pclose(p), 0);
    ck_assert_uint_gt(text->len, 1000);
    return darc_text_take(text);
}

/* A campaign with a step, a damaged file and one that is away. */
static void make_list(char *list, size_t size)
{
    snprintf(list, size, "%s/list", program_directory());
    FILE *f = fopen(list, "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 36; i++) {
        char file[300], command[1000];
        snprintf(file, sizeof file, "%s/%d.csv", program_directory(), i);
        snprintf(command, sizeof command, "awk 'NR < %d' " CAR "%s.csv > %s",
                 i == 5 ? 20 : 1800 + 10 * i, i < 18 ? "data" : "heavier",
                 file);
        ck_assert_int_eq(system(command), 0);
        fprintf(f, "%s\n", i == 8 ? "/no/such/file.csv" : file);
    }
    fclose(f);
}

START_TEST(two_ranks_say_and_store_what_one_does)
{
    char list[300], db[2][320];
    if (!can)
        return;
    make_list(list, sizeof list);
    for (int k = 0; k < 2; k++)
        snprintf(db[k], sizeof db[k], "%s.%d.sqlite", list, k);
    const char *with[] = {darc, launched};
    char *said[2], *stored[2];
    for (int k = 0; k < 2; k++) {
        char line[1000];
        snprintf(line, sizeof line,
                 "drift " CAR "model.darc --list %s --db %s --json %s.json",
                 list, "%s", list);
        ck_assert_int_eq(run(with[k], line, db[k]), 4); /* one is away */
        /* from a file: mpirun of Open MPI 5 loses bytes on a pipe */
        darc_text_reset(out);
        snprintf(line, sizeof line, "%s.json", list);
        ck_assert(program_read_file(line, out));
        const char *begin = strstr(out->s, "\"baseline\"");
        ck_assert_ptr_nonnull(begin);
        said[k] = darc_strdup(begin);
        stored[k] = dump(db[k]);
    }
    ck_assert_str_eq(said[0], said[1]);
    ck_assert_str_eq(stored[0], stored[1]);
    ck_assert_ptr_nonnull(strstr(said[0], "\"damaged\""));
    ck_assert_ptr_nonnull(strstr(said[0], "\"not_read\""));
    for (int k = 0; k < 2; k++) {
        darc_free(said[k]);
        free(stored[k]);
    }
}
END_TEST

START_TEST(what_goes_into_a_file_has_no_colours)
{
    const char *line = "drift " CAR "model.darc " CAR "data.csv %s";
    if (!can)
        return;
    setenv("TERM", "xterm", 1);
    ck_assert_int_eq(run(launched, line, CAR "heavier.csv"), 1);
    ck_assert_ptr_nonnull(strstr(out->s, "INCONSISTENT"));
    ck_assert_ptr_null(strchr(out->s, '\033'));
}
END_TEST

START_TEST(tasks_of_srun_need_mpi)
{
    const char *line = "drift " CAR "model.darc " CAR "data.csv %s";
    setenv("SLURM_STEP_NUM_TASKS", "2", 1);
    ck_assert_int_eq(run(darc, line, CAR "heavier.csv"), 5);
    ck_assert_ptr_nonnull(strstr(err->s, "--mpi=pmix"));
    setenv("SLURM_STEP_NUM_TASKS", "1", 1);
    ck_assert_int_eq(run(darc, line, CAR "heavier.csv"), 1);
    unsetenv("SLURM_STEP_NUM_TASKS");
}
END_TEST

/* Return how many recordings the database holds. */
static int stored(const char *db)
{
    int n = 0;
    sqlite3 *s;
    sqlite3_stmt *q;
    if (sqlite3_open_v2(db, &s, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(s, "SELECT count(*) FROM recording", -1, &q, NULL) ==
            SQLITE_OK) {
        n = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int(q, 0) : 0;
        sqlite3_finalize(q);
    }
    sqlite3_close(s);
    return n;
}

/* Run, and kill mpirun as soon as the database holds so many recordings. */
static void run_killed(const char *line, const char *db, int many)
{
    const struct timespec moment = {0, 2000000};
    char command[3000];
    int n = snprintf(command, sizeof command, "exec %s ", launched);
    snprintf(command + n, sizeof command - (size_t)n, line, db);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null", "w", stdout);
        freopen("/dev/null", "w", stderr);
        execl("/bin/sh", "sh", "-c", command, NULL);
        _exit(127);
    }
    bool ended = false;
    while (!ended && stored(db) < many) {
        nanosleep(&moment, NULL);
        ended = waitpid(child, NULL, WNOHANG) == child;
    }
    if (ended)
        return;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

START_TEST(after_a_kill_the_next_run_goes_on)
{
    char list[300], line[1000], db[320];
    if (!can)
        return;
    make_list(list, sizeof list);
    snprintf(db, sizeof db, "%s.sqlite", list);
    snprintf(line, sizeof line,
             "drift " CAR "model.darc --list %s --quiet --db %s", list, "%s");
    ck_assert_int_eq(run(darc, line, db), 4);
    char *whole = dump(db);
    unlink(db);
    run_killed(line, db, 2);
    run_killed(line, db, 12);
    fprintf(stderr, "fleet: killed with %d of 35 recordings\n", stored(db));
    ck_assert_int_eq(run(launched, line, db), 4);
    char *pieces = dump(db);
    ck_assert_str_eq(whole, pieces);
    free(whole);
    free(pieces);
}
END_TEST

/* Whether the process has the file open; stop it then. */
static bool stop_reader(const char *process, const char *file)
{
    char folder[300], link[600], target[600];
    snprintf(folder, sizeof folder, "/proc/%s/fd", process);
    DIR *d = opendir(folder);
    bool reads = false;
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL && !reads;) {
        snprintf(link, sizeof link, "%.290s/%.250s", folder, e->d_name);
        ssize_t n = readlink(link, target, sizeof target - 1);
        target[n < 0 ? 0 : n] = '\0';
        reads = strcmp(target, file) == 0 && atoi(process) != getpid();
    }
    if (d != NULL)
        closedir(d);
    if (reads)
        kill(atoi(process), SIGSTOP);
    return reads;
}

/* Stop who reads the pipe, which is open; return it. */
static pid_t find_reader(const char *pipe)
{
    for (pid_t found = 0;;) {
        DIR *d = opendir("/proc");
        for (struct dirent *e; (e = readdir(d)) != NULL && found == 0;)
            if (e->d_name[0] >= '1' && e->d_name[0] <= '9' &&
                stop_reader(e->d_name, pipe))
                found = atoi(e->d_name);
        closedir(d);
        if (found != 0)
            return found;
    }
}

/* Write the recording into the pipe, or (NULL) kill who reads it: once the pipe
 * is closed, or the next reader might find an end of it. */
static void feed(const char *pipe, const char *recording)
{
    int fd = open(pipe, O_WRONLY); /* waits for the reader */
    ck_assert_int_ge(fd, 0);
    darc_text_t text = DARC_TEXT;
    pid_t reader = recording == NULL ? find_reader(pipe) : 0;
    ck_assert(recording == NULL || program_read_file(recording, text));
    ck_assert_int_eq(write(fd, text->s, text->len), (ssize_t)text->len);
    close(fd);
    if (reader != 0)
        kill(reader, SIGKILL);
    darc_text_clear(text);
}

/* A recording comes through a pipe: who reads it is killed so often. */
static int run_with_deaths(int deaths, const char *pipe)
{
    char line[1000];
    fflush(NULL);
    pid_t feeder = fork();
    const struct timespec half = {0, 500000000};
    if (feeder == 0) {
        signal(SIGPIPE, SIG_IGN);
        for (int k = 0; k < deaths; k++) {
            feed(pipe, NULL);
            nanosleep(&half, NULL); /* for the pipe to lose its reader */
        }
        if (deaths < 2)
            feed(pipe, CAR "heavier.csv");
        _exit(0);
    }
    snprintf(line, sizeof line,
             "drift " CAR "model.darc " CAR "data.csv %s " CAR
             "other_road.csv --json -",
             "%s");
    return run(launched, line, pipe);
}

START_TEST(a_death_costs_one_recording_which_is_tried_again)
{
    char pipe[300];
    if (!can)
        return;
    snprintf(pipe, sizeof pipe, "%s/pipe", program_directory());
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    ck_assert_int_eq(run_with_deaths(1, pipe), 1);
    ck_assert_ptr_nonnull(strstr(err->s, "tried once more"));
    ck_assert_ptr_null(strstr(out->s, "not_read"));
    ck_assert_int_eq(run_with_deaths(2, pipe), 5);
    ck_assert_ptr_nonnull(strstr(out->s, "not_read"));
    const char *third = strstr(out->s, CAR "other_road.csv\",");
    ck_assert_ptr_nonnull(third);
    ck_assert_ptr_nonnull(strstr(third, "\"verdict\": \"consistent\""));
}
END_TEST

Suite *suite_fleet(void)
{
    Suite *s = suite_create("fleet");
    TCase *c = tcase_create("fleet");
    tcase_add_unchecked_fixture(c, find_mpirun, forget_mpirun);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, two_ranks_say_and_store_what_one_does);
    tcase_add_test(c, what_goes_into_a_file_has_no_colours);
    tcase_add_test(c, tasks_of_srun_need_mpi);
    tcase_add_test(c, after_a_kill_the_next_run_goes_on);
    tcase_add_test(c, a_death_costs_one_recording_which_is_tried_again);
    suite_add_tcase(s, c);
    return s;
}
