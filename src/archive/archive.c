#include "archive/archive.h"

#include "base/mem.h"
#include "darc.h"

#include <math.h>
#include <string.h>

/* "darc", PRAGMA application_id. */
enum { APPLICATION = 0x64617263 };

/* What lists tell of recordings, since version 3. */
#define TOLD                                                                   \
    "CREATE TABLE told("                                                       \
    " recording INTEGER NOT NULL REFERENCES recording(id),"                    \
    " name TEXT NOT NULL, value TEXT NOT NULL,"                                \
    " PRIMARY KEY(recording, name)) WITHOUT ROWID;"                            \
    "PRAGMA user_version = 3;"

/* All other tables, whose text, without the line breaks of the file, every
 * database keeps. */
static const char schema[] = {
#include "schema.sql.inc"
    0};

static darc_status make_tables(const darc_sql *s, darc_err *err)
{
    DARC_NEED(darc_sql_exec(s, schema, err));
    return darc_sql_exec(s, TOLD, err);
}

/* Damage shows when pages are read: read them all. */
static darc_status check_pages(const darc_sql *s, darc_err *err)
{
    sqlite3_stmt *query;
    darc_status status = DARC_OK;
    DARC_NEED(darc_sql_query(s, &query, err, "PRAGMA quick_check(1)", ""));
    const char *text = query != NULL ? darc_sql_cell(query, 0) : "no answer";
    const char *line = strrchr(text, '\n');
    if (strcmp(text, "ok") != 0)
        status = darc_fail_file(
            err, s->file,
            "the database is damaged, or its disk fails (%s); restore it from "
            "a copy, or make a new one from the recordings",
            line != NULL ? line + 1 : text);
    sqlite3_finalize(query);
    return status;
}

/* SQLite takes a word for a number, and reads it as 0. */
static darc_status check_numbers(const darc_sql *s, darc_err *err)
{
    sqlite3_stmt *query;
    darc_status status = DARC_OK;
    darc_text_t words = DARC_TEXT;
    DARC_TRY(darc_sql_query(
        s, &query, err,
        "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) "
        "c WHERE m.type = 'table' AND c.type IN ('INTEGER', 'REAL') AND m.name "
        "IN ('campaign', 'recording', 'fit', 'equation', 'coefficient', "
        "'covariance', 'told')",
        ""));
    while (query != NULL) {
        darc_text_printf(words,
                         "%s EXISTS(SELECT 1 FROM %s WHERE typeof(%s) IN "
                         "('text', 'blob'))",
                         words->len == 0 ? "SELECT" : " OR",
                         darc_sql_cell(query, 0), darc_sql_cell(query, 1));
        DARC_TRY(darc_sql_next(s, &query, err));
    }
    long long found;
    DARC_TRY(darc_sql_number(s, &found, words->s, err));
    if (found != 0)
        status = darc_fail_file(err, s->file,
                                "a word stands where a number should; restore "
                                "the database from a copy");
done:
    darc_text_clear(words);
    return status;
}

/* Set text to what the database is made of: its tables and what belongs to
 * them, or besides those whatever would run unasked. */
static darc_status list_schema(darc_text_t text, const darc_sql *s,
                               darc_err *err)
{
    sqlite3_stmt *query;
    DARC_NEED(darc_sql_query(
        s, &query, err,
        "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM "
        "sqlite_master WHERE type NOT IN ('table', 'index') OR tbl_name IN "
        "('campaign', 'recording', 'fit', 'equation', 'coefficient', "
        "'covariance', 'told') ORDER BY type, name",
        ""));
    while (query != NULL) {
        const char *row = darc_sql_cell(query, 0);
        darc_text_printf(text, "%s\n", row != NULL ? row : "");
        DARC_NEED(darc_sql_next(s, &query, err));
    }
    return DARC_OK;
}

/* Hold the schema, to the last column, against that of a new database. */
static darc_status compare_schema(const darc_sql *s, darc_err *err)
{
    darc_status status;
    darc_sql own = {NULL, NULL};
    darc_text_t is = DARC_TEXT, should = DARC_TEXT;
    DARC_TRY(darc_sql_open(&own, ":memory:", err));
    DARC_TRY(make_tables(&own, err));
    DARC_TRY(list_schema(is, s, err));
    DARC_TRY(list_schema(should, &own, err));
    size_t at = 0, line = 0;
    for (; is->s[at] == should->s[at] && is->s[at] != '\0'; at++)
        line = is->s[at] == '\n' ? at + 1 : line;
    if (is->s[at] != should->s[at])
        status =
            darc_fail_file(err, s->file,
                           "its tables are not those that darc makes: expected "
                           "'%.60s', not '%.60s'; restore it from a copy, or "
                           "make a new one from the recordings",
                           should->s + line, is->s + line);
done:
    darc_sql_close(&own);
    DARC_EACH(darc_text_clear, is, should);
    return status;
}

/* Make the tables in a new database, or see that they are darc's; `now`: of
 * this version. */
static darc_status check_schema(const darc_sql *s, bool now, darc_err *err)
{
    long long tables, version, application;
    DARC_NEED(
        darc_sql_number(s, &tables, "SELECT count(*) FROM sqlite_master", err));
    if (tables == 0)
        DARC_NEED(make_tables(s, err));
    DARC_NEED(darc_sql_number(s, &version, "PRAGMA user_version", err));
    DARC_NEED(darc_sql_number(s, &application, "PRAGMA application_id", err));
    if (application != APPLICATION)
        return darc_fail_file(err, s->file,
                              "a database of another program; expected one "
                              "that darc has made, or a new file");
    if (version == 2 && !now)
        return DARC_OK;
    if (version != 2 && version != DARC_ARCHIVE_VERSION)
        return darc_fail_file(
            err, s->file,
            "the database has version %lld, this darc (%s) writes version %d: "
            "%s",
            version, DARC_VERSION, DARC_ARCHIVE_VERSION,
            version > DARC_ARCHIVE_VERSION
                ? "use the later darc"
                : "make a new one from the recordings, or use the older darc");
    if (version == 2)
        DARC_NEED(darc_sql_exec(s, TOLD, err));
    return compare_schema(s, err);
}

darc_status darc_archive_check(const darc_sql *s, bool now, darc_err *err)
{
    DARC_NEED(check_schema(s, now, err));
    DARC_NEED(check_pages(s, err));
    return check_numbers(s, err);
}

/* Note why the campaign is a new one though the model has others. */
static darc_status note_others(const darc_archive *a, darc_session *session,
                               const char *text, darc_err *err)
{
    sqlite3_stmt *query;
    DARC_NEED(
        darc_sql_query(&a->sql, &query, err,
                       "SELECT model_text = ?1 FROM campaign WHERE model = ?2 "
                       "ORDER BY model_text = ?1 DESC",
                       "tt", text, darc_model_name(session->model)));
    if (query != NULL)
        darc_session_note(session,
                          "%s holds recordings of '%s' under %s; with what is "
                          "given now a campaign of its own begins",
                          a->sql.file, darc_model_name(session->model),
                          sqlite3_column_int(query, 0) ? "other settings"
                                                       : "another model text");
    sqlite3_finalize(query);
    return DARC_OK;
}

/* To be raised when fits of the same recording come to differ, as
 * tests/archive/test_archive.c tells. */
enum { FITS = 7 };

static void put_number(darc_text_t out, const char *key, const char *name,
                       double x)
{
    darc_text_printf(out, "%s%s%s ", key, name[0] != '\0' ? " " : "", name);
    darc_text_double(out, x);
    darc_text_putc(out, '\n');
}

static void put_text(darc_text_t out, const char *key, const char *text)
{
    if (text != NULL)
        darc_text_printf(out, "%s %s\n", key, text);
}

static void put_load(darc_text_t out, const darc_load_options *o)
{
    put_text(out, "time", o->time_column);
    if (o->rate > 0)
        put_number(out, "rate", "", o->rate);
    if (!isnan(o->from))
        put_number(out, "from", "", o->from);
    if (!isnan(o->to))
        put_number(out, "to", "", o->to);
    for (int i = 0; i < o->maps; i++)
        darc_text_printf(out, "map %s %s\n", o->map_name[i], o->map_column[i]);
    for (int i = 0; i < o->scales; i++)
        put_number(out, "scale", o->scale_name[i], o->scale[i]);
}

/* Append the settings that fits depend on, one a line. */
static darc_status put_settings(darc_text_t out, const darc_session *s,
                                darc_err *err)
{
    const darc_session_settings *set = &s->set;
    char hex[DARC_SHA256_HEX];
    darc_text_printf(out, "fits %d\n", FITS);
    put_number(out, "alpha", "", set->alpha);
    put_number(out, "tolerance", "", set->tolerance);
    darc_text_printf(out, "colour %d\n", (int)set->colour);
    put_text(out, "ranking", set->ranking);
    if (set->engine != DARC_ENGINE_AUTO)
        darc_text_printf(out, "engine %d\n", (int)set->engine);
    for (int i = 0; i < set->noises; i++)
        put_number(out, "noise", set->noise_name[i], set->noise_sd[i]);
    for (int i = 0; i < set->holds; i++)
        put_text(out, "hold", set->hold[i]);
    put_load(out, &set->load);
    if (set->noise_file == NULL)
        return DARC_OK;
    DARC_NEED(darc_sha256_file(hex, set->noise_file, err));
    put_text(out, "noise-from", hex);
    return DARC_OK;
}

static darc_status find_campaign(darc_archive *a, darc_session *session,
                                 darc_err *err)
{
    sqlite3_stmt *query = NULL;
    darc_status status;
    char hex[DARC_SHA256_HEX];
    darc_text_t text = DARC_TEXT, settings = DARC_TEXT;
    darc_model_print(text, session->model);
    DARC_TRY(put_settings(settings, session, err));
    darc_digest_texts(hex, text->s, settings->s);
    DARC_TRY(darc_sql_query(&a->sql, &query, err,
                            "SELECT id FROM campaign WHERE hash = ?", "t",
                            hex));
    if (query != NULL) {
        a->campaign = sqlite3_column_int64(query, 0);
        goto done;
    }
    DARC_TRY(note_others(a, session, text->s, err));
    DARC_TRY(darc_sql_do(&a->sql, &a->campaign, err,
                         "INSERT INTO campaign(hash, model, model_text,"
                         " settings, darc) VALUES(?, ?, ?, ?, ?)",
                         "ttttt", hex, darc_model_name(session->model), text->s,
                         settings->s, DARC_VERSION));
done:
    sqlite3_finalize(query);
    DARC_EACH(darc_text_clear, text, settings);
    return status;
}

darc_status darc_archive_open(darc_archive *a, const char *file,
                              darc_session *session, darc_err *err)
{
    *a = (darc_archive){.session = session};
    darc_status status;
    DARC_NEED(darc_sql_open(&a->sql, file, err));
    a->equation = darc_calloc((size_t)session->io->count, sizeof *a->equation);
    a->equations = darc_drift_followed(a->equation, session->io);
    pthread_mutex_init(&a->lock, NULL);
    DARC_TRY(darc_sql_exec(&a->sql, "BEGIN IMMEDIATE", err));
    DARC_TRY(darc_archive_check(&a->sql, true, err));
    DARC_TRY(find_campaign(a, session, err));
    DARC_TRY(darc_sql_exec(&a->sql, "COMMIT", err));
done:
    if (status != DARC_OK)
        darc_archive_close(a);
    return status;
}

void darc_archive_close(darc_archive *a)
{
    if (a->sql.db == NULL)
        return;
    darc_status status = darc_archive_commit(a, NULL);
    (void)status; /* what cannot be kept is fitted again */
    for (int i = 0; i < a->entries; i++)
        DARC_FREE(a->entry[i].file, a->entry[i].damage);
    DARC_FREE(a->entry, a->equation);
    pthread_mutex_destroy(&a->lock);
    darc_sql_close(&a->sql);
    *a = (darc_archive){0};
}

/* Store what lists tell of entry x. */
static darc_status tell_entry(const darc_archive *a,
                              const darc_archive_entry *x, darc_err *err)
{
    for (int k = 0; k < a->list->columns && x->row != 0; k++) {
        const char *value = darc_listing_cell(a->list, x->given - 1, k);
        if (value != NULL)
            DARC_NEED(darc_sql_do(
                &a->sql, NULL, err,
                "INSERT INTO told VALUES(?,?,?) ON CONFLICT DO UPDATE "
                "SET value = excluded.value WHERE value <> excluded.value",
                "itt", x->row, a->list->column[k], value));
    }
    return DARC_OK;
}

darc_status darc_archive_settle(darc_archive *a, darc_err *err)
{
    DARC_NEED(darc_archive_commit(a, err));
    DARC_NEED(darc_sql_exec(&a->sql, "BEGIN IMMEDIATE", err));
    darc_status status = DARC_OK;
    for (int i = 0; i < a->entries && status == DARC_OK; i++)
        status = tell_entry(a, a->entry + i, err);
    DARC_THEN(darc_sql_exec(&a->sql, "COMMIT", err));
    if (status != DARC_OK) {
        sqlite3_exec(a->sql.db, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    return darc_sql_do(&a->sql, NULL, err,
                       "UPDATE campaign SET baseline = ? WHERE id = ? AND "
                       "baseline IS NOT ?1",
                       "ii", a->entry[a->reference].row, a->campaign);
}
