#define _DEFAULT_SOURCE /* prctl */

#include "darc/apart.h"

#include "base/carrier.h"
#include "base/mem.h"
#include "base/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* s: how long a child may take to end by itself, how often it is looked after,
 * and how often it tells of its progress. */
static const double GRACE = 0.4, LOOK = 0.05;

/* Of the time that it is given, how much of it, at most GRACE, is kept for
 * that; and s, below which no time can be spared. */
static const double KEPT = 0.1, SHORT = 1;

enum { STAGE = 128 }; /* bytes of a name that are told */

/* What the child says besides the status with which it ends. */
enum { PROGRESS = 'p', PARTIAL = 'r' };

struct darc_answer {
    char *bytes; /* malloc'ed */
    size_t length, room;
    bool lacks;  /* memory */
    int fd;      /* of the child */
    double told; /* when progress was, s */
};

void darc_answer_put(darc_answer *a, const void *bytes, size_t n)
{
    size_t room = a->room > 0 ? a->room : 1024;
    while (room - a->length <= n) /* a '\0' behind it */
        room *= 2;
    char *moved = a->room < room ? realloc(a->bytes, room) : a->bytes;
    a->lacks = a->lacks || moved == NULL;
    if (a->lacks) {
        a->bytes = moved != NULL ? moved : a->bytes;
        return;
    }
    a->bytes = moved;
    a->room = room;
    memcpy(a->bytes + a->length, bytes, n);
    a->length += n;
    a->bytes[a->length] = '\0';
}

void darc_apart_free(char *answer)
{
    free(answer);
}

bool darc_apart_suits(const darc_budget *budget)
{
    struct stat threads; /* a folder of each, besides "." and ".." */
    return (budget == NULL || !budget->here) &&
           stat("/proc/self/task", &threads) == 0 && threads.st_nlink == 3;
}

static void on_progress(void *user, const darc_progress *p)
{
    darc_answer *a = user;
    struct {
        darc_progress numbers;
        char stage[STAGE];
    } told;
    double now = darc_now();
    if (now - a->told < LOOK)
        return;
    a->told = now;
    memset(&told, 0, sizeof told);
    told.numbers = *p;
    snprintf(told.stage, sizeof told.stage, "%s", p->stage);
    darc_wire_answer_send(a->fd, PROGRESS, &told, sizeof told);
}

static void on_partial(void *user, const char *text)
{
    darc_wire_answer_send(((darc_answer *)user)->fd, PARTIAL, text,
                          strlen(text));
}

static void on_lack(size_t size)
{
    (void)size;
    _exit(DARC_LIMIT);
}

/* What data the process has, pages. */
static unsigned long data_pages(void)
{
    unsigned long n = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL && fscanf(f, "%*u %*u %*u %*u %*u %lu", &n) != 1)
        n = 0;
    if (f != NULL)
        fclose(f);
    return n;
}

/* FLINT says on standard output why it aborts, behind what the caller has not
 * yet flushed. */
static void be_silent(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
#ifdef NDEBUG /* otherwise assertions speak */
    dup2(nowhere, STDERR_FILENO);
#endif
}

/* Be a process that nothing of the caller's touches. */
static void settle_process(const darc_budget *b)
{
    struct rlimit r;
    be_silent();
    for (int s = 1; s < NSIG; s++)
        signal(s, s == SIGINT ? SIG_IGN : SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (b->memory > 0 && getrlimit(RLIMIT_DATA, &r) == 0) {
        rlim_t most = b->memory + data_pages() * (rlim_t)sysconf(_SC_PAGESIZE);
        r.rlim_cur = r.rlim_cur < most ? r.rlim_cur : most;
        setrlimit(RLIMIT_DATA, &r);
    }
    darc_mem_on_lack(on_lack);
}

static void run_child(int fd, const darc_apart_task *task, darc_budget *b)
{
    darc_answer a = {.fd = fd};
    darc_err err = {DARC_OK, ""};
    b->here = true;
    b->interrupted = task->program ? b->interrupted : NULL;
    b->progress = b->progress != NULL ? on_progress : NULL;
    b->partial = b->partial != NULL ? on_partial : NULL;
    b->user = &a;
    darc_status status = task->work(&a, task->user, b, &err);
    if (a.lacks)
        _exit(DARC_LIMIT);
    if (status == DARC_OK)
        darc_wire_answer_send(fd, (int)status, a.bytes, a.length);
    else
        darc_wire_answer_send(fd, (int)status, err.message,
                              strlen(err.message));
    if (task->program)
        exit(0);
    _exit(0);
}

typedef struct {
    int fd;
    pid_t child;  /* 0: none, or ended */
    int state;    /* then: how */
    bool ending;  /* it has said its last word */
    double kept;  /* so much before its deadline it is to end by itself, s */
    double until; /* when it is ended at the latest, s */
    const char *why;
    const darc_apart_task *task;
    const darc_budget *budget;
    char *bytes; /* of the newest message; malloc'ed */
    size_t length;
} watcher;

/* Return whether the child has ended, of which the caller may have been told
 * instead; `how`: WNOHANG, 0 to wait for it. */
static bool has_ended(watcher *w, int how)
{
    pid_t was = -1;
    while (w->child > 0 && (was = waitpid(w->child, &w->state, how)) < 0 &&
           errno == EINTR)
        ;
    w->child = was == 0 ? w->child : 0;
    return w->child == 0;
}

/* The child has ended, or does, without a word; one that ends by a program's
 * code has told why. */
static darc_status say_death(watcher *w, darc_err *err)
{
    has_ended(w, 0);
    bool program = w->task->program;
    int sig = WIFSIGNALED(w->state) ? WTERMSIG(w->state) : 0;
    int code = program && sig == 0 ? WEXITSTATUS(w->state) : 0;
    if (code == w->task->told && program && sig == 0)
        return darc_fail(err, DARC_LIMIT, "%s", "");
    if (w->budget->memory > 0 && (sig == 0 || sig == SIGABRT))
        return darc_fail(err, DARC_LIMIT,
                         "the memory limit of %zu MB is spent (--memory)",
                         w->budget->memory >> 20);
    if (program && sig == SIGKILL)
        return darc_fail(err, DARC_LIMIT,
                         "the computation was killed (signal 9), by somebody "
                         "or by the system, which does so where memory is "
                         "short: --memory MB ends it before, with what is "
                         "known so far");
    return darc_fail(err, DARC_LIMIT,
                     sig == 0 && !program
                         ? "memory is short"
                         : "the computation was ended by %s %d: memory is "
                           "short, or this is a mistake in darc",
                     sig == 0 ? "code" : "signal", sig == 0 ? code : sig);
}

/* Wait for a message; fail where the child has to end, or did: the end of its
 * socket may live on in another child of the caller's. */
static darc_status wait_for(watcher *w, darc_err *err)
{
    const darc_budget *b = w->budget;
    struct pollfd p = {.fd = w->fd, .events = POLLIN};
    for (;;) {
        double now = darc_now();
        bool stop = b->interrupted != NULL && b->interrupted(b->user);
        if (stop && !w->task->program)
            return darc_fail(err, DARC_LIMIT, "interrupted");
        if (stop && w->child > 0 && now + GRACE < w->until) {
            w->until = now + GRACE;
            w->why = "interrupted";
            kill(w->child, SIGINT);
        }
        if (now > w->until)
            return darc_fail(err, DARC_LIMIT, "%s", w->why);
        if (poll(&p, 1, (int)(1000 * fmin(LOOK, w->until - now)) + 1) > 0)
            return DARC_OK;
        if (has_ended(w, WNOHANG) && poll(&p, 1, 0) <= 0)
            return say_death(w, err);
    }
}

static darc_status receive(watcher *w, int *kind, darc_err *err)
{
    darc_wire_answer head;
    DARC_NEED(wait_for(w, err));
    free(w->bytes);
    w->bytes = NULL;
    if (!darc_wire_receive(w->fd, &head, sizeof head, -1))
        return say_death(w, err);
    w->length = (size_t)head.bytes;
    w->bytes = malloc(w->length + 1);
    if (w->bytes == NULL)
        return darc_fail(err, DARC_LIMIT, "memory is short: %zu bytes",
                         w->length);
    if (!darc_wire_receive(w->fd, w->bytes, w->length, -1))
        return say_death(w, err);
    w->bytes[w->length] = '\0';
    *kind = head.status;
    return DARC_OK;
}

static darc_status watch(watcher *w, darc_err *err)
{
    const darc_budget *b = w->budget;
    for (int kind = 0;;) {
        DARC_NEED(receive(w, &kind, err));
        w->ending = kind != PARTIAL && kind != PROGRESS;
        if (kind == DARC_OK)
            return DARC_OK;
        if (kind == PARTIAL) {
            b->partial(b->user, w->bytes);
        } else if (kind == PROGRESS) {
            darc_progress *p = (darc_progress *)(void *)w->bytes;
            p->stage = w->bytes + sizeof *p;
            b->progress(b->user, p);
        } else {
            return darc_fail(err, (darc_status)kind, "%s", w->bytes);
        }
    }
}

static darc_status begin_child(watcher *w, darc_err *err)
{
    int ends[2];
    sigset_t all, mask;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return darc_fail(err, DARC_LIMIT, "no socket to a child: %s",
                         strerror(errno));
    /* no handler of the caller's runs in the child */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    w->fd = ends[0];
    w->child = fork();
    int error = errno;
    if (w->child == 0) {
        darc_budget own = *w->budget;
        own.deadline -= w->kept;
        close(ends[0]);
        int fd = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (!w->task->program)
            settle_process(&own);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* none works on for nobody */
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
        run_child(fd, w->task, &own);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    close(ends[1]);
    return w->child > 0 ? DARC_OK
                        : darc_fail(err, DARC_LIMIT, "no child process: %s",
                                    strerror(error));
}

static void end(watcher *w)
{
    if (w->fd >= 0)
        close(w->fd);
    if (w->child > 0 && !w->ending)
        kill(w->child, SIGKILL);
    has_ended(w, 0);
}

static darc_status run_here(watcher *w, darc_err *err)
{
    darc_answer a = {.fd = -1};
    darc_answer_put(&a, "", 0);
    darc_status status = w->task->work(&a, w->task->user, w->budget, err);
    DARC_SAME(w, &a, bytes, length);
    return a.lacks && status == DARC_OK
               ? darc_fail(err, DARC_LIMIT, "memory is short: %zu bytes",
                           a.length)
               : status;
}

darc_status darc_apart_run(char **answer, size_t *length,
                           const darc_apart_task *task,
                           const darc_budget *budget, darc_err *err)
{
    watcher w = {.fd = -1,
                 .budget = budget,
                 .task = task,
                 .until = budget->deadline + GRACE,
                 .why = "the time limit is spent (--timeout)"};
    darc_status status;
    double left = budget->deadline - darc_now();
    if (left >= SHORT) {
        w.kept = fmin(GRACE, KEPT * left);
        w.until = budget->deadline;
    }
    if (budget->here) {
        status = run_here(&w, err);
    } else {
        status = begin_child(&w, err);
        DARC_THEN(watch(&w, err));
        end(&w);
        if (status == DARC_OK && task->program && w.state != 0)
            status = say_death(&w, err);
    }
    if (status != DARC_OK) {
        free(w.bytes);
        return status;
    }
    *answer = w.bytes;
    *length = w.length;
    return DARC_OK;
}

darc_status darc_apart(char **answer, size_t *length, darc_apart_work *work,
                       void *user, const darc_budget *budget, darc_err *err)
{
    darc_budget none;
    darc_budget_init(&none);
    return darc_apart_run(answer, length, &(darc_apart_task){work, user, 0, 0},
                          budget != NULL ? budget : &none, err);
}
