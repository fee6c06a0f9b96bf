#include "archive/archive.h"

#include "base/mem.h"

#include <math.h>
#include <stdarg.h>

/* Milliseconds to wait for other processes. */
enum { PATIENCE = 3000 };

/* Record why the last call failed; return the status. */
static darc_status fail(const darc_sql *s, darc_err *err)
{
    const char *why = sqlite3_errmsg(s->db);
    switch (sqlite3_errcode(s->db) & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return darc_fail(err, DARC_IO,
                         "%s: error: the database is locked by another "
                         "program; try again when that has ended",
                         s->file);
    case SQLITE_NOTADB:
        return darc_fail_file(err, s->file,
                              "not a database; expected an SQLite database "
                              "that darc has made, or a new file");
    case SQLITE_CORRUPT:
        return darc_fail_file(
            err, s->file,
            "the database is damaged, or its disk fails (%s); restore it from "
            "a copy, or make a new one from the recordings",
            why);
    case SQLITE_NOMEM:
        return darc_fail(err, DARC_LIMIT,
                         "%s: memory is short for the database", s->file);
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return darc_fail(err, DARC_IO,
                         "%s: error: the database cannot be written (%s); "
                         "the file and its directory must be writable",
                         s->file, why);
    default:
        return darc_fail(err, DARC_IO, "%s: error: database: %s", s->file, why);
    }
}

/* The schema of a file may come from anybody: it calls no functions with
 * effects, triggers and views do not run, and no statement changes it but by
 * the commands for that. */
static void distrust(sqlite3 *db)
{
    static const struct {
        int what, value;
    } set[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
               {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
               {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
               {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
               {SQLITE_DBCONFIG_DQS_DDL, 0},
               {SQLITE_DBCONFIG_DQS_DML, 0}};
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
        sqlite3_db_config(db, set[i].what, set[i].value, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, DARC_SQL_VALUE);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
}

darc_status darc_sql_open(darc_sql *s, const char *file, darc_err *err)
{
    darc_status status = DARC_OK;
    *s = (darc_sql){.file = darc_strdup(file)};
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE;
    if (sqlite3_open_v2(file, &s->db, flags, NULL) != SQLITE_OK)
        DARC_TRY(fail(s, err));
    distrust(s->db);
    sqlite3_busy_timeout(s->db, PATIENCE);
    if (sqlite3_db_readonly(s->db, "main") == 1)
        DARC_TRY(darc_fail(err, DARC_IO,
                           "%s: error: the database cannot be written (read "
                           "only); the file and its directory must be writable",
                           file));
    DARC_TRY(darc_sql_exec(
        s, "PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON", err));
done:
    if (status != DARC_OK)
        darc_sql_close(s);
    return status;
}

void darc_sql_close(darc_sql *s)
{
    sqlite3_close_v2(s->db);
    darc_free(s->file);
    *s = (darc_sql){0};
}

darc_status darc_sql_exec(const darc_sql *s, const char *text, darc_err *err)
{
    return sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK
               ? DARC_OK
               : fail(s, err);
}

static int bind(sqlite3_stmt *st, const char *types, va_list args)
{
    int code = SQLITE_OK;
    for (int i = 0; types[i] != '\0' && code == SQLITE_OK; i++) {
        if (types[i] == 'i') {
            code = sqlite3_bind_int64(st, i + 1, va_arg(args, long long));
        } else if (types[i] == 'd') {
            double x = va_arg(args, double);
            code = isnan(x) ? sqlite3_bind_null(st, i + 1)
                            : sqlite3_bind_double(st, i + 1, x);
        } else {
            code = sqlite3_bind_text(st, i + 1, va_arg(args, const char *), -1,
                                     SQLITE_TRANSIENT);
        }
    }
    return code;
}

static darc_status start_statement(const darc_sql *s, sqlite3_stmt **st,
                                   const char *text, const char *types,
                                   va_list args, darc_err *err)
{
    if (sqlite3_prepare_v2(s->db, text, -1, st, NULL) == SQLITE_OK &&
        bind(*st, types, args) == SQLITE_OK)
        return darc_sql_next(s, st, err);
    darc_status status = fail(s, err);
    sqlite3_finalize(*st);
    *st = NULL;
    return status;
}

darc_status darc_sql_do(const darc_sql *s, long long *row, darc_err *err,
                        const char *text, const char *types, ...)
{
    sqlite3_stmt *st;
    va_list args;
    va_start(args, types);
    darc_status status = start_statement(s, &st, text, types, args, err);
    va_end(args);
    sqlite3_finalize(st);
    if (status == DARC_OK && row != NULL)
        *row = sqlite3_last_insert_rowid(s->db);
    return status;
}

darc_status darc_sql_query(const darc_sql *s, sqlite3_stmt **query,
                           darc_err *err, const char *text, const char *types,
                           ...)
{
    va_list args;
    va_start(args, types);
    darc_status status = start_statement(s, query, text, types, args, err);
    va_end(args);
    return status;
}

darc_status darc_sql_next(const darc_sql *s, sqlite3_stmt **query,
                          darc_err *err)
{
    int code = sqlite3_step(*query);
    if (code == SQLITE_ROW)
        return DARC_OK;
    darc_status status = code == SQLITE_DONE ? DARC_OK : fail(s, err);
    sqlite3_finalize(*query);
    *query = NULL;
    return status;
}

double darc_sql_double(sqlite3_stmt *query, int column)
{
    return sqlite3_column_type(query, column) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(query, column);
}

const char *darc_sql_cell(sqlite3_stmt *query, int column)
{
    if (sqlite3_column_type(query, column) == SQLITE_NULL)
        return NULL;
    const unsigned char *text = sqlite3_column_text(query, column);
    if (text == NULL)
        darc_mem_lack((size_t)sqlite3_column_bytes(query, column) + 1);
    return (const char *)text;
}

char *darc_sql_text(sqlite3_stmt *query, int column)
{
    const char *text = darc_sql_cell(query, column);
    return text == NULL ? NULL : darc_strdup(text);
}

darc_status darc_sql_number(const darc_sql *s, long long *value,
                            const char *text, darc_err *err)
{
    sqlite3_stmt *query;
    DARC_NEED(darc_sql_query(s, &query, err, text, ""));
    *value = query != NULL ? sqlite3_column_int64(query, 0) : 0;
    sqlite3_finalize(query);
    return DARC_OK;
}
