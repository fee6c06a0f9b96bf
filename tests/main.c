/* Runs all suites, or those of the names, rooms or ROOM/NAMEs on the command
 * line; after a minus, all others.  --list, before them: prints their
 * ROOM/NAMEs instead. */
#include "tests.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct {
    const char *room, *name;
    Suite *(*make)(void);
} suites[] = {
#define ROW(room, name) {#room, #name, suite_##name},
    DARC_SUITES(ROW)
#undef ROW
};

static int is_of(size_t suite, const char *name)
{
    size_t room = strlen(suites[suite].room);
    return strcmp(name, suites[suite].name) == 0 ||
           strcmp(name, suites[suite].room) == 0 ||
           (strncmp(name, suites[suite].room, room) == 0 && name[room] == '/' &&
            strcmp(name + room + 1, suites[suite].name) == 0);
}

/* Return whether names, a NULL behind them, ask for the suite. */
static int is_wanted(size_t suite, char **names)
{
    int named = 0, others = 1;
    for (; *names != NULL; names++) {
        if (**names == '-' && is_of(suite, *names + 1))
            return 0;
        others = others && **names == '-';
        named = named || is_of(suite, *names);
    }
    return named || others;
}

/* Return the first of the names that no suite or room has, or NULL. */
static const char *stranger(char **names)
{
    for (; *names != NULL; names++) {
        size_t i = 0, n = sizeof suites / sizeof suites[0];
        while (i < n && !is_of(i, *names + (**names == '-')))
            i++;
        if (i == n)
            return *names;
    }
    return NULL;
}

/* Against tests that hang, not against slow or busy machines: ten minutes of
 * CPU time for a test, and two hours for one that waits for nothing. */
static void limit_time(void)
{
    const char *fork = getenv("CK_FORK");
    setenv("CK_DEFAULT_TIMEOUT", "7200", 0);
    if (fork == NULL || strcmp(fork, "no") != 0)
        setrlimit(RLIMIT_CPU, &(struct rlimit){600, 660});
}

/* ---- CPU time of every test, each in a process of its own ---------------- */

static int forked, test;
static pid_t parent, own;

static void begin(void)
{
    forked++;
}

static void tell(void)
{
    struct rusage r[2];
    FILE *f = getpid() == own ? fopen(getenv("DARC_TIMES"), "a") : NULL;
    double sum = 0;
    if (f == NULL)
        return;
    getrusage(RUSAGE_SELF, r);
    getrusage(RUSAGE_CHILDREN, r + 1);
    for (int i = 0; i < 2; i++)
        sum += (double)(r[i].ru_utime.tv_sec + r[i].ru_stime.tv_sec) +
               1e-6 * (double)(r[i].ru_utime.tv_usec + r[i].ru_stime.tv_usec);
    fprintf(f, "%d %.3f\n", test, sum);
    fclose(f);
}

static void in_child(void)
{
    if (getppid() == parent) {
        own = getpid();
        test = forked;
        atexit(tell);
    }
}

/* Have each test append its number, from 1, and its seconds of CPU time to the
 * file that DARC_TIMES names. */
static void take_times(void)
{
    parent = getpid();
    if (getenv("DARC_TIMES") != NULL)
        pthread_atfork(begin, NULL, in_child);
}

int main(int argc, char **argv)
{
    limit_time();
    take_times();
    int list = argc > 1 && strcmp(argv[1], "--list") == 0, found = 0;
    const char *wrong = stranger(argv + 1 + list);
    if (wrong != NULL) {
        fprintf(stderr, "no such suite or room: %s\n", wrong);
        return EXIT_FAILURE;
    }
    SRunner *runner = srunner_create(NULL);
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        if (is_wanted(i, argv + 1 + list)) {
            found++;
            if (list)
                printf("%s/%s\n", suites[i].room, suites[i].name);
            else
                srunner_add_suite(runner, suites[i].make());
        }
    if (!list)
        srunner_run_all(runner, CK_NORMAL);
    int failed = found == 0 || srunner_ntests_failed(runner) > 0;
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
