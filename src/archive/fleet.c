#include "archive/fleet.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/wire.h"
#include "darc.h"
#include "data/part.h"
#include "data/table.h"
#include "formats/recognise.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool darc_fleet_fits(void)
{
    const char *role = getenv(DARC_FLEET_ROLE);
    return role != NULL && strcmp(role, "fit") == 0;
}

darc_fleet *darc_fleet_open(void)
{
    const char *role = getenv(DARC_FLEET_ROLE);
    int places = 0;
    if (role == NULL || sscanf(role, "deal %d", &places) != 1 || places < 1)
        return NULL;
    darc_fleet *f = darc_calloc(1, sizeof *f);
    f->places = places;
    f->taken = darc_calloc((size_t)places, sizeof *f->taken);
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->free, NULL);
    return f;
}

void darc_fleet_close(darc_fleet *f)
{
    if (f == NULL)
        return;
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->free);
    DARC_FREE(f->taken, f);
}

void darc_digest_texts(char hex[DARC_SHA256_HEX], const char *first,
                       const char *second)
{
    darc_sha256 s;
    darc_sha256_init(&s);
    darc_sha256_update(&s, first, strlen(first) + 1);
    darc_sha256_update(&s, second, strlen(second));
    darc_sha256_hex(&s, hex);
}

darc_status darc_digest_file(char hex[DARC_SHA256_HEX], const char *file,
                             darc_err *err)
{
    darc_part part;
    darc_part_init(&part, file);
    char *path = darc_strndup(file, darc_recognise(part.file).length);
    darc_status status = darc_sha256_file(hex, path, err);
    if (status != DARC_OK)
        hex[0] = '\0';
    else if (file[strlen(path)] != '\0')
        darc_digest_texts(hex, hex, file + strlen(path));
    darc_free(path);
    darc_part_clear(&part);
    return status;
}

/* What both sides take at the most: estimates of some hundred coefficients. */
static const uint64_t MOST = 64 << 20;

/* Set text to what comes. */
static bool receive_message(int fd, int *status, darc_text_t text)
{
    darc_wire_answer head;
    if (!darc_wire_receive(fd, &head, sizeof head, -1) || head.bytes > MOST)
        return false;
    char *bytes = darc_calloc((size_t)head.bytes + 1, 1);
    bool there = darc_wire_receive(fd, bytes, (size_t)head.bytes, -1);
    darc_text_reset(text);
    darc_text_write(text, bytes, (size_t)head.bytes);
    darc_free(bytes);
    *status = head.status;
    return there;
}

/* Bytes on their way in or out. */
typedef struct {
    darc_text_struct *out; /* NULL: they come in */
    const char *in;
    size_t left;
    bool whole;
} parcel;

static const char mark[] = "darc " DARC_VERSION;

static void pass(parcel *p, void *x, size_t n)
{
    if (p->out != NULL) {
        darc_text_write(p->out, x, n);
        return;
    }
    p->whole = p->whole && n <= p->left;
    if (!p->whole)
        return;
    memcpy(x, p->in, n);
    p->in += n;
    p->left -= n;
}

/* An array of n values, which is made where it comes in. */
static void pass_array(parcel *p, void **x, size_t n, size_t size)
{
    if (p->out == NULL) {
        p->whole = p->whole && n <= p->left / size;
        *x = p->whole ? darc_calloc(n, size) : NULL;
    }
    if (p->whole)
        pass(p, *x, n * size);
}

static void pass_all(parcel *p, darc_estimates *e)
{
    char own[sizeof mark];
    memcpy(own, mark, sizeof mark);
    pass(p, own, sizeof own);
    p->whole = p->whole && memcmp(own, mark, sizeof mark) == 0;
    pass(p, e, sizeof *e);
    if (p->out == NULL) {
        e->eq = NULL;
        e->c = e->cov = e->bare = e->bare_cov = e->bias = NULL;
        e->free = NULL;
    }
    size_t n = e->coeffs > 0 ? (size_t)e->coeffs : 0;
    size_t equations = e->equations > 0 ? (size_t)e->equations : 0;
    pass_array(p, (void **)&e->c, n, sizeof *e->c);
    pass_array(p, (void **)&e->cov, n * n, sizeof *e->cov);
    pass_array(p, (void **)&e->free, n, sizeof *e->free);
    pass_array(p, (void **)&e->bias, n, sizeof *e->bias);
    pass_array(p, (void **)&e->eq, equations, sizeof *e->eq);
    for (size_t q = 0; q < equations && p->whole; q++) {
        darc_estimates_equation *eq = e->eq + q;
        if (p->out == NULL)
            eq->gram = eq->share = NULL;
        n = eq->coeffs > 0 ? (size_t)eq->coeffs : 0;
        pass_array(p, (void **)&eq->gram, n * n, sizeof *eq->gram);
        pass_array(p, (void **)&eq->share, n, sizeof *eq->share);
    }
    e->equations = p->whole ? e->equations : 0;
}

/* The first of the free ones: they are the first places of all ranks, then the
 * second ones. */
static int take_place(darc_fleet *f)
{
    pthread_mutex_lock(&f->lock);
    bool *free;
    while ((free = memchr(f->taken, false, (size_t)f->places)) == NULL)
        pthread_cond_wait(&f->free, &f->lock);
    *free = true;
    pthread_mutex_unlock(&f->lock);
    return (int)(free - f->taken);
}

static void leave_place(darc_fleet *f, int k)
{
    pthread_mutex_lock(&f->lock);
    f->taken[k] = false;
    pthread_cond_signal(&f->free);
    pthread_mutex_unlock(&f->lock);
}

/* Set answer to what a fitter says to the question. */
static darc_status ask(darc_fleet *f, darc_text_t answer, int question,
                       const char *file, darc_err *err)
{
    int status = DARC_OK, k = take_place(f), fd = DARC_FLEET_SOCKET + k;
    bool there = darc_wire_answer_send(fd, question, file, strlen(file)) &&
                 receive_message(fd, &status, answer);
    leave_place(f, k);
    if (!there)
        return darc_fail(err, DARC_INTERNAL, "%s: the ranks are gone", file);
    return status == DARC_OK
               ? DARC_OK
               : darc_fail(err, (darc_status)status, "%s", answer->s);
}

darc_status darc_fleet_fit(darc_fleet *f, darc_estimates *e, const char *file,
                           darc_err *err)
{
    darc_text_t answer = DARC_TEXT;
    *e = (darc_estimates){.equations = 0};
    darc_status status = ask(f, answer, DARC_FLEET_FIT, file, err);
    parcel p = {.in = answer->s, .left = answer->len, .whole = true};
    if (status == DARC_OK)
        pass_all(&p, e);
    if (status == DARC_OK && !(p.whole && p.left == 0))
        status = darc_fail(err, DARC_INTERNAL,
                           "%s: a rank gave an answer that cannot be; all "
                           "ranks run the same darc (" DARC_FLEET_ROLE ")",
                           file);
    darc_text_clear(answer);
    return status;
}

darc_status darc_fleet_digest(darc_fleet *f, char hex[DARC_SHA256_HEX],
                              const char *file, darc_err *err)
{
    darc_text_t answer = DARC_TEXT;
    darc_status status = ask(f, answer, DARC_FLEET_DIGEST, file, err);
    snprintf(hex, DARC_SHA256_HEX, "%s", status == DARC_OK ? answer->s : "");
    darc_text_clear(answer);
    return status;
}

static darc_status fit(darc_text_t answer, const darc_session *s,
                       const darc_question *x, const char *file, darc_err *err)
{
    darc_table *table = NULL;
    darc_estimates e = {.equations = 0};
    darc_status status;
    DARC_TRY(darc_table_load(&table, file, &s->set.load, err));
    DARC_TRY(darc_session_complete(s, table, err));
    DARC_TRY(darc_drift_fit(&e, x, table, err));
    darc_estimates bare = e; /* relations are not imposed yet */
    bare.bare = bare.bare_cov = NULL;
    pass_all(&(parcel){.out = answer, .whole = true}, &bare);
done:
    darc_table_free(table);
    darc_estimates_clear(&e);
    return status;
}

static bool answer_one(const darc_session *s, const darc_question *x,
                       int question, const char *file)
{
    darc_text_t answer = DARC_TEXT;
    darc_err err = {DARC_OK, ""};
    char hex[DARC_SHA256_HEX];
    darc_status status = DARC_OK;
    if (question == DARC_FLEET_FIT)
        status = fit(answer, s, x, file, &err);
    else if ((status = darc_digest_file(hex, file, &err)) == DARC_OK)
        darc_text_puts(answer, hex);
    if (status != DARC_OK) {
        darc_text_reset(answer);
        darc_text_puts(answer, err.message);
    }
    bool sent = darc_wire_answer_send(DARC_FLEET_SOCKET, (int)status, answer->s,
                                      answer->len);
    darc_text_clear(answer);
    return sent;
}

void darc_fleet_serve(const darc_session *s, const darc_question *x)
{
    darc_text_t file = DARC_TEXT;
    int question;
    while (receive_message(DARC_FLEET_SOCKET, &question, file))
        if (!answer_one(s, x, question, file->s))
            break;
    darc_text_clear(file);
}
