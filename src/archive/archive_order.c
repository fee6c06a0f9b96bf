/* archive_order.c - the recordings of a campaign, in order of time. */
#include "archive/archive.h"

#include "base/mem.h"
#include "files/arrayfile.h"

#include <math.h>
#include <string.h>

/* The file of the command line, and what is found out about it. */
typedef struct {
    char hash[DARC_SHA256_HEX];
    int entry; /* where it is; -1: nowhere yet */
} given;

static darc_status read_entries(darc_archive *a, darc_err *err)
{
    bool more = true;
    sqlite3_stmt *query;
    size_t alloc = 0;
    darc_status status = darc_sql_query(
        &a->sql, &query, err,
        "SELECT id, position, file, sha256, damage FROM recording "
        "WHERE campaign = ? ORDER BY position, id",
        "i", a->campaign);
    while (status == DARC_OK && more) {
        status = darc_sql_next(&a->sql, &query, &more, err);
        if (status != DARC_OK || !more)
            break;
        a->entry =
            darc_grow(a->entry, (size_t)a->entries, &alloc, sizeof *a->entry);
        darc_archive_entry *x = a->entry + a->entries++;
        const char *hash = (const char *)sqlite3_column_text(query, 3);
        *x = (darc_archive_entry){.row = sqlite3_column_int64(query, 0),
                                  .position = darc_sql_double(query, 1),
                                  .file = darc_sql_text(query, 2),
                                  .damage = darc_sql_text(query, 4),
                                  .known = true};
        if (hash != NULL)
            memcpy(x->hash, hash, strnlen(hash, DARC_SHA256_HEX - 1));
        if (x->file == NULL || !isfinite(x->position))
            status = darc_fail(err, DARC_DATA,
                               "%s: error: recording %lld has no name or no "
                               "position; restore the database from a copy",
                               a->sql.file, x->row);
    }
    sqlite3_finalize(query);
    return status;
}

/* The digest of a file, or of the one that an array is in; "" where it cannot
 * be read. */
static darc_status hash_file(char hex[DARC_SHA256_HEX], const char *file,
                             darc_err *err)
{
    size_t length;
    bool arrays = darc_arrayfile_is(file, &length);
    char *path = darc_strndup(file, arrays ? length : strlen(file));
    darc_status status = darc_sha256_file(hex, path, err);
    if (status != DARC_OK)
        hex[0] = '\0';
    else if (file[strlen(path)] != '\0')
        darc_archive_digest(hex, hex, file + strlen(path));
    darc_free(path);
    return status;
}

darc_status darc_archive_know(darc_archive *a, int i, darc_err *err)
{
    darc_archive_entry *x = a->entry + i;
    return x->hash[0] != '\0' ? DARC_OK : hash_file(x->hash, x->file, err);
}

/* The entry with the content of the file, or the damaged one of that name; -1:
 * none.  What is damaged is read again: it may have been read wrong. */
static int find_entry(darc_archive *a, const char *hash, const char *file)
{
    int found = -1;
    for (int i = 0; i < a->entries && found < 0; i++)
        if (hash[0] != '\0' && strcmp(a->entry[i].hash, hash) == 0)
            found = i;
    for (int i = 0; i < a->entries && found < 0; i++)
        if (a->entry[i].damage != NULL && strcmp(a->entry[i].file, file) == 0)
            found = i;
    if (found < 0)
        return -1;
    darc_archive_entry *x = a->entry + found;
    darc_free(x->file);
    x->file = darc_strdup(file);
    if (x->damage != NULL) {
        darc_free(x->damage);
        x->damage = NULL;
        x->known = false;
        memcpy(x->hash, hash, DARC_SHA256_HEX);
    }
    return found;
}

/* Insert an entry at `at`, between its neighbours in time. */
static void insert(darc_archive *a, int at, const char *file, const char *hash)
{
    a->entry = darc_realloc(a->entry, (size_t)a->entries + 1, sizeof *a->entry);
    darc_archive_entry *x = a->entry + at;
    memmove(x + 1, x, (size_t)(a->entries - at) * sizeof *x);
    double before = at > 0 ? x[-1].position : 0;
    double after = at < a->entries ? x[1].position : before + 2;
    if (at == 0 && a->entries > 0)
        before = after - 2;
    *x = (darc_archive_entry){.file = darc_strdup(file),
                              .position = before + (after - before) / 2};
    memcpy(x->hash, hash, DARC_SHA256_HEX);
    a->entries++;
}

/* Place those without an entry: behind the file before them on the command
 * line if a later one is an old recording, else last. */
static void place(darc_archive *a, given *g, const char *const *file, int files)
{
    int last_old = -1, at = -1;
    for (int k = 0; k < files; k++)
        last_old = g[k].entry >= 0 ? k : last_old;
    for (int k = 0; k < files; k++) {
        if (g[k].entry < 0)
            g[k].entry = find_entry(a, g[k].hash, file[k]); /* given twice */
        if (g[k].entry < 0) {
            g[k].entry = k < last_old ? at + 1 : a->entries;
            insert(a, g[k].entry, file[k], g[k].hash);
            for (int i = 0; i < files; i++)
                g[i].entry +=
                    i != k && g[i].entry >= g[k].entry && g[i].entry >= 0;
        }
        at = g[k].entry;
    }
}

static darc_status choose_reference(darc_archive *a, int baseline,
                                    darc_err *err)
{
    darc_status status;
    bool more;
    long long row = 0;
    sqlite3_stmt *query;
    a->reference = baseline;
    if (baseline >= 0)
        return DARC_OK;
    DARC_TRY(darc_sql_query(&a->sql, &query, err,
                            "SELECT baseline FROM campaign WHERE id = ?", "i",
                            a->campaign));
    DARC_TRY(darc_sql_next(&a->sql, &query, &more, err));
    if (more)
        row = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    a->reference = 0;
    while (a->reference < a->entries - 1 &&
           a->entry[a->reference].damage != NULL)
        a->reference++;
    for (int i = 0; i < a->entries; i++)
        if (row != 0 && a->entry[i].row == row)
            a->reference = i;
done:
    return status;
}

static darc_status hash_files(given *g, const darc_archive *a,
                              const char *const *file, int files, darc_err *err)
{
    for (int k = 0; k < files; k++) {
        darc_progress p = {.stage = "digests", .done = k, .total = files};
        if (strcmp(file[k], "-") == 0)
            return darc_fail(err, DARC_USAGE,
                             "--db: standard input has no name; recordings "
                             "that are stored come from files");
        darc_budget_progress(a->session->budget, &p);
        darc_status status = darc_budget_check(a->session->budget, err);
        if (status != DARC_OK)
            return status;
        if (hash_file(g[k].hash, file[k], NULL) != DARC_OK)
            continue; /* darc_archive_know tells why, in its turn */
    }
    return DARC_OK;
}

darc_status darc_archive_arrange(darc_archive *a, const char *const *file,
                                 int files, int baseline, darc_err *err)
{
    darc_status status;
    given *g = darc_calloc((size_t)files, sizeof *g);
    DARC_TRY(read_entries(a, err));
    DARC_TRY(hash_files(g, a, file, files, err));
    for (int k = 0; k < files; k++)
        g[k].entry = find_entry(a, g[k].hash, file[k]);
    place(a, g, file, files);
    if (a->entries == 0)
        DARC_TRY(darc_fail(err, DARC_DATA,
                           "%s: error: holds no recording of this model with "
                           "these settings yet; name recordings",
                           a->sql.file));
    status = choose_reference(a, baseline >= 0 ? g[baseline].entry : -1, err);
done:
    darc_free(g);
    return status;
}
