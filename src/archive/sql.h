/* sql.h - statements on an SQLite database [SQLite], failures as messages
 * that name the file.
 *
 * Values are bound in order, as a word of letters says: i a long long, d a
 * double (NAN: NULL), t a string (NULL: NULL).
 */
#ifndef DARC_ARCHIVE_SQL_H
#define DARC_ARCHIVE_SQL_H

#include "darc/status.h"

#include <sqlite3.h>

typedef struct {
    sqlite3 *db;
    char *file; /* owned */
} darc_sql;

/* Bytes of a value: a model's text is the longest that is stored. */
#define DARC_SQL_VALUE (16 << 20)

/* Open the file for reading and writing; make it if it does not exist.
 * Statements wait some seconds for other processes.
 * Fails: DARC_IO when it cannot be opened, made or written. */
DARC_CHECKED darc_status darc_sql_open(darc_sql *s, const char *file,
                                       darc_err *err);
void darc_sql_close(darc_sql *s);

/* Run statements without values and results.
 * Fails, as all do: DARC_IO when the database is locked, read only, full;
 * DARC_DATA when it is damaged, or none. */
DARC_CHECKED darc_status darc_sql_exec(const darc_sql *s, const char *text,
                                       darc_err *err);

/* Run a statement with values; *row gets the row that was inserted, NULL is
 * allowed. */
DARC_CHECKED darc_status darc_sql_do(const darc_sql *s, long long *row,
                                     darc_err *err, const char *text,
                                     const char *types, ...);

/* Start a query with values, and stand at its first row. */
DARC_CHECKED darc_status darc_sql_query(const darc_sql *s, sqlite3_stmt **query,
                                        darc_err *err, const char *text,
                                        const char *types, ...);

/* Go to the next row.  Without one, or after a failure, the query is released,
 * and *query is NULL. */
DARC_CHECKED darc_status darc_sql_next(const darc_sql *s, sqlite3_stmt **query,
                                       darc_err *err);

/* Return the number in a column of the row, NAN for NULL. */
double darc_sql_double(sqlite3_stmt *query, int column);

/* Return a copy of the text in a column of the row, NULL for NULL. */
char *darc_sql_text(sqlite3_stmt *query, int column);

/* Set *value to the whole number that a query of one row gives. */
DARC_CHECKED darc_status darc_sql_number(const darc_sql *s, long long *value,
                                         const char *text, darc_err *err);

#endif
