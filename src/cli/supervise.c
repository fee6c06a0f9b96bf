#include "cli/supervise.h"

#include "archive/fleet.h"
#include "base/output.h"
#include "base/scratch.h"
#include "base/wire.h"
#include "cli/terminal.h"
#include "cli/thresholds.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define BAR 20 /* cells */

/* When the stage began, and where it stood then. */
typedef struct {
    char stage[128];
    long first;   /* steps done when it began */
    double start; /* s */
} pace;

/* Write the line for p at the time now (s):
 * "drift [####......] 40 of 100, 8.2/s, 7 s left". */
static void put_progress_line(char *line, size_t size, pace *of,
                              const darc_progress *p, double now)
{
    if (strncmp(of->stage, p->stage, sizeof of->stage - 1) != 0 ||
        p->done < of->first) {
        snprintf(of->stage, sizeof of->stage, "%s", p->stage);
        of->first = p->done;
        of->start = now;
    }
    int n = snprintf(line, size, "%.120s", p->stage);
    if (p->total > 0 && p->done <= p->total) {
        char bar[BAR + 1] = "";
        int full = (int)(BAR * (double)p->done / (double)p->total);
        for (int i = 0; i < BAR; i++)
            bar[i] = i < full ? '#' : '.';
        n += snprintf(line + n, size - (size_t)n, " [%s] %ld of %ld", bar,
                      p->done, p->total);
        double passed = now - of->start;
        double rate = (double)(p->done - of->first) / passed;
        double left = (double)(p->total - p->done) / rate;
        if (passed >= DARC_PROGRESS_SETTLED && rate > 0)
            n += snprintf(line + n, size - (size_t)n,
                          left < 99.5   ? ", %.3g/s, %.0f s left"
                          : left < 5940 ? ", %.3g/s, %.0f min left"
                                        : ", %.3g/s, %.1f h left",
                          rate,
                          left < 99.5   ? left
                          : left < 5940 ? left / 60
                                        : left / 3600);
    }
    if (p->terms > 0)
        snprintf(line + n, size - (size_t)n, ", %ld terms", p->terms);
}

/* Messages of the child (base/wire.h): the kind stands for the status. */
enum { PROGRESS = 'p', PARTIAL = 'r', DONE = 'd' };

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
    (void)sig;
    interrupted = 1;
}

typedef struct {
    int fd;      /* to the parent */
    double last; /* when progress was sent, s */
    pace pace;
} sender;

static int is_interrupted(void *user)
{
    (void)user;
    return interrupted;
}

static void send_message(const sender *s, int kind, const char *text)
{
    darc_wire_answer_send(s->fd, kind, text, strlen(text));
}

static void on_progress(void *user, const darc_progress *p)
{
    sender *s = user;
    double now = darc_now();
    if (now - s->last < DARC_PROGRESS_EVERY)
        return;
    s->last = now;
    char line[320];
    put_progress_line(line, sizeof line, &s->pace, p, now);
    send_message(s, PROGRESS, line);
}

static void on_partial(void *user, const char *text)
{
    send_message(user, PARTIAL, text);
}

static int run_child(darc_run_fn *run, const darc_options *o, int fd,
                     double deadline)
{
    sender s = {.fd = fd};
    darc_budget budget;
    darc_budget_init(&budget);
    budget.deadline = deadline;
    budget.here = true;
    budget.interrupted = is_interrupted;
    budget.progress = on_progress;
    budget.partial = on_partial;
    budget.user = &s;
    if (darc_option_given(o, DARC_OPT_THREADS))
        budget.threads = (int)darc_option_whole(o, DARC_OPT_THREADS);
    if (darc_option_given(o, DARC_OPT_MEMORY)) {
        /* Files that are mapped, such as temporary ones of long recordings, do
         * not count. */
        rlim_t most = (rlim_t)(darc_option_real(o, DARC_OPT_MEMORY) * 1048576);
        setrlimit(RLIMIT_DATA, &(struct rlimit){most, most});
    }
    if (darc_option_given(o, DARC_OPT_DISK))
        darc_scratch_limit(
            (uint64_t)(darc_option_real(o, DARC_OPT_DISK) * 1048576));
    return run(o, &budget);
}

typedef struct {
    int fd;              /* from the child */
    bool draw;           /* whether a progress line is wanted */
    bool drawn;          /* whether one stands on the terminal */
    bool log;            /* a line now and then instead: a fleet */
    double logged;       /* when, s */
    bool done;           /* the command has come to its end */
    double start;        /* s */
    darc_text_t pending; /* bytes of a message not yet complete */
    darc_text_t stage;   /* newest progress */
    darc_text_t partial; /* newest partial result */
} watcher;

static void draw_progress(watcher *w)
{
    double now = darc_now(), elapsed = now - w->start;
    if (w->log && now > w->logged + DARC_PROGRESS_LOG && w->stage->len > 0) {
        fprintf(stderr, "darc: %s, %.0f s\n", w->stage->s, elapsed);
        w->logged = now;
    }
    if (!w->draw || elapsed < DARC_PROGRESS_AFTER || w->stage->len == 0)
        return;
    /* A line that wraps could not be erased. */
    fprintf(stderr, "\r\033[K%.*s, %.0f s",
            darc_terminal_width(STDERR_FILENO) - 12, w->stage->s, elapsed);
    fflush(stderr);
    w->drawn = true;
}

/* Take complete messages off the front of pending. */
static void take_messages(watcher *w)
{
    size_t at = 0;
    darc_wire_answer h;
    while (w->pending->len - at >= sizeof h) {
        memcpy(&h, w->pending->s + at, sizeof h);
        if (w->pending->len - at - sizeof h < h.bytes)
            break;
        const char *text = w->pending->s + at + sizeof h;
        darc_text_struct *to = h.status == PARTIAL ? w->partial : w->stage;
        if (h.status == DONE) {
            w->done = true;
        } else {
            darc_text_reset(to);
            darc_text_write(to, text, (size_t)h.bytes);
        }
        at += sizeof h + (size_t)h.bytes;
    }
    if (at == 0)
        return;
    w->pending->len -= at;
    memmove(w->pending->s, w->pending->s + at, w->pending->len + 1);
}

/* Read what the child sent; return false at the end of its life. */
static bool receive(watcher *w, int milliseconds)
{
    struct pollfd p = {.fd = w->fd, .events = POLLIN};
    int ready = poll(&p, 1, milliseconds);
    if (ready <= 0)
        return true;
    char buffer[65536];
    ssize_t n = read(w->fd, buffer, sizeof buffer);
    if (n == 0 || (n < 0 && errno != EINTR))
        return false;
    if (n > 0) {
        darc_text_write(w->pending, buffer, (size_t)n);
        take_messages(w);
        draw_progress(w);
    }
    return true;
}

/* Watch until the child ends or has to be ended; return why it was killed,
 * NULL when it was not. */
static const char *watch(watcher *w, pid_t child, double deadline)
{
    double kill_at = deadline + DARC_GRACE;
    const char *reason = "the time limit is spent (--timeout)";
    while (receive(w, DARC_LOOK)) {
        double now = darc_now();
        if (interrupted && now + DARC_GRACE < kill_at) {
            kill_at = now + DARC_GRACE;
            reason = "interrupted";
            kill(child, SIGINT);
        }
        if (now > kill_at) {
            kill(child, SIGKILL);
            return reason;
        }
    }
    return NULL;
}

/* Say how far the command came and print its partial result. */
static void print_partial(const watcher *w)
{
    if (w->stage->len > 0)
        fprintf(stderr, "darc: reached: %s\n", w->stage->s);
    darc_err err = {DARC_OK, ""};
    darc_text_t shown = DARC_TEXT;
    darc_text_shown(shown, w->partial->s);
    if (darc_output_file("-", shown->s, shown->len, &err) != DARC_OK)
        fprintf(stderr, "%s\n", err.message);
    darc_text_clear(shown);
}

/* Say why the child did not come to its end, and what to do. */
static void say_death(const char *killed, int state, const darc_options *o)
{
    int sig = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    const char *memory = darc_option_text(o, DARC_OPT_MEMORY);
    if (killed != NULL)
        fprintf(stderr, "darc: %s\n", killed);
    else if ((sig == SIGABRT || sig == 0) && memory != NULL)
        fprintf(stderr, "darc: the memory limit of %s MB is spent (--memory)\n",
                memory);
    else if (sig == SIGKILL)
        fputs("darc: the computation was killed (signal 9), by somebody or by "
              "the system, which does so where memory is short: --memory MB "
              "ends it before, with what is known so far\n",
              stderr);
    else
        fprintf(stderr,
                "darc: the computation ended by %s %d: memory is short, or "
                "this is a mistake in darc\n",
                sig == 0 ? "code" : "signal",
                sig == 0 ? WEXITSTATUS(state) : sig);
}

/* The code of a child that did not come to its end is a library's, which ends
 * processes for lack of memory, and no verdict. */
static int exit_code(const watcher *w, const char *killed, int state,
                     const darc_options *o)
{
    static const darc_option_id file[] = {DARC_OPT_OUTPUT, DARC_OPT_JSON,
                                          DARC_OPT_HTML, DARC_OPT_CSV,
                                          DARC_OPT_STATE};
    int code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    bool ended = killed == NULL && code >= 0 && w->done;
    if (killed == NULL && code >= 0 && (w->done || code == DARC_EXIT_LIMIT)) {
        if (code == DARC_EXIT_LIMIT)
            print_partial(w);
    } else {
        code = DARC_EXIT_LIMIT;
        say_death(killed, state, o);
        print_partial(w);
    }
    /* Remove what the child did not come to finish. */
    for (size_t i = 0; i < sizeof file / sizeof file[0] && !ended; i++)
        if (darc_option_text(o, file[i]) != NULL)
            darc_output_sweep(darc_option_text(o, file[i]));
    return code;
}

static int run_parent(pid_t child, int fd, double deadline,
                      const darc_options *o)
{
    watcher w = {.fd = fd, .start = darc_now()};
    bool wanted = !darc_option_given(o, DARC_OPT_QUIET) &&
                  !darc_option_given(o, DARC_OPT_NO_PROGRESS);
    w.draw = wanted && darc_terminal_erases(STDERR_FILENO);
    w.log = wanted && !w.draw && getenv(DARC_FLEET_ROLE) != NULL;
    w.logged = w.start;
    darc_text_init(w.pending);
    darc_text_init(w.stage);
    darc_text_init(w.partial);
    const char *killed = watch(&w, child, deadline);
    int state = -1;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    if (w.drawn)
        fputs("\r\033[K", stderr);
    int code = exit_code(&w, killed, state, o);
    darc_text_clear(w.pending);
    darc_text_clear(w.stage);
    darc_text_clear(w.partial);
    return code;
}

int darc_supervise(darc_run_fn *run, const darc_options *o)
{
    double timeout = darc_option_real(o, DARC_OPT_TIMEOUT);
    double deadline = isnan(timeout) ? HUGE_VAL : darc_now() + timeout;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        perror("darc: socketpair");
        return DARC_EXIT_LIMIT;
    }
    fflush(NULL);
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    pid_t child = fork();
    if (child < 0) {
        perror("darc: fork");
        return DARC_EXIT_LIMIT;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* none works on for nobody */
        close(ends[0]);
        int code = run_child(run, o, ends[1], deadline);
        send_message(&(sender){.fd = ends[1]}, DONE, "");
        darc_options_clear((darc_options *)o);
        exit(code);
    }
    close(ends[1]);
    int code = run_parent(child, ends[0], deadline, o);
    close(ends[0]);
    return code;
}
