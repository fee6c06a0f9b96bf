#include "archive/fleet.h"

#include "archive/digest.h"
#include "archive/parcel.h"
#include "base/mem.h"
#include "data/table.h"
#include "files/wire.h"
#include "session/signals.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct darc_fleet {
    int places;
    bool *taken; /* owned */
    pthread_mutex_t lock;
    pthread_cond_t free;
};

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
    darc_free(f->taken);
    darc_free(f);
}

int darc_fleet_places(const darc_fleet *f)
{
    return f->places;
}

/* ---- messages --------------------------------------------------------------
 */

/* What both sides take at the most: estimates of some hundred coefficients. */
static const uint64_t MOST = 64 << 20;

static bool send_message(int fd, int status, const char *bytes, size_t n)
{
    darc_wire_answer head;
    memset(&head, 0, sizeof head); /* padding too */
    head.status = status;
    head.bytes = n;
    return darc_wire_send(fd, &head, sizeof head) &&
           darc_wire_send(fd, bytes, n);
}

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

/* ---- the dealer ------------------------------------------------------------
 */

/* The first of the free ones: they are the first places of all ranks, then the
 * second ones. */
static int take_place(darc_fleet *f)
{
    int k = 0;
    pthread_mutex_lock(&f->lock);
    for (;;) {
        for (k = 0; k < f->places && f->taken[k];)
            k++;
        if (k < f->places)
            break;
        pthread_cond_wait(&f->free, &f->lock);
    }
    f->taken[k] = true;
    pthread_mutex_unlock(&f->lock);
    return k;
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
    bool there = send_message(fd, question, file, strlen(file)) &&
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
    if (status == DARC_OK && !darc_parcel_unpack(e, answer->s, answer->len))
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

/* ---- a fitter --------------------------------------------------------------
 */

static darc_status fit(darc_text_t answer, const darc_session *s,
                       const darc_question *x, const char *file, darc_err *err)
{
    darc_table *table = NULL;
    darc_estimates e = {.equations = 0};
    darc_status status;
    DARC_TRY(darc_table_load(&table, file, &s->set.load, err));
    DARC_TRY(darc_session_complete(s, table, err));
    DARC_TRY(darc_drift_fit(&e, x, table, err));
    darc_parcel_pack(answer, &e);
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
    bool sent =
        status == DARC_OK
            ? send_message(DARC_FLEET_SOCKET, status, answer->s, answer->len)
            : send_message(DARC_FLEET_SOCKET, (int)status, err.message,
                           strlen(err.message));
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
