#include "archive/archive.h"

#include "base/mem.h"
#include "base/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Rows of the database b get numbers behind those of the main one; `moved`
 * says which, and whether the recording is new. */
static const char join[] = {
#include "join.sql.inc"
    0};

/* Open a file for a database that messages call `name`.  It needs no journal:
 * what is cut short is made anew. */
static darc_status open_new(darc_sql *s, const char *file, const char *name,
                            darc_err *err)
{
    DARC_NEED(darc_sql_open(s, file, err));
    darc_free(s->file);
    s->file = darc_strdup(name);
    return darc_sql_exec(s, "PRAGMA journal_mode = MEMORY", err);
}

/* Copy a database, which others may be writing, and bring the copy to the
 * version of this darc. */
static darc_status copy_database(const char *to, const char *name,
                                 const char *from, darc_err *err)
{
    darc_sql s = {NULL, NULL}, d = {NULL, NULL};
    darc_status status;
    if (access(from, R_OK) != 0)
        return darc_fail(err, DARC_IO, "%s: error: cannot be read: %s", from,
                         strerror(errno));
    DARC_TRY(darc_sql_open(&s, from, err));
    DARC_TRY(darc_archive_check(&s, false, err));
    DARC_TRY(open_new(&d, to, name, err));
    sqlite3_backup *b = sqlite3_backup_init(d.db, "main", s.db, "main");
    int code = b != NULL ? sqlite3_backup_step(b, -1) : SQLITE_ERROR;
    sqlite3_backup_finish(b);
    if (code != SQLITE_DONE)
        DARC_TRY(darc_fail(err, DARC_IO, "%s: error: cannot be copied to %s",
                           from, name));
    status = darc_archive_check(&d, true, err);
done:
    DARC_EACH(darc_sql_close, &s, &d);
    return status;
}

/* Begin a file of that name, which is not there; its temporary one is. */
static darc_status begin(darc_output **out, const char *name, darc_err *err)
{
    bool there = access(name, F_OK) == 0 || strcmp(name, "-") == 0;
    if (!there)
        DARC_NEED(darc_output_open(out, name, err));
    if (!there && darc_output_temporary(*out) != NULL)
        return DARC_OK;
    if (!there)
        darc_output_discard(*out);
    return darc_fail(err, DARC_USAGE,
                     "-o: '%s' is there already; a new database is made", name);
}

/* Join a database to the one that is to become `name`. */
static darc_status join_database(const darc_sql *s, const char *name,
                                 const char *from, darc_err *err)
{
    darc_output *part;
    DARC_NEED(begin(&part, name, err));
    const char *copy = darc_output_temporary(part);
    darc_status status = copy_database(copy, name, from, err);
    DARC_THEN(darc_sql_do(s, NULL, err, "ATTACH ? AS b", "t", copy));
    DARC_THEN(darc_sql_exec(s, join, err));
    darc_output_discard(part);
    return status;
}

darc_status darc_archive_merge(const char *name, const char *const *file, int n,
                               darc_err *err)
{
    darc_status status;
    darc_sql s = {NULL, NULL};
    darc_output *out;
    DARC_NEED(begin(&out, name, err));
    const char *made = darc_output_temporary(out);
    DARC_TRY(copy_database(made, name, file[0], err));
    DARC_TRY(open_new(&s, made, name, err));
    sqlite3_limit(s.db, SQLITE_LIMIT_ATTACHED, 1);
    for (int i = 1; i < n; i++)
        DARC_TRY(join_database(&s, name, file[i], err));
done:
    darc_sql_close(&s);
    if (status == DARC_OK)
        return darc_output_close(out, err);
    darc_output_discard(out);
    return status;
}
