/* fleet.h - a campaign on many machines: what passes between the process that
 * deals recordings out and those that fit them.
 *
 * Under mpirun darc becomes the program fleet-rank (commands/fleet_rank.c),
 * which starts it again in two roles and carries their messages over MPI: one
 * dealer on rank 0, which owns the database and compares, and on every rank a
 * fitter.  The dealer has places, sockets 3, 4, ...: who asks takes one, sends
 * a file's name and waits for the answer.  A fitter answers on socket 3.
 */
#pragma once

#include "base/sha256.h"
#include "diagnose/drift.h"
#include "session/state.h"

#include <pthread.h>

/* The environment tells the role: "deal N", of N places, or "fit". */
#define DARC_FLEET_ROLE "DARC_FLEET"

/* Places of a rank: while a recording is fitted one waits there, and the answer
 * to a third may be on its way. */
#define DARC_FLEET_PLACES 3

/* The first of the sockets. */
enum { DARC_FLEET_SOCKET = 3 };

/* What is asked for, status of a darc_wire_answer: the file's name follows. */
enum { DARC_FLEET_FIT = 'f', DARC_FLEET_DIGEST = 'd' };

/* Those of the dealer: so many may ask at a time. */
typedef struct {
    int places;
    bool *taken; /* owned */
    pthread_mutex_t lock;
    pthread_cond_t free;
} darc_fleet;

/* Return whether this process is a fitter. */
bool darc_fleet_fits(void);

/* Return the fleet whose dealer this process is, NULL if it is none. */
darc_fleet *darc_fleet_open(void);
void darc_fleet_close(darc_fleet *f);

/* Ask, from any thread, for what the recording in the file says (e: to be
 * released in any case), or for the digest of its bytes.
 * Fails: as the fitter does; DARC_INTERNAL where fitters end over it. */
DARC_STATUS darc_fleet_fit(darc_fleet *f, darc_estimates *e, const char *file,
                           darc_err *err);
DARC_STATUS darc_fleet_digest(darc_fleet *f, char hex[DARC_SHA256_HEX],
                              const char *file, darc_err *err);

/* Set hex to the digest of a recording's file, or of the one that an array is
 * in; "" where it cannot be read.
 * Fails: DARC_IO where the file cannot be read, or is no regular one. */
DARC_STATUS darc_digest_file(char hex[DARC_SHA256_HEX], const char *file,
                             darc_err *err);

/* Set hex to the digest of two texts, one after the other. */
void darc_digest_texts(char hex[DARC_SHA256_HEX], const char *first,
                       const char *second);

/* Answer, as a fitter, until the socket is closed. */
void darc_fleet_serve(const darc_session *s, const darc_question *x);
