#define _XOPEN_SOURCE 700 /* fstat, S_ISREG */

#include "files/ahead.h"

#include "base/mem.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

/* `next` and `coming` change hands by `state`: they are the worker's while
 * ASKED, the caller's otherwise. */
typedef enum { IDLE, ASKED, READY, QUIT } hand;

/* Rows that were parsed ahead, in the order of the file. */
typedef struct {
    double *cell;    /* slots a row */
    size_t *row_end; /* behind the '\n' of row k */
    size_t count, taken, alloc;
} rows;

struct darc_ahead {
    darc_csv *csv;
    size_t slots;
    darc_lines next;
    darc_status status; /* of filling next */
    darc_err err;
    bool parse; /* the decimal mark is known */
    rows now, coming;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    hand state;
    bool asked; /* the caller's: a window was asked for and not taken */
};

static void parse_rows(darc_ahead *a)
{
    const darc_csv *csv = a->csv;
    const char *s = a->next.buffer, *end = s + a->next.whole;
    /* The shortest row of n cells has 2 n characters. */
    size_t most = a->next.whole / (2 * (size_t)csv->columns) + 1;
    rows *r = &a->coming;
    if (most > r->alloc) {
        r->alloc = most;
        r->cell = darc_realloc(r->cell, most * a->slots, sizeof *r->cell);
        r->row_end = darc_realloc(r->row_end, most, sizeof *r->row_end);
    }
    while (s < end && r->count < most) {
        s = darc_csv_fast_row(csv, s, r->cell + r->count * a->slots);
        if (s == NULL)
            return; /* left to the caller, with all that follows */
        r->row_end[r->count++] = (size_t)(s - a->next.buffer);
    }
}

static void *work(void *user)
{
    darc_ahead *a = user;
    pthread_mutex_lock(&a->lock);
    for (;;) {
        while (a->state != ASKED && a->state != QUIT)
            pthread_cond_wait(&a->changed, &a->lock);
        if (a->state == QUIT)
            break;
        pthread_mutex_unlock(&a->lock);
        a->status = darc_lines_fill(&a->next, &a->err);
        a->coming.count = a->coming.taken = 0;
        if (a->status == DARC_OK && a->parse)
            parse_rows(a);
        pthread_mutex_lock(&a->lock);
        if (a->state == ASKED)
            a->state = READY;
        pthread_cond_broadcast(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static void set_state(darc_ahead *a, hand state)
{
    pthread_mutex_lock(&a->lock);
    a->state = state;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

darc_ahead *darc_ahead_new(darc_csv *csv, int slots)
{
    const darc_lines *l = &csv->lines;
    struct stat st;
    if (l->fd < 0 || l->ended || fstat(l->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return NULL;
    darc_ahead *a = darc_calloc(1, sizeof *a);
    a->csv = csv;
    a->slots = (size_t)slots;
    darc_lines_twin(&a->next, l);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    if (pthread_create(&a->thread, NULL, work, a) == 0)
        return a;
    a->thread = pthread_self();
    darc_ahead_free(a);
    return NULL;
}

void darc_ahead_free(darc_ahead *a)
{
    if (a == NULL)
        return;
    if (!pthread_equal(a->thread, pthread_self())) {
        set_state(a, QUIT);
        pthread_join(a->thread, NULL);
    }
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->changed);
    darc_free(a->next.buffer);
    darc_free(a->now.cell);
    darc_free(a->now.row_end);
    darc_free(a->coming.cell);
    darc_free(a->coming.row_end);
    darc_free(a);
}

/* Ask for the window that follows the one at hand. */
static void ask(darc_ahead *a)
{
    const darc_lines *l = &a->csv->lines;
    a->next.begin = a->next.whole = 0;
    a->next.end = l->end - l->whole;
    memcpy(a->next.buffer, l->buffer + l->whole, a->next.end);
    a->next.ended = l->ended;
    a->parse = a->csv->point_sure;
    darc_err_init(&a->err);
    a->asked = true;
    set_state(a, ASKED);
}

/* Take over the window that is ready, and its rows. */
static void adopt(darc_ahead *a)
{
    darc_lines *l = &a->csv->lines;
    char *buffer = l->buffer;
    l->buffer = a->next.buffer;
    a->next.buffer = buffer;
    l->begin = 0;
    l->whole = a->next.whole;
    l->end = a->next.end;
    l->ended = a->next.ended;
    l->cut = a->next.cut;
    rows swap = a->now;
    a->now = a->coming;
    a->coming = swap;
}

darc_status darc_ahead_fill(darc_ahead *a, darc_err *err)
{
    darc_lines *l = &a->csv->lines;
    if (l->begin < l->whole || l->ended)
        return darc_lines_fill(l, err);
    if (!a->asked)
        ask(a);
    pthread_mutex_lock(&a->lock);
    while (a->state != READY)
        pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
    a->asked = false;
    if (a->status == DARC_DATA)
        return darc_lines_too_long(l, err);
    if (a->status != DARC_OK)
        return darc_fail(err, a->status, "%s", a->err.message);
    adopt(a);
    if (!l->ended)
        ask(a);
    return DARC_OK;
}

bool darc_ahead_row(darc_ahead *a, double *value)
{
    rows *r = &a->now;
    if (r->taken == r->count)
        return false;
    memcpy(value, r->cell + r->taken * a->slots, a->slots * sizeof *value);
    a->csv->lines.next = r->row_end[r->taken++];
    return true;
}
