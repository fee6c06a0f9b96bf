/* archive.h - fits of recordings, kept in an SQLite database, so that new
 * recordings are held against old ones without reading those.
 *
 * A campaign is one model with one choice of the settings that fits depend
 * on; any number of campaigns share a database.  A recording is known by the
 * SHA-256 digest of its bytes.  Recordings are in order of time: new ones
 * come last, or where the command line puts them among old ones.  A
 * recording is stored in one transaction, in a fleet some in one.
 * src/manual/database.md describes the tables.
 */
#pragma once

#include "archive/fleet.h"
#include "data/listing.h"
#include "diagnose/drift.h"
#include "session/state.h"

#include <sqlite3.h>

/* ---- sql: statements on an SQLite database [SQLite], failures as messages
 * that name the file
 * --------------------------------------------------------------
 *
 * Values are bound in order, as a word of letters says: i a long long, d a
 * double (NAN: NULL), t a string (NULL: NULL).
 */

typedef struct {
    sqlite3 *db;
    char *file; /* owned */
} darc_sql;

/* Bytes of a value: a model's text is the longest that is stored. */
#define DARC_SQL_VALUE (16 << 20)

/* Open the file for reading and writing; make it if it does not exist.
 * Statements wait some seconds for other processes.
 * Fails: DARC_IO when it cannot be opened, made or written. */
DARC_STATUS darc_sql_open(darc_sql *s, const char *file, darc_err *err);
void darc_sql_close(darc_sql *s);

/* Run statements without values and results.
 * Fails, as all do: DARC_IO when the database is locked, read only, full;
 * DARC_DATA when it is damaged, or none; DARC_LIMIT for lack of memory. */
DARC_STATUS darc_sql_exec(const darc_sql *s, const char *text, darc_err *err);

/* Run a statement with values; *row gets the row that was inserted, NULL is
 * allowed. */
DARC_STATUS darc_sql_do(const darc_sql *s, long long *row, darc_err *err,
                        const char *text, const char *types, ...);

/* Start a query with values, and stand at its first row. */
DARC_STATUS darc_sql_query(const darc_sql *s, sqlite3_stmt **query,
                           darc_err *err, const char *text, const char *types,
                           ...);

/* Go to the next row.  Without one, or after a failure, the query is released,
 * and *query is NULL. */
DARC_STATUS darc_sql_next(const darc_sql *s, sqlite3_stmt **query,
                          darc_err *err);

/* Return the number in a column of the row, NAN for NULL. */
double darc_sql_double(sqlite3_stmt *query, int column);

/* Return the text in a column of the row, NULL for NULL; a copy of it. */
const char *darc_sql_cell(sqlite3_stmt *query, int column);
char *darc_sql_text(sqlite3_stmt *query, int column);

/* Set *value to the whole number that a query of one row gives. */
DARC_STATUS darc_sql_number(const darc_sql *s, long long *value,
                            const char *text, darc_err *err);

#define DARC_ARCHIVE_VERSION 3 /* of the tables: PRAGMA user_version */

/* A recording of the campaign. */
typedef struct {
    long long row;              /* 0: not stored yet */
    long long planned;          /* row it is to get, unless that is taken */
    double position;            /* in time */
    char *file;                 /* as given, or else as stored; owned */
    char hash[DARC_SHA256_HEX]; /* "": the file could not be read */
    char *damage;               /* why it could not be used; NULL; owned */
    int given;  /* place in the list, from 1; 0: it is not named there */
    bool known; /* its fit, or its damage, needs no reading */
} darc_archive_entry;

typedef struct {
    darc_sql sql;
    const darc_session *session;
    int equations; /* that are followed */
    int *equation; /* of the model; owned */
    long long campaign;
    int entries; /* in order of time */
    darc_archive_entry *entry;
    int reference;            /* the baseline among entries */
    const darc_listing *list; /* what was named */
    darc_fleet *fleet;        /* that works digests out; NULL: this process */
    pthread_mutex_t lock;
    bool writing; /* what was stored is not committed yet */
    double due;   /* when it is to be, in a fleet */
} darc_archive;

/* See that the database is whole and darc's, and if `now` bring it to this
 * version.  Fails: as darc_archive_open. */
DARC_STATUS darc_archive_check(const darc_sql *s, bool now, darc_err *err);

/* Open or make the database, and find or make the campaign of the session.
 * Notes in the session if the model is there with other settings.
 * Fails: as darc_sql_exec; DARC_DATA for a database of another program or of
 * a later darc. */
DARC_STATUS darc_archive_open(darc_archive *a, const char *file,
                              darc_session *session, darc_err *err);
void darc_archive_close(darc_archive *a);

/* Set the entries to those stored and those of the list, which is in order of
 * time and must stay; baseline: which file is to be the reference, -1: that of
 * the last run, or else the first recording. Fails: DARC_USAGE for standard
 * input; DARC_DATA without any recording. */
DARC_STATUS darc_archive_arrange(darc_archive *a, const darc_listing *list,
                                 int baseline, darc_err *err);

/* Set e to what entry i, which is known and not damaged, says; release it in
 * any case.  This and darc_archive_keep may be called from several threads. */
DARC_STATUS darc_archive_fit(darc_archive *a, int i, darc_estimates *e,
                             darc_err *err);

/* Store what entry i says, or with e NULL why it is damaged, unless it is
 * known. */
DARC_STATUS darc_archive_keep(darc_archive *a, int i, const darc_estimates *e,
                              const char *damage, darc_err *err);

/* Commit what was stored. */
DARC_STATUS darc_archive_commit(darc_archive *a, darc_err *err);

/* Keep the reference, and what the list tells, for later runs. */
DARC_STATUS darc_archive_settle(darc_archive *a, darc_err *err);

/* Make the database out of n > 0 others, which stay as they are: campaigns of
 * the same model and settings become one, the recordings of a later database
 * come behind those of the ones before it.  Of a content that several hold that
 * of the first counts.
 * Fails: DARC_USAGE where out exists; DARC_IO, DARC_DATA as databases do; then
 * there is no out. */
DARC_STATUS darc_archive_merge(const char *out, const char *const *file, int n,
                               darc_err *err);
