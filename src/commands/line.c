#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "commands/line.h"

#include "base/output.h"
#include "commands/terminal.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Of both processes; one that dies while it holds `busy` keeps nobody up. */
typedef struct {
    atomic_flag busy;
    bool drawn, over;
} shared;

static shared *line;

void darc_line_begin(void)
{
    void *p = mmap(NULL, sizeof *line, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return;
    line = p;
    atomic_flag_clear(&line->busy);
    darc_output_before(darc_line_end);
}

void darc_line_draw(const char *text, double elapsed)
{
    if (line == NULL || atomic_flag_test_and_set(&line->busy))
        return;
    if (!line->over) {
        /* A line that wraps could not be erased. */
        fprintf(stderr, "\r\033[K%.*s, %.0f s",
                darc_terminal_width(STDERR_FILENO) - 12, text, elapsed);
        fflush(stderr);
        line->drawn = true;
    }
    atomic_flag_clear(&line->busy);
}

void darc_line_end(void)
{
    enum { TRIES = 100 }; /* of a millisecond */
    const struct timespec pause = {.tv_nsec = 1000000};
    if (line == NULL)
        return;
    for (int i = 0; i < TRIES && atomic_flag_test_and_set(&line->busy); i++)
        nanosleep(&pause, NULL);
    if (line->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    line->drawn = false;
    line->over = true;
    atomic_flag_clear(&line->busy);
}
