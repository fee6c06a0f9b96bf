#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */

#include "data/spool.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Values of a chunk: 32 MiB.  Bytes that leave memory at a time. */
enum { CHUNK = 1 << 22, WINDOW = 1 << 20, AROUND = 1 << 21 };

struct darc_spool {
    int fd;
    int columns, turns; /* all, and those whose chunks take turns */
    size_t rows;
    char **map;   /* of each column, NULL: not yet; owned */
    size_t bytes; /* of a map */
    char directory[512];
};

static const char unmapped[] = "it cannot be mapped";

static darc_status fail(const darc_spool *s, const char *what, darc_err *err)
{
    int error = errno;
    return darc_fail(err, DARC_IO,
                     "the recording is long and needs a temporary file; "
                     "%s in '%s': %s; set TMPDIR to a directory with room for "
                     "8 bytes a value",
                     what, s->directory, strerror(error));
}

darc_status darc_spool_new(darc_spool **spool, int columns, darc_err *err)
{
    const char *directory = getenv("TMPDIR");
    darc_spool *s = darc_calloc(1, sizeof *s);
    char name[600];
    s->columns = s->turns = columns;
    snprintf(s->directory, sizeof s->directory, "%s",
             directory != NULL && *directory != '\0' ? directory : "/tmp");
    snprintf(name, sizeof name, "%s/darc-XXXXXX", s->directory);
    s->fd = mkstemp(name);
    if (s->fd < 0) {
        darc_status status = fail(s, "it cannot be made", err);
        darc_free(s);
        return status;
    }
    unlink(name);
    fcntl(s->fd, F_SETFD, FD_CLOEXEC);
    s->map = darc_calloc((size_t)columns, sizeof *s->map);
    *spool = s;
    return DARC_OK;
}

void darc_spool_free(darc_spool *s)
{
    if (s == NULL)
        return;
    for (int c = 0; c < s->columns; c++)
        if (s->map[c] != NULL)
            munmap(s->map[c], s->bytes);
    close(s->fd);
    darc_free(s->map);
    darc_free(s);
}

/* Where value `row` of column c lies in the file. */
static off_t place(const darc_spool *s, int c, size_t row)
{
    size_t chunks = (s->rows + CHUNK - 1) / CHUNK;
    size_t chunk = c < s->turns ? row / CHUNK * (size_t)s->turns + (size_t)c
                                : row / CHUNK + (size_t)c * chunks;
    return (off_t)((chunk * CHUNK + row % CHUNK) * sizeof(double));
}

static bool write_all(int fd, const void *data, size_t n, off_t at)
{
    const char *p = data;
    while (n > 0) {
        ssize_t w = pwrite(fd, p, n, at);
        if (w < 0 && errno == EINTR)
            continue;
        if (w == 0)
            errno = ENOSPC;
        if (w <= 0)
            return false;
        p += w;
        at += w;
        n -= (size_t)w;
    }
    return true;
}

darc_status darc_spool_append(darc_spool *s, const double *const *value,
                              size_t n, darc_err *err)
{
    for (size_t at = 0, m; at < n; at += m, s->rows += m) {
        m = CHUNK - s->rows % CHUNK;
        m = m < n - at ? m : n - at;
        for (int c = 0; c < s->columns; c++)
            if (!write_all(s->fd, value[c] + at, m * sizeof **value,
                           place(s, c, s->rows)))
                return fail(s, "writing fails", err);
    }
    return DARC_OK;
}

/* Map column c: room for all of it, then chunk by chunk. */
static bool map_column(darc_spool *s, int c)
{
    size_t length = CHUNK * sizeof(double);
    void *room = mmap(NULL, s->bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return false;
    s->map[c] = room;
    for (size_t at = 0; at < s->bytes; at += length)
        if (mmap(s->map[c] + at, length, PROT_READ, MAP_SHARED | MAP_FIXED,
                 s->fd, place(s, c, at / sizeof(double))) == MAP_FAILED)
            return false;
    return true;
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
    for (int c = 0; c < s->columns; c++) {
        if (!map_column(s, c))
            return fail(s, unmapped, err);
        value[c] = (double *)(void *)s->map[c];
    }
    return DARC_OK;
}

void darc_spool_widen(darc_spool *s, int *column)
{
    *column = s->columns++;
    s->map = darc_realloc(s->map, (size_t)s->columns, sizeof *s->map);
    s->map[*column] = NULL;
}

darc_status darc_spool_put(const darc_spool *s, int column, size_t begin,
                           const double *value, size_t n, darc_err *err)
{
    assert(column >= s->turns && begin + n <= s->rows);
    return write_all(s->fd, value, n * sizeof *value, place(s, column, begin))
               ? DARC_OK
               : fail(s, "writing fails", err);
}

darc_status darc_spool_map_column(darc_spool *s, int column, double **value,
                                  darc_err *err)
{
    if (!map_column(s, column))
        return fail(s, unmapped, err);
    *value = (double *)(void *)s->map[column];
    return DARC_OK;
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
