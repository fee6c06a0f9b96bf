/* archive_order.c - the recordings of a campaign, in order of time. */
#include "archive/archive.h"

#include "base/mem.h"
#include "base/parallel.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The file of the command line, and what is found out about it. */
typedef struct {
    char hash[DARC_SHA256_HEX];
    int same;  /* the old entry, or else entries + the first file, of the same
                  content; -1: none */
    int entry; /* its node in the order; -1: none yet */
} given;

/* A content, and whose it is: an old entry's, or a file's. */
typedef struct {
    const char *hash;
    int whose;
} content;

/* Positions begin with 1, and lie 1 apart: others may stand between them. */
static const double FARTHEST = 1e15;

static darc_status read_entries(darc_archive *a, darc_err *err)
{
    sqlite3_stmt *query;
    DARC_NEED(darc_sql_query(
        &a->sql, &query, err,
        "SELECT id, position, file, sha256, damage FROM recording "
        "WHERE campaign = ? ORDER BY position, id",
        "i", a->campaign));
    while (query != NULL) {
        DARC_ROOM(a->entry, a->entries);
        darc_archive_entry *x = a->entry + a->entries++;
        const char *hash = darc_sql_cell(query, 3);
        *x = (darc_archive_entry){.row = sqlite3_column_int64(query, 0),
                                  .position = darc_sql_double(query, 1),
                                  .file = darc_sql_text(query, 2),
                                  .damage = darc_sql_text(query, 4),
                                  .known = true};
        if (hash != NULL)
            memcpy(x->hash, hash, strnlen(hash, DARC_SHA256_HEX - 1));
        DARC_NEED(darc_sql_next(&a->sql, &query, err));
        if (x->file == NULL || !(fabs(x->position) < FARTHEST) || x->row <= 0) {
            sqlite3_finalize(query);
            return darc_fail_file(
                err, a->sql.file,
                "recording %lld has no number, no name, or no position that "
                "others can stand beside; restore the database from a copy",
                x->row);
        }
    }
    return DARC_OK;
}

static int by_content(const void *a, const void *b)
{
    const content *x = a, *y = b;
    int c = strcmp(x->hash, y->hash);
    return c != 0 ? c : (x->whose > y->whose) - (x->whose < y->whose);
}

/* Find who was first with the content of each file. */
static void find_same(given *g, const darc_archive *a, int files)
{
    int n = a->entries + files;
    content *x = darc_calloc((size_t)n, sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = (content){
            i < a->entries ? a->entry[i].hash : g[i - a->entries].hash, i};
    qsort(x, (size_t)n, sizeof *x, by_content);
    for (int i = 0, first = 0; i < n; i++) {
        if (strcmp(x[first].hash, x[i].hash) != 0)
            first = i;
        if (x[i].whose >= a->entries)
            g[x[i].whose - a->entries].same =
                x[i].hash[0] != '\0' && first < i ? x[first].whose : -1;
    }
    darc_free(x);
}

/* The old entry with the content of the file, or the damaged one of that name;
 * -1: none.  What is damaged is read again: it may have been read wrong. */
static int find_entry(darc_archive *a, const given *g, const char *file)
{
    int found = g->same < a->entries ? g->same : -1;
    for (int i = 0; i < a->entries && g->same < 0 && found < 0; i++)
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
        memcpy(x->hash, g->hash, DARC_SHA256_HEX);
    }
    return found;
}

/* Place those without an entry: behind the file before them on the command
 * line if a later one is an old recording, else last.  Set next[i] to what
 * comes behind entry or new file i - 1, next[0] to what comes first. */
static int place_new(int *next, const darc_archive *a, given *g, int files)
{
    int last_old = -1, at = 0, old = a->entries, last = old, n = old;
    for (int k = 0; k < files; k++)
        last_old = g[k].entry >= 0 ? k : last_old;
    for (int i = 0; i <= old; i++)
        next[i] = i < old ? i + 1 : 0;
    for (int k = 0; k < files; k++) {
        if (g[k].entry < 0 && g[k].same >= old) /* given twice */
            g[k].entry = g[g[k].same - old].entry;
        if (g[k].entry < 0) {
            int behind = k < last_old ? at : last;
            g[k].entry = n++;
            next[n] = next[behind];
            next[behind] = n;
            last = behind == last ? n : last;
        }
        at = g[k].entry + 1;
    }
    return n;
}

/* Even steps between the neighbours in time: a run that was cut short, and goes
 * on, gives every recording the position that it would have had. */
static void set_positions(darc_archive *a)
{
    for (int i = 0, end; i < a->entries; i = end + 1) {
        for (end = i; end < a->entries && isnan(a->entry[end].position);)
            end++;
        double before = i > 0 ? a->entry[i - 1].position : 0,
               many = end - i + 1;
        double after =
            end < a->entries ? a->entry[end].position : before + many;
        if (i == 0 && end < a->entries)
            before = after - many;
        double step = (after - before) / many; /* 1, of what was cut short */
        for (int k = i; k < end; k++)
            a->entry[k].position = before + step * (k - i + 1);
    }
}

/* The numbers of rows that are free, in order of time, likewise. */
static darc_status plan_rows(darc_archive *a, darc_err *err)
{
    sqlite3_stmt *query;
    long long row = 1;
    DARC_NEED(darc_sql_query(&a->sql, &query, err,
                             "SELECT id FROM recording ORDER BY id", ""));
    for (int i = 0; i < a->entries; i++) {
        while (query != NULL && sqlite3_column_int64(query, 0) <= row) {
            row += sqlite3_column_int64(query, 0) == row;
            DARC_NEED(darc_sql_next(&a->sql, &query, err));
        }
        if (a->entry[i].row == 0)
            a->entry[i].planned = row++;
    }
    sqlite3_finalize(query);
    return DARC_OK;
}

/* Add entries of new files, and bring all into order. */
static void merge(darc_archive *a, given *g, const char *const *file, int files)
{
    int old = a->entries;
    int *next = darc_calloc((size_t)(old + files) + 1, sizeof *next);
    int *node = darc_calloc((size_t)(old + files), sizeof *node);
    for (int k = 0; k < files; k++)
        g[k].entry = find_entry(a, g + k, file[k]);
    int n = place_new(next, a, g, files);
    darc_archive_entry *entry = darc_calloc((size_t)n, sizeof *entry);
    for (int at = next[0], i = 0; at != 0; at = next[at], i++) {
        node[at - 1] = i;
        if (at <= old)
            entry[i] = a->entry[at - 1];
    }
    for (int k = 0; k < files; k++) {
        bool first = g[k].entry >= old;
        g[k].entry = node[g[k].entry];
        darc_archive_entry *x = entry + g[k].entry;
        if (!first || x->file != NULL)
            continue;
        *x =
            (darc_archive_entry){.file = darc_strdup(file[k]), .position = NAN};
        memcpy(x->hash, g[k].hash, DARC_SHA256_HEX);
    }
    darc_free(a->entry);
    a->entry = entry;
    a->entries = n;
    set_positions(a);
    DARC_FREE(next, node);
}

static darc_status choose_reference(darc_archive *a, int baseline,
                                    darc_err *err)
{
    sqlite3_stmt *query;
    a->reference = baseline;
    if (baseline >= 0)
        return DARC_OK;
    DARC_NEED(darc_sql_query(&a->sql, &query, err,
                             "SELECT baseline FROM campaign WHERE id = ?", "i",
                             a->campaign));
    long long row = query != NULL ? sqlite3_column_int64(query, 0) : 0;
    sqlite3_finalize(query);
    a->reference = 0;
    while (a->reference < a->entries - 1 &&
           a->entry[a->reference].damage != NULL)
        a->reference++;
    for (int i = 0; i < a->entries; i++)
        if (row != 0 && a->entry[i].row == row)
            a->reference = i;
    return DARC_OK;
}

/* The digests of all files, which several threads work out. */
typedef struct {
    given *g;
    darc_archive *a;
    const char *const *file;
    long files, done; /* done: under the lock of a */
} digests;

/* Where a file cannot be read darc_archive_know tells why, in its turn. */
static darc_status work_digest(void *state, size_t k, darc_err *err)
{
    digests *d = state;
    darc_status status =
        d->a->fleet != NULL
            ? darc_fleet_digest(d->a->fleet, d->g[k].hash, d->file[k], NULL)
            : darc_digest_file(d->g[k].hash, d->file[k], NULL);
    (void)status;
    (void)err;
    pthread_mutex_lock(&d->a->lock);
    darc_progress p = {
        .stage = "digests", .done = ++d->done, .total = d->files};
    darc_budget_progress(d->a->session->budget, &p);
    pthread_mutex_unlock(&d->a->lock);
    return DARC_OK;
}

static darc_status hash_files(given *g, darc_archive *a,
                              const char *const *file, int files, darc_err *err)
{
    for (int k = 0; k < files; k++)
        if (strcmp(file[k], "-") == 0)
            return darc_fail(err, DARC_USAGE,
                             "--db: standard input has no name; recordings "
                             "that are stored come from files");
    digests d = {g, a, file, files, 0};
    darc_parallel p = {.user = &d,
                       .count = (size_t)files,
                       .threads = a->fleet != NULL
                                      ? a->fleet->places
                                      : darc_session_threads(a->session),
                       .work = work_digest};
    return darc_parallel_run(&p, a->session->budget, err);
}

darc_status darc_archive_arrange(darc_archive *a, const darc_listing *list,
                                 int baseline, darc_err *err)
{
    const char *const *file = (const char *const *)list->file;
    int files = list->files;
    darc_status status;
    given *g = darc_calloc((size_t)files, sizeof *g);
    DARC_TRY(read_entries(a, err));
    DARC_TRY(hash_files(g, a, file, files, err));
    find_same(g, a, files);
    merge(a, g, file, files);
    a->list = list;
    for (int k = files; k-- > 0;)
        a->entry[g[k].entry].given = k + 1;
    DARC_TRY(plan_rows(a, err));
    if (a->entries == 0)
        DARC_TRY(darc_fail_file(err, a->sql.file,
                                "holds no recording of this model with these "
                                "settings yet; name recordings"));
    status = choose_reference(a, baseline >= 0 ? g[baseline].entry : -1, err);
done:
    darc_free(g);
    return status;
}
