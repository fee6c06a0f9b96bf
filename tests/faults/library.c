/* library.c - a program that uses the library: in the children of its calls the
 * n-th allocation fails, for n as chance will have it; it lives on, with the
 * answer as it should be, or DARC_LIMIT.
 *
 * usage: library SECONDS [SEED]
 */
#define _GNU_SOURCE
#include "darc.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

static atomic_long *calls; /* of the newest child; shared with it */
static long at;            /* the one that fails; 0: none */
static int counts;         /* whether this is a child, or is to fail, too */

static int fails(void)
{
    return counts && ++*calls == at;
}

void *malloc(size_t n)
{
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails() ? NULL : __libc_realloc(p, n);
}

static void in_child(void)
{
    counts = 1;
    dup2(open("/dev/null", O_WRONLY), 2); /* FLINT's message */
}

/* Each sets *text to its answer, to be freed. */

static darc_status eliminate(char **text, const darc_model *m, darc_err *err)
{
    darc_elimination *e;
    DARC_NEED(darc_eliminate(&e, m, NULL, NULL, err));
    *text = strdup(darc_elimination_text(e, "python"));
    darc_elimination_free(e);
    return DARC_OK;
}

static darc_status identify(char **text, const darc_model *m, darc_err *err)
{
    darc_identified *found;
    DARC_NEED(darc_identify(&found, m, NULL, NULL, err));
    *text = strdup(darc_identified_text(found, "json"));
    darc_identified_free(found);
    return DARC_OK;
}

static darc_status check(char **text, const darc_model *m, darc_err *err)
{
    darc_session *s;
    DARC_NEED(darc_session_open(&s, m, NULL, NULL, err));
    darc_status status =
        darc_session_read(s, "systems/quarter_car_chassis/data.csv", err);
    if (status == DARC_OK)
        status = darc_session_check(s, DARC_STRUCTURE, err);
    *text = status == DARC_OK ? strdup(darc_session_text(s, "json")) : NULL;
    darc_session_free(s);
    return status;
}

static const struct {
    const char *name;
    darc_status (*ask)(char **text, const darc_model *m, darc_err *err);
} questions[] = {
    {"eliminate", eliminate}, {"identify", identify}, {"check", check}};

enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* Return whether question q, with that allocation failing, is answered so, or
 * not for lack of memory. */
static int stands(int q, const darc_model *m, const char *answer)
{
    char *text = NULL;
    darc_err err;
    darc_err_init(&err);
    *calls = 0;
    darc_status status = questions[q].ask(&text, m, &err);
    int good = status == DARC_OK ? strcmp(text, answer) == 0
                                 : status == DARC_LIMIT && *err.message != '\0';
    if (!good)
        printf("FINDING %s, allocation %ld: %s: %s\n", questions[q].name, at,
               darc_status_text(status), err.message);
    free(text);
    return good;
}

int main(int argc, char **argv)
{
    char *answer[QUESTIONS];
    long most[QUESTIONS], runs = 0, findings = 0;
    darc_model *m;
    double end = darc_now() + (argc > 1 ? atof(argv[1]) : 10);
    srandom(argc > 2 ? (unsigned)atoi(argv[2]) : 1);
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED || pthread_atfork(NULL, NULL, in_child) != 0 ||
        darc_model_read(&m, "systems/quarter_car_chassis/model.darc", NULL) !=
            DARC_OK)
        return 2;
    for (int q = 0; q < QUESTIONS; q++) {
        *calls = 0;
        if (questions[q].ask(&answer[q], m, NULL) != DARC_OK)
            return 2;
        most[q] = *calls;
    }
    for (; darc_now() < end; runs++) {
        int q = (int)(random() % QUESTIONS);
        at = 1 + random() % most[q];
        findings += !stands(q, m, answer[q]);
    }
    printf("library: %ld runs, of %ld, %ld and %ld allocations; %ld "
           "findings\n",
           runs, most[0], most[1], most[2], findings);
    for (int q = 0; q < QUESTIONS; q++)
        free(answer[q]);
    darc_model_free(m);
    return findings > 0;
}
