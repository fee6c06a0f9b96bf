/* library.c - a program that uses the library: the n-th allocation fails, in
 * this process or a child, darc's own or a library's, for n as chance will have
 * it; it lives on, with the answer as it should be, or DARC_LIMIT, and with as
 * much memory, files and children as before, but for some of FLINT's.
 *
 * usage: library SECONDS [SEED [QUESTION [FIRST]]], FIRST: from that allocation
 * on
 */
#define _GNU_SOURCE
#include "darc.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void __libc_free(void *p);

#define CAR "systems/quarter_car_chassis/"

static atomic_long *calls;  /* of this process and its newest child */
static volatile long at;    /* the one that fails; 0: none */
static atomic_long live;    /* pieces of memory */
static volatile int counts; /* whether calls do */

static int fails(void)
{
    int now = counts && ++*calls == at;
    errno = now ? ENOMEM : errno;
    return now;
}

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *malloc(size_t n)
{
    return fails() ? NULL : counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
    if (fails())
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
    dup2(open("/dev/null", O_WRONLY), 2); /* FLINT's message */
}

/* Append a text of the library to an answer; NULL is lack of memory. */
static darc_status keep(char **answer, const char *text)
{
    counts = 0;
    size_t had = *answer != NULL ? strlen(*answer) : 0;
    if (text != NULL) {
        *answer = realloc(*answer, had + strlen(text) + 1);
        strcpy(*answer + had, text);
    }
    counts = 1;
    return text != NULL ? DARC_OK : DARC_LIMIT;
}

/* ---- each appends to *text its answer, to be freed -------------------------
 */

#define MODEL(head, equations)                                                 \
    "model m\nparameters\n m\n c\n d\n" head "outputs\n a\n z\n" equations

static const char derived[] =
    MODEL(" e\n", "derived\n s = sin(z)\n w = s^2\nequations\n"
                  " m*a = c*z + d*z' + e*s\n");

static darc_status set_all(darc_options **o, const char *command,
                           const char *const *pair, darc_err *err)
{
    *o = NULL;
    DARC_NEED(darc_options_new(o, command, err));
    for (; pair != NULL && *pair != NULL; pair += 2)
        DARC_NEED(darc_options_set(*o, pair[0], pair[1], err));
    return DARC_OK;
}

static darc_status eliminate(char **text, const darc_model *m, darc_err *err)
{
    static const char *const format[] = {"text", "latex", "json", "c",
                                         "python"};
    darc_elimination *e;
    DARC_NEED(darc_eliminate(&e, m, NULL, NULL, err));
    darc_status status = keep(text, darc_elimination_polynomial(e, 0));
    for (int i = 0; i < 5 && status == DARC_OK; i++)
        status = keep(text, darc_elimination_text(e, format[i]));
    darc_elimination_free(e);
    return status;
}

static darc_status plan(char **text, const darc_model *m, darc_err *err)
{
    static const char *const pair[] = {"values", "systems/dc_motor/data.csv",
                                       "input", "u=multisine:1,0.1,5", NULL};
    darc_planned *p = NULL;
    darc_model *motor = NULL;
    darc_options *o;
    (void)m;
    darc_status status = set_all(&o, "plan", pair, err);
    if (status == DARC_OK)
        status = darc_model_read(&motor, "systems/dc_motor/model.darc", err);
    if (status == DARC_OK)
        status = darc_plan(&p, motor, o, NULL, err);
    if (status == DARC_OK)
        status = keep(text, darc_planned_text(p, "json"));
    darc_planned_free(p);
    darc_model_free(motor);
    darc_options_free(o);
    return status;
}

static darc_status identify(char **text, const darc_model *m, darc_err *err)
{
    darc_identified *found;
    DARC_NEED(darc_identify(&found, m, NULL, NULL, err));
    darc_status status = keep(text, darc_identified_text(found, "json"));
    darc_identified_free(found);
    return status;
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
        status = keep(text, darc_fulfilled_text(found, "html"));
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
    const char *const pair[] = {"method", method, "noise", "a=0.01", NULL};
    darc_session *s = NULL;
    darc_options *o;
    darc_status status = set_all(&o, "check", pair, err);
    if (status == DARC_OK)
        status = darc_session_open(&s, m, o, NULL, err);
    if (status == DARC_OK)
        status = darc_session_read(s, CAR "data.csv", err);
    if (status == DARC_OK && recordings == 2)
        status = darc_session_read(s, CAR "heavier.csv", err);
    if (status == DARC_OK)
        status = ask(s, err);
    if (status == DARC_OK)
        status = keep(text, darc_session_text(s, "text"));
    if (status == DARC_OK)
        status = keep(text, darc_session_text(s, "json"));
    if (status == DARC_OK)
        status = keep(text, darc_session_text(s, "html"));
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

/* Derived signals. */
static darc_status derive(char **text, const darc_model *m, darc_err *err)
{
    darc_model *own;
    (void)m;
    DARC_NEED(darc_model_parse(&own, derived, strlen(derived), "m", err));
    darc_status status = check(text, own, err);
    darc_model_free(own);
    return status;
}

/* Rates that are measured: a session of integrals besides. */
static darc_status integrate(char **text, const darc_model *m, darc_err *err)
{
    static const char rates[] =
        "model m\nstates\n q\nparameters\n k0 k1 k2 R\ninputs\n a\noutputs\n"
        " z\nequations\n q' = a\n z = k0 + k1*q + k2*q^2 - R*a\n";
    darc_model *own;
    (void)m;
    DARC_NEED(darc_model_parse(&own, rates, strlen(rates), "m", err));
    darc_session *s = NULL;
    darc_options *o = NULL;
    darc_status status = set_all(&o, "check", NULL, err);
    if (status == DARC_OK)
        status = darc_session_open(&s, own, o, NULL, err);
    if (status == DARC_OK)
        status = darc_session_read(s, CAR "data.csv", err);
    if (status == DARC_OK)
        status = darc_session_check(s, DARC_STRUCTURE, err);
    if (status == DARC_OK)
        status = keep(text, darc_session_text(s, "json"));
    darc_session_free(s);
    darc_options_free(o);
    darc_model_free(own);
    return status;
}

static darc_status say(char **text, darc_recording *r)
{
    darc_status status = keep(text, darc_recording_text(r, "json"));
    darc_recording_free(r);
    return status;
}

static darc_status read_csv(char **text, const darc_model *m, darc_err *err)
{
    darc_recording *r;
    (void)m;
    DARC_NEED(darc_recording_read(&r, CAR "data.csv", NULL, err));
    return say(text, r);
}

static darc_status read_mdf(char **text, const darc_model *m, darc_err *err)
{
    darc_recording *r;
    (void)m;
    DARC_NEED(darc_recording_read(&r, "tests/fuzz/mdf4/plain.mf4", NULL, err));
    return say(text, r);
}

/* Two recordings; what is saved is whole, or not there. */
static darc_status copy(char **text, const darc_model *m, darc_err *err)
{
    darc_recording *r, *other = NULL;
    static off_t size;
    struct stat st;
    char file[40];
    (void)m;
    snprintf(file, sizeof file, "/tmp/darc-faults-%d.csv", (int)getpid());
    unlink(file);
    DARC_NEED(darc_recording_read(&r, CAR "data.csv", NULL, err));
    darc_status status =
        darc_recording_new(&other, darc_recording_samples(r), err);
    if (status == DARC_OK)
        status = darc_recording_save(other, file, err);
    counts = 0;
    if (stat(file, &st) == 0) {
        size = size > 0 ? size : st.st_size;
        status = st.st_size == size ? status : DARC_INTERNAL;
    }
    unlink(file);
    counts = 1;
    darc_recording_free(r);
    if (status == DARC_OK)
        return say(text, other);
    darc_recording_free(other);
    return status;
}

static darc_status compare(char **text, const darc_model *m, darc_err *err)
{
    static const char *const pair[] = {"checklist", "yes", "varied",
                                       CAR "data.csv," CAR "heavier.csv", NULL};
    darc_recording *r[2] = {NULL, NULL};
    darc_agreement *a;
    darc_options *o;
    (void)m;
    darc_status status = set_all(&o, "compare", pair, err);
    if (status == DARC_OK)
        status = darc_recording_read(&r[0], CAR "data.csv", NULL, err);
    if (status == DARC_OK)
        status = darc_recording_read(&r[1], CAR "heavier.csv", NULL, err);
    if (status == DARC_OK)
        status =
            darc_compare(&a, (const darc_recording *const *)r, 1, 2, o, err);
    if (status == DARC_OK) {
        status = keep(text, darc_agreement_text(a, "html"));
        darc_agreement_free(a);
    }
    darc_recording_free(r[0]);
    darc_recording_free(r[1]);
    darc_options_free(o);
    return status;
}

static darc_status weigh(char **text, const darc_model *m, darc_err *err)
{
    darc_recording *r;
    darc_agreement *a;
    (void)m;
    static const double y[] = {0.9, 0.7, 0.95, 0.8},
                        z[] = {0.6, 0.65, 0.5, 0.9};
    const darc_samples scores = {.name = "scores",
                                 .samples = 4,
                                 .rate = 1,
                                 .signals = 2,
                                 .signal = (const char *[]){"y", "z"},
                                 .value = (const double *[]){y, z}};
    DARC_NEED(darc_recording_new(&r, &scores, err));
    darc_status status = darc_weigh(&a, r, NULL, err);
    if (status == DARC_OK) {
        status = keep(text, darc_agreement_text(a, "text"));
        darc_agreement_free(a);
    }
    darc_recording_free(r);
    return status;
}

static darc_status assess(char **text, const darc_model *m, darc_err *err)
{
    darc_credibility *c;
    (void)m;
    DARC_NEED(darc_assess(&c, "systems/missile/flight.factors", NULL, err));
    darc_status status = keep(text, darc_credibility_text(c, "html"));
    darc_credibility_free(c);
    return status;
}

static darc_status parse(char **text, const darc_model *m, darc_err *err)
{
    darc_model *own;
    (void)m;
    DARC_NEED(darc_model_read(&own, "systems/arrhenius/model.darc", err));
    darc_status status =
        keep(text, darc_model_unknown(own, darc_model_unknowns(own) - 1));
    darc_model_free(own);
    return status;
}

/* Numbers that are long, and a polynomial of many terms. */
static darc_status parse_long(char **text, const darc_model *m, darc_err *err)
{
    static const char long_one[] =
        "model m\nparameters\n p q r\ninputs\n u\noutputs\n y\nequations\n"
        " y' = (p + 123456789012345678901234567890.5*q + r*u)^9 - "
        "(p + q/98765432109876543210987654321)^7*u\n";
    darc_model *own;
    (void)m;
    DARC_NEED(darc_model_parse(&own, long_one, strlen(long_one), "m", err));
    darc_model_free(own);
    return keep(text, "parsed");
}

static darc_status simulate(char **text, const darc_model *m, darc_err *err)
{
    static const char *const pair[] = {
        "param", "T=0.1,K=2", "input", "u=multisine:1,0.1,5", "t-end", "2",
        "rate",  "100",       NULL};
    darc_model *own = NULL;
    darc_recording *r;
    darc_options *o;
    (void)m;
    darc_status status = set_all(&o, "simulate", pair, err);
    if (status == DARC_OK)
        status = darc_model_read(&own, "systems/low_pass/model.darc", err);
    if (status == DARC_OK)
        status = darc_recording_simulate(&r, own, o, NULL, err);
    darc_model_free(own);
    darc_options_free(o);
    return status == DARC_OK ? say(text, r) : status;
}

/* A campaign, run twice, by a database or not, with a recording in memory. */
static darc_status run_campaign(char **text, const darc_model *m,
                                const char *const *pair, darc_err *err)
{
    darc_campaign *c = NULL;
    darc_recording *r = NULL;
    darc_options *o;
    darc_status status = set_all(&o, "drift", pair, err);
    if (status == DARC_OK)
        status = darc_recording_read(&r, CAR "heavier.csv", NULL, err);
    if (status == DARC_OK)
        status = darc_campaign_open(&c, m, o, NULL, err);
    if (status == DARC_OK) {
        darc_campaign_read(c, CAR "data.csv");
        darc_campaign_tell(c, "site", "A");
        if (pair == NULL)
            darc_campaign_add(c, r);
        else
            darc_campaign_read(c, CAR "heavier.csv");
        darc_campaign_tell(c, "site", "A");
        darc_campaign_read(c, CAR "other_road.csv");
        status = darc_campaign_run(c, err);
    }
    if (status == DARC_OK)
        status = keep(text, darc_campaign_text(c, "text"));
    if (status == DARC_OK)
        status = keep(text, darc_campaign_text(c, "html"));
    darc_campaign_free(c);
    darc_recording_free(r);
    darc_options_free(o);
    return status;
}

static darc_status campaign(char **text, const darc_model *m, darc_err *err)
{
    return run_campaign(text, m, NULL, err);
}

static darc_status stored(char **text, const darc_model *m, darc_err *err)
{
    char db[40];
    const char *const pair[] = {"db", db, NULL};
    snprintf(db, sizeof db, "/tmp/darc-faults-%d.sqlite", (int)getpid());
    unlink(db);
    darc_status status = run_campaign(text, m, pair, err);
    counts = 0; /* what the one has left serves the next */
    char *again = NULL;
    if (status != DARC_OK && run_campaign(&again, m, pair, NULL) != DARC_OK)
        status = DARC_INTERNAL;
    free(again);
    unlink(db);
    counts = 1;
    return status;
}

static darc_status put(darc_answer *a, void *user, const darc_budget *budget,
                       darc_err *err)
{
    (void)user, (void)budget, (void)err;
    for (int i = 0; i < 1000; i++)
        darc_answer_put(a, "1234567", 7);
    return DARC_OK;
}

static darc_status apart(char **text, const darc_model *m, darc_err *err)
{
    char *said;
    size_t n;
    darc_budget b;
    (void)m;
    darc_budget_init(&b);
    for (int i = 0; i < 2; i++, b.here = true) {
        DARC_NEED(darc_apart(&said, &n, put, NULL, &b, err));
        darc_status status = keep(text, said);
        darc_apart_free(said);
        DARC_NEED(status);
    }
    return DARC_OK;
}

/* A session that could not read a recording takes the next. */
static darc_status add(char **text, const darc_model *m, darc_err *err)
{
    darc_session *s;
    DARC_NEED(darc_session_open(&s, m, NULL, NULL, err));
    darc_status status = darc_session_read(s, CAR "data.csv", err);
    int read = status == DARC_OK;
    if (read)
        status = darc_session_read(s, CAR "heavier.csv", err);
    counts = 0;
    if (status != DARC_OK &&
        (darc_session_read(s, CAR "heavier.csv", NULL) ||
         (!read && darc_session_read(s, CAR "data.csv", NULL)) ||
         (at % 16 == 0 && darc_session_check(s, DARC_EQUAL, NULL))))
        status = DARC_INTERNAL;
    counts = 1;
    if (status == DARC_OK)
        status = keep(text, "two");
    darc_session_free(s);
    return status;
}

enum { POOL = 4500 };

static const struct {
    const char *name;
    darc_status (*ask)(char **text, const darc_model *m, darc_err *err);
    int lost; /* pieces of FLINT's memory, at most: it takes some thousands at
                 a time */
} questions[] = {{"eliminate", eliminate, 0},
                 {"identify", identify, 0},
                 {"fulfil", fulfil, POOL},
                 {"plan", plan, POOL},
                 {"check", check, POOL},
                 {"pointwise", pointwise, POOL},
                 {"values", values, POOL},
                 {"isolate", isolate, POOL},
                 {"derive", derive, POOL},
                 {"integrate", integrate, POOL},
                 {"CSV", read_csv, 0},
                 {"MDF", read_mdf, 0},
                 {"copy", copy, 0},
                 {"compare", compare, 0},
                 {"weigh", weigh, 0},
                 {"assess", assess, 0},
                 {"simulate", simulate, POOL},
                 {"campaign", campaign, POOL},
                 {"stored", stored, POOL},
                 {"apart", apart, 0},
                 {"add", add, POOL},
                 {"parse", parse, POOL},
                 {"parse long", parse_long, POOL}};

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
    long was = live;
    int open = files();
    counts = 1;
    darc_status status = questions[q].ask(&text, m, &err);
    counts = 0;
    /* texts say nothing; a file that could not be opened says why */
    int lacks = status == DARC_LIMIT ||
                (status == DARC_IO &&
                 strstr(err.message, "Cannot allocate memory") != NULL);
    int good = status == DARC_OK ? strcmp(text, answer) == 0 : lacks;
    if (!good)
        printf("FINDING %s, allocation %ld: %s: %s\n", questions[q].name, at,
               darc_status_text(status), err.message);
    free(text);
    if (live < was || live > was + (good ? questions[q].lost : 0) ||
        files() != open || waitpid(-1, NULL, WNOHANG) >= 0) {
        printf("FINDING %s, allocation %ld: %ld pieces of memory, %d files "
               "are left, or a child (%s)\n",
               questions[q].name, at, live - was, files() - open, err.message);
        return 0;
    }
    return good;
}

int main(int argc, char **argv)
{
    char *answer[QUESTIONS] = {NULL};
    long most[QUESTIONS], runs = 0, findings = 0;
    darc_model *m;
    srandom(argc > 2 ? (unsigned)atoi(argv[2]) : 1);
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED || pthread_atfork(NULL, NULL, in_child) != 0 ||
        darc_model_read(&m, CAR "model.darc", NULL) != DARC_OK)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int q = 0; q < QUESTIONS; q++)
        for (int i = 0; i < 2; i++) { /* what libraries keep is there then */
            darc_err err;
            darc_err_init(&err);
            free(answer[q]);
            answer[q] = NULL;
            *calls = 0;
            counts = 1;
            darc_status status = questions[q].ask(&answer[q], m, &err);
            counts = 0;
            most[q] = *calls;
            if (status != DARC_OK) {
                printf("FINDING %s: no answer: %s\n", questions[q].name,
                       err.message);
                return 2;
            }
        }
    double end = darc_now() + (argc > 1 ? atof(argv[1]) : 10);
    for (int k = 0; darc_now() < end; runs++, k++) {
        int q = k % QUESTIONS;
        if (argc > 3 && strcmp(questions[q].name, argv[3]) != 0) {
            runs--;
            continue;
        }
        at = argc > 4 ? atol(argv[4]) + k / QUESTIONS : 1 + random() % most[q];
        if (at > most[q])
            break;
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
