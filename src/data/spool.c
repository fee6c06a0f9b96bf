#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */

#include "data/spool.h"

#include "base/attempt.h"
#include "base/mem.h"
#include "base/scratch.h"

#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>

/* Values of a chunk: 32 MiB.  Bytes that leave memory at a time. */
enum { CHUNK = 1 << 22, WINDOW = 1 << 20, AROUND = 1 << 21 };

struct darc_spool {
    darc_scratch file;
    int columns, turns; /* all, and those whose chunks take turns */
    size_t rows;
    char **map;   /* of each column, NULL: not yet; owned */
    size_t bytes; /* of a map */
};

static void release(void *spool)
{
    darc_spool *s = spool;
    for (int c = 0; c < s->columns && s->map != NULL; c++)
        if (s->map[c] != NULL)
            munmap(s->map[c], s->bytes);
    darc_scratch_close(&s->file);
}

darc_status darc_spool_new(darc_spool **spool, int columns, darc_err *err)
{
    darc_spool *s = darc_calloc(1, sizeof *s);
    darc_status status = darc_scratch_open(&s->file, err);
    if (status != DARC_OK) {
        darc_free(s);
        return status;
    }
    darc_attempt_opens(release, s);
    s->columns = s->turns = columns;
    s->map = darc_calloc((size_t)columns, sizeof *s->map);
    *spool = s;
    return DARC_OK;
}

void darc_spool_free(darc_spool *s)
{
    if (s == NULL)
        return;
    darc_attempt_closes(s);
    release(s);
    DARC_FREE(s->map, s);
}

/* Where value `row` of column c lies in the file. */
static uint64_t offset_of(const darc_spool *s, int c, size_t row)
{
    size_t chunks = (s->rows + CHUNK - 1) / CHUNK;
    size_t chunk = c < s->turns ? row / CHUNK * (size_t)s->turns + (size_t)c
                                : row / CHUNK + (size_t)c * chunks;
    return ((uint64_t)chunk * CHUNK + row % CHUNK) * sizeof(double);
}

darc_status darc_spool_append(darc_spool *s, const double *const *value,
                              size_t n, darc_err *err)
{
    for (size_t at = 0, m; at < n; at += m, s->rows += m) {
        m = CHUNK - s->rows % CHUNK;
        m = m < n - at ? m : n - at;
        for (int c = 0; c < s->columns; c++)
            DARC_NEED(darc_scratch_write(&s->file, value[c] + at,
                                         m * sizeof **value,
                                         offset_of(s, c, s->rows), err));
    }
    return DARC_OK;
}

static void set_bytes(darc_spool *s)
{
    s->bytes = (s->rows + CHUNK - 1) / CHUNK * CHUNK * sizeof(double);
}

void darc_spool_reserve(darc_spool *s, size_t rows)
{
    assert(s->columns == 0);
    s->rows = rows;
    set_bytes(s);
}

darc_status darc_spool_map(darc_spool *s, double **value, darc_err *err)
{
    set_bytes(s);
    for (int c = 0; c < s->columns; c++)
        DARC_NEED(darc_spool_map_column(s, c, value + c, err));
    return DARC_OK;
}

void darc_spool_widen(darc_spool *s, int *column)
{
    *column = s->columns++;
    s->map = darc_realloc(s->map, (size_t)s->columns, sizeof *s->map);
    s->map[*column] = NULL;
}

darc_status darc_spool_put(darc_spool *s, int column, size_t begin,
                           const double *value, size_t n, darc_err *err)
{
    assert(column >= s->turns && begin + n <= s->rows);
    return darc_scratch_write(&s->file, value, n * sizeof *value,
                              offset_of(s, column, begin), err);
}

/* Room for all of the column, then chunk by chunk. */
darc_status darc_spool_map_column(darc_spool *s, int column, double **value,
                                  darc_err *err)
{
    size_t length = CHUNK * sizeof(double);
    void *room = mmap(NULL, s->bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool good = room != MAP_FAILED;
    char *map = s->map[column] = good ? room : NULL;
    for (size_t at = 0; at < s->bytes && good; at += length)
        good = mmap(map + at, length, PROT_READ, MAP_SHARED | MAP_FIXED,
                    s->file.fd,
                    (off_t)offset_of(s, column, at / sizeof(double))) !=
               MAP_FAILED;
    *value = (double *)(void *)map;
    return good ? DARC_OK
                : darc_scratch_fail(&s->file, "it cannot be mapped", err);
}

bool darc_spool_holds(const darc_spool *s, const double *value)
{
    const char *p = (const char *)value;
    for (int c = 0; c < s->columns; c++)
        if (s->map[c] != NULL && p >= s->map[c] && p < s->map[c] + s->bytes)
            return true;
    return false;
}

/* A page that is read brings its neighbours, up to AROUND bytes on either
 * side, behind what was done with before too: that leaves again. */
void darc_spool_done(const darc_spool *s, size_t begin, size_t end)
{
    size_t from = begin * sizeof(double) / WINDOW * WINDOW;
    size_t to = end * sizeof(double) / WINDOW * WINDOW;
    if (end >= s->rows)
        to = s->bytes;
    if (from >= to)
        return;
    from = from > AROUND ? from - AROUND : 0;
    for (int c = 0; c < s->columns; c++)
        if (s->map[c] != NULL)
            madvise(s->map[c] + from, to - from, MADV_DONTNEED);
}
