/* library.c - a program that uses the library: in the children of its calls, or
 * in calls that need none, the n-th allocation fails, for n as chance will have
 * it; it lives on, with the answer as it should be, or DARC_LIMIT, and with as
 * much memory, files and children as before.
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
#include <sys/wait.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void __libc_free(void *p);

#define CAR "systems/quarter_car_chassis/"

static atomic_long *calls; /* of the newest child; shared with it */
static long at;            /* the one that fails; 0: none */
static atomic_long live;   /* pieces of memory */
static enum {
    NONE,
    OWN,
    ALL
} counts; /* which count: darc's own, in a child
             all */

extern const char __executable_start, etext; /* the library is static */

static int fails(const void *from)
{
    const char *p = from;
    int own = p >= &__executable_start && p < &etext;
    return (counts == ALL || (counts == OWN && own)) && ++*calls == at;
}

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *malloc(size_t n)
{
    return fails(__builtin_return_address(0)) ? NULL
                                              : counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL
                                              : counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
    if (fails(__builtin_return_address(0)))
        return NULL;
    return p == NULL ? counted(__libc_malloc(n)) : __libc_realloc(p, n);
}

void free(void *p)
{
    live -= p != NULL;
    __libc_free(p);
}

static void in_child(void)
{
    counts = ALL;
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

static darc_status plan(char **text, const darc_model *m, darc_err *err)
{
    darc_planned *p = NULL;
    darc_model *motor = NULL;
    darc_options *o;
    (void)m;
    *text = NULL;
    DARC_NEED(darc_options_new(&o, "plan", err));
    darc_status status =
        darc_options_set(o, "values", "systems/dc_motor/data.csv", err);
    if (status == DARC_OK)
        status = darc_options_set(o, "input", "u=multisine:1,0.1,5", err);
    if (status == DARC_OK)
        status = darc_model_read(&motor, "systems/dc_motor/model.darc", err);
    if (status == DARC_OK)
        status = darc_plan(&p, motor, o, NULL, err);
    if (status == DARC_OK)
        *text = strdup(darc_planned_text(p, "json"));
    darc_planned_free(p);
    darc_model_free(motor);
    darc_options_free(o);
    return status;
}

static darc_status identify(char **text, const darc_model *m, darc_err *err)
{
    darc_identified *found;
    DARC_NEED(darc_identify(&found, m, NULL, NULL, err));
    *text = strdup(darc_identified_text(found, "json"));
    darc_identified_free(found);
    return DARC_OK;
}

/* A gain and a damping that make the poles of another model. */
static darc_status fulfil(char **text, const darc_model *m, darc_err *err)
{
    static const char *const given[] = {"parameters\n k1 k2\n",
                                        "constants\n k1 = 2\n k2 = 3\n"};
    darc_model *of[2] = {NULL, NULL};
    darc_fulfilled *found;
    char model[200];
    darc_status status = DARC_OK;
    (void)m;
    for (int k = 0; k < 2 && status == DARC_OK; k++) {
        snprintf(model, sizeof model,
                 "model m\n%sinputs\n u\noutputs\n y\nequations\n"
                 " y'' + k2*y' + k1*y = u\n",
                 given[k]);
        status = darc_model_parse(&of[k], model, strlen(model), "m", err);
    }
    if (status == DARC_OK)
        status = darc_fulfil(&found, of[0], of[1], NULL, NULL, err);
    if (status == DARC_OK) {
        *text = strdup(darc_fulfilled_text(found, "json"));
        darc_fulfilled_free(found);
    }
    darc_model_free(of[0]);
    darc_model_free(of[1]);
    return status;
}

static darc_status
with_session(char **text, const darc_model *m, const char *method,
             int recordings, darc_status (*ask)(darc_session *s, darc_err *err),
             darc_err *err)
{
    darc_session *s = NULL;
    darc_options *o;
    DARC_NEED(darc_options_new(&o, "check", err));
    darc_status status = darc_options_set(o, "method", method, err);
    if (status == DARC_OK)
        status = darc_session_open(&s, m, o, NULL, err);
    if (status == DARC_OK)
        status = darc_session_read(s, CAR "data.csv", err);
    if (status == DARC_OK && recordings == 2)
        status = darc_session_read(s, CAR "heavier.csv", err);
    if (status == DARC_OK)
        status = ask(s, err);
    *text = status == DARC_OK ? strdup(darc_session_text(s, "json")) : NULL;
    darc_session_free(s);
    darc_options_free(o);
    return status;
}

static darc_status ask_structure(darc_session *s, darc_err *err)
{
    return darc_session_check(s, DARC_STRUCTURE, err);
}

static darc_status check(char **text, const darc_model *m, darc_err *err)
{
    return with_session(text, m, "weak", 1, ask_structure, err);
}

static darc_status pointwise(char **text, const darc_model *m, darc_err *err)
{
    return with_session(text, m, "pointwise", 1, ask_structure, err);
}

static darc_status values(char **text, const darc_model *m, darc_err *err)
{
    return with_session(text, m, "weak", 1, darc_session_values, err);
}

static darc_status isolate(char **text, const darc_model *m, darc_err *err)
{
    return with_session(text, m, "weak", 2, darc_session_isolate, err);
}

/* ---- in this process: between these the own allocations count */

static int here; /* whether they do */

static void begin(void)
{
    *calls = 0;
    counts = here ? OWN : NONE;
}

static darc_status end(darc_status status)
{
    counts = NONE;
    return status;
}

static darc_status say(char **text, darc_recording *r)
{
    *text = strdup(darc_recording_text(r, "json"));
    darc_recording_free(r);
    return DARC_OK;
}

static darc_status read_file(char **text, const char *file, darc_err *err)
{
    darc_recording *r;
    begin();
    DARC_NEED(end(darc_recording_read(&r, file, NULL, err)));
    return say(text, r);
}

static darc_status read_csv(char **text, const darc_model *m, darc_err *err)
{
    (void)m;
    return read_file(text, CAR "data.csv", err);
}

static darc_status read_mdf(char **text, const darc_model *m, darc_err *err)
{
    (void)m;
    return read_file(text, "tests/fuzz/mdf4/plain.mf4", err);
}

static darc_status copy(char **text, const darc_model *m, darc_err *err)
{
    darc_recording *r, *other;
    (void)m;
    DARC_NEED(darc_recording_read(&r, CAR "data.csv", NULL, err));
    begin();
    darc_status status =
        end(darc_recording_new(&other, darc_recording_samples(r), err));
    darc_recording_free(r);
    return status == DARC_OK ? say(text, other) : status;
}

static darc_status compare(char **text, const darc_model *m, darc_err *err)
{
    darc_recording *r[2] = {NULL, NULL};
    darc_agreement *a;
    darc_options *o;
    (void)m;
    DARC_NEED(darc_options_new(&o, "compare", err));
    darc_status status = darc_options_set(o, "checklist", "yes", err);
    if (status == DARC_OK)
        status = darc_options_set(o, "varied",
                                  CAR "data.csv," CAR "heavier.csv", err);
    if (status == DARC_OK)
        status = darc_recording_read(&r[0], CAR "data.csv", NULL, err);
    if (status == DARC_OK)
        status = darc_recording_read(&r[1], CAR "heavier.csv", NULL, err);
    begin();
    if (status == DARC_OK)
        status =
            darc_compare(&a, (const darc_recording *const *)r, 1, 2, o, err);
    end(status);
    if (status == DARC_OK) {
        *text = strdup(darc_agreement_text(a, "json"));
        darc_agreement_free(a);
    }
    darc_recording_free(r[0]);
    darc_recording_free(r[1]);
    darc_options_free(o);
    return status;
}

static darc_status assess(char **text, const darc_model *m, darc_err *err)
{
    darc_credibility *c;
    (void)m;
    begin();
    DARC_NEED(
        end(darc_assess(&c, "systems/missile/flight.factors", NULL, err)));
    *text = strdup(darc_credibility_text(c, "json"));
    darc_credibility_free(c);
    return DARC_OK;
}

static darc_status parse(char **text, const darc_model *m, darc_err *err)
{
    darc_model *own;
    (void)m;
    begin();
    DARC_NEED(end(darc_model_read(&own, "systems/arrhenius/model.darc", err)));
    *text = strdup(darc_model_unknown(own, darc_model_unknowns(own) - 1));
    darc_model_free(own);
    return DARC_OK;
}

/* A session that could not read a recording takes the next. */
static darc_status add(char **text, const darc_model *m, darc_err *err)
{
    darc_session *s;
    darc_budget b;
    darc_budget_init(&b);
    b.here = true;
    *text = NULL;
    DARC_NEED(darc_session_open(&s, m, NULL, &b, err));
    begin();
    darc_status status = end(darc_session_read(s, CAR "data.csv", err));
    int read = status == DARC_OK;
    if (read) {
        counts = here ? OWN : NONE; /* on */
        status = end(darc_session_read(s, CAR "heavier.csv", err));
    }
    if (status != DARC_OK &&
        (darc_session_read(s, CAR "heavier.csv", NULL) ||
         (!read && darc_session_read(s, CAR "data.csv", NULL)) ||
         (at % 16 == 0 && darc_session_check(s, DARC_EQUAL, NULL))))
        status = DARC_INTERNAL;
    if (status == DARC_OK)
        *text = strdup("two");
    darc_session_free(s);
    return status;
}

static const struct {
    const char *name;
    darc_status (*ask)(char **text, const darc_model *m, darc_err *err);
    int here;
    int lost; /* pieces of FLINT's memory, at most */
} questions[] = {{"eliminate", eliminate, 0}, {"identify", identify, 0},
                 {"fulfil", fulfil, 0},       {"plan", plan, 0},
                 {"check", check, 0},         {"pointwise", pointwise, 0},
                 {"values", values, 0},       {"isolate", isolate, 0},
                 {"CSV", read_csv, 1},        {"MDF", read_mdf, 1},
                 {"copy", copy, 1},           {"compare", compare, 1},
                 {"assess", assess, 1},       {"add", add, 1},
                 {"parse", parse, 1, 60}};

enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* Files that are open. */
static int files(void)
{
    int n = 0;
    for (int i = 0; i < 256; i++)
        n += fcntl(i, F_GETFD) >= 0;
    return n;
}

/* Return whether question q, with that allocation failing, is answered so, or
 * not for lack of memory. */
static int stands(int q, const darc_model *m, const char *answer)
{
    char *text = NULL;
    darc_err err;
    darc_err_init(&err);
    *calls = 0;
    here = questions[q].here;
    long was = live;
    int open = files();
    darc_status status = questions[q].ask(&text, m, &err);
    int good = status == DARC_OK ? strcmp(text, answer) == 0
                                 : status == DARC_LIMIT && *err.message != '\0';
    if (!good)
        printf("FINDING %s, allocation %ld: %s: %s\n", questions[q].name, at,
               darc_status_text(status), err.message);
    free(text);
    if (live < was || live > was + (good ? questions[q].lost : 0) ||
        files() != open || waitpid(-1, NULL, WNOHANG) >= 0) {
        printf("FINDING %s, allocation %ld: %ld pieces of memory, %d files "
               "are left, or a child\n",
               questions[q].name, at, live - was, files() - open);
        return 0;
    }
    return good;
}

int main(int argc, char **argv)
{
    char *answer[QUESTIONS];
    long most[QUESTIONS], runs = 0, findings = 0;
    darc_model *m;
    srandom(argc > 2 ? (unsigned)atoi(argv[2]) : 1);
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED || pthread_atfork(NULL, NULL, in_child) != 0 ||
        darc_model_read(&m, CAR "model.darc", NULL) != DARC_OK)
        return 2;
    for (int q = 0; q < QUESTIONS; q++) {
        *calls = 0;
        here = questions[q].here;
        if (questions[q].ask(&answer[q], m, NULL) != DARC_OK) {
            printf("FINDING %s: no answer\n", questions[q].name);
            return 2;
        }
        most[q] = *calls;
    }
    for (int q = 0; q < QUESTIONS; q++)
        for (at = 1; questions[q].here && at <= most[q]; at++, runs++)
            findings += !stands(q, m, answer[q]);
    double end = darc_now() + (argc > 1 ? atof(argv[1]) : 10);
    for (; darc_now() < end; runs++) {
        int q = (int)(random() % QUESTIONS);
        at = 1 + random() % most[q];
        findings += !stands(q, m, answer[q]);
    }
    printf("library: %ld runs, %ld findings; allocations:", runs, findings);
    for (int q = 0; q < QUESTIONS; q++) {
        printf(" %s %ld", questions[q].name, most[q]);
        free(answer[q]);
    }
    printf("\n");
    darc_model_free(m);
    return findings > 0;
}
