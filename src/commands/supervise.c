#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "commands/supervise.h"

#include "archive/fleet.h"
#include "base/carrier.h"
#include "base/output.h"
#include "base/scratch.h"
#include "commands/terminal.h"
#include "commands/thresholds.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* ---- the progress line on a terminal, which the parent draws and either
 * process erases before it prints: they share whether it stands there ------ */

/* Of both processes; one that dies while it holds `busy` keeps nobody up. */
typedef struct {
    atomic_flag busy;
    bool drawn, over;
} shared;

static shared *drawing;

/* Erase it if it stands there; it is not drawn again. */
static void end_line(void)
{
    enum { TRIES = 100 }; /* of a millisecond */
    const struct timespec pause = {.tv_nsec = 1000000};
    if (drawing == NULL)
        return;
    for (int i = 0; i < TRIES && atomic_flag_test_and_set(&drawing->busy); i++)
        nanosleep(&pause, NULL);
    if (drawing->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    drawing->drawn = false;
    drawing->over = true;
    atomic_flag_clear(&drawing->busy);
}

/* Before the child is made, where a line is wanted: let whatever is printed,
 * in either process, erase the line first, for good. */
static void begin_line(void)
{
    void *p = mmap(NULL, sizeof *drawing, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return;
    drawing = p;
    atomic_flag_clear(&drawing->busy);
    darc_output_before(end_line);
}

/* Draw the line, with the seconds that have passed, unless something was
 * printed. */
static void draw_line(const char *text, double elapsed)
{
    if (drawing == NULL || atomic_flag_test_and_set(&drawing->busy))
        return;
    if (!drawing->over) {
        /* A line that wraps could not be erased. */
        fprintf(stderr, "\r\033[K%.*s, %.0f s",
                darc_terminal_width(STDERR_FILENO) - 12, text, elapsed);
        fflush(stderr);
        drawing->drawn = true;
    }
    atomic_flag_clear(&drawing->busy);
}

#define BAR 20 /* cells */

/* When the stage began, and where it stood then. */
typedef struct {
    char stage[128];
    long first;   /* steps done when it began */
    long done;    /* steps done when it was last told of */
    double start; /* s */
} pace;

/* Write the line for p at the time now (s):
 * "drift [####......] 40 of 100, 8.2/s, 7 s left". */
static void put_progress_line(char *line, size_t size, pace *of,
                              const darc_progress *p, double now)
{
    if (strncmp(of->stage, p->stage, sizeof of->stage - 1) != 0 ||
        p->done < of->done) {
        snprintf(of->stage, sizeof of->stage, "%s", p->stage);
        of->first = p->done;
        of->start = now;
    }
    of->done = p->done;
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

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
    (void)sig;
    interrupted = 1;
}

static int is_interrupted(void *user)
{
    (void)user;
    return interrupted;
}

/* A command, and what its process tells. */
typedef struct {
    darc_run_fn *run;
    const darc_options *o;
    bool draw;     /* whether a progress line is wanted */
    bool log;      /* a line now and then instead: a fleet */
    double start;  /* s */
    double logged; /* when, s */
    pace pace;
    char line[320];      /* newest progress */
    darc_text_t partial; /* newest partial result */
} watched;

static void on_progress(void *user, const darc_progress *p)
{
    watched *w = user;
    double now = darc_now(), elapsed = now - w->start;
    put_progress_line(w->line, sizeof w->line, &w->pace, p, now);
    if (w->log && now > w->logged + DARC_PROGRESS_LOG) {
        fprintf(stderr, "darc: %s, %.0f s\n", w->line, elapsed);
        w->logged = now;
    }
    if (w->draw && elapsed >= DARC_PROGRESS_AFTER)
        draw_line(w->line, elapsed);
}

static void on_partial(void *user, const char *text)
{
    watched *w = user;
    darc_text_reset(w->partial);
    darc_text_puts(w->partial, text);
}

/* Run the command in its process; the answer is its exit code. */
static darc_status run_command(darc_answer *a, void *user, const darc_budget *b,
                               darc_err *err)
{
    const watched *w = user;
    const darc_options *o = w->o;
    darc_budget budget = *b;
    budget.memory = 0;
    (void)err;
    if (darc_option_given(o, DARC_OPT_THREADS))
        budget.threads = (int)darc_option_whole(o, DARC_OPT_THREADS);
    if (b->memory > 0) {
        /* Files that are mapped, such as temporary ones of long recordings, do
         * not count. */
        setrlimit(RLIMIT_DATA, &(struct rlimit){b->memory, b->memory});
    }
    if (darc_option_given(o, DARC_OPT_DISK))
        darc_scratch_limit(
            (uint64_t)(darc_option_real(o, DARC_OPT_DISK) * 1048576));
    int code = w->run(o, &budget);
    darc_answer_put(a, &code, sizeof code);
    darc_options_clear((darc_options *)o);
    return DARC_OK;
}

/* Say how far the command came and print its partial result. */
static void print_partial(const watched *w)
{
    if (w->line[0] != '\0')
        fprintf(stderr, "darc: reached: %s\n", w->line);
    darc_err err = {DARC_OK, ""};
    darc_text_t shown = DARC_TEXT;
    darc_text_shown(shown, w->partial->s);
    if (darc_output_file("-", shown->s, shown->len, &err) != DARC_OK)
        fprintf(stderr, "%s\n", err.message);
    darc_text_clear(shown);
}

int darc_supervise(darc_run_fn *run, const darc_options *o)
{
    static const darc_option_id file[] = {DARC_OPT_OUTPUT, DARC_OPT_MERGED,
                                          DARC_OPT_JSON,   DARC_OPT_HTML,
                                          DARC_OPT_CSV,    DARC_OPT_STATE};
    bool wanted = !darc_option_given(o, DARC_OPT_QUIET) &&
                  !darc_option_given(o, DARC_OPT_NO_PROGRESS);
    watched w = {.run = run, .o = o, .start = darc_now()};
    darc_budget budget;
    darc_err err = {DARC_OK, ""};
    w.draw = wanted && darc_terminal_erases(STDERR_FILENO);
    w.log = wanted && !w.draw && getenv(DARC_FLEET_ROLE) != NULL;
    w.logged = w.start;
    if (w.draw)
        begin_line();
    darc_text_init(w.partial);
    darc_budget_init(&budget);
    if (darc_option_given(o, DARC_OPT_TIMEOUT))
        budget.deadline = w.start + darc_option_real(o, DARC_OPT_TIMEOUT);
    if (darc_option_given(o, DARC_OPT_MEMORY))
        budget.memory =
            (size_t)(darc_option_real(o, DARC_OPT_MEMORY) * 1048576);
    budget.interrupted = is_interrupted;
    budget.progress = on_progress;
    budget.partial = on_partial;
    budget.user = &w;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    fflush(NULL);
    size_t n;
    char *answer;
    int code = DARC_EXIT_LIMIT;
    const darc_apart_task task = {run_command, &w, true, DARC_EXIT_LIMIT};
    darc_status status = darc_apart_run(&answer, &n, &task, &budget, &err);
    if (status == DARC_OK) {
        memcpy(&code, answer, sizeof code);
        darc_apart_free(answer);
    }
    end_line();
    if (err.message[0] != '\0')
        fprintf(stderr, "darc: %s\n", err.message);
    if (code == DARC_EXIT_LIMIT)
        print_partial(&w);
    /* Remove what the command did not come to finish. */
    for (size_t i = 0; i < sizeof file / sizeof file[0] && status != DARC_OK;
         i++)
        if (darc_option_text(o, file[i]) != NULL)
            darc_output_sweep(darc_option_text(o, file[i]));
    darc_text_clear(w.partial);
    return code;
}
