#include "files/lines.h"

#include "base/limits.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 18, PADDING = 64 };

static const size_t capacity = DARC_MAX_LINE + 2 * CHUNK;

darc_status darc_lines_open(darc_lines *l, const char *file, const char *bytes,
                            size_t size, darc_err *err)
{
    *l = (darc_lines){.fd = -1, .bytes = bytes, .left = size, .number = 1};
    bool standard = bytes == NULL && strcmp(file, "-") == 0;
    if (standard)
        l->fd = STDIN_FILENO;
    else if (bytes == NULL)
        do /* a FIFO waits for who writes it */
            l->fd = open(file, O_RDONLY);
        while (l->fd < 0 && errno == EINTR);
    if (bytes == NULL && l->fd < 0)
        return darc_fail(err, DARC_IO, "%s: error: cannot open: %s", file,
                         strerror(errno));
    l->file = darc_strdup(standard ? "<stdin>" : file);
    l->buffer = darc_malloc(capacity + PADDING);
    memset(l->buffer, 0, PADDING);
    return DARC_OK;
}

void darc_lines_close(darc_lines *l)
{
    if (l->fd > STDIN_FILENO)
        close(l->fd);
    l->fd = -1;
    darc_free(l->file);
    darc_free(l->buffer);
    l->file = l->buffer = NULL;
}

darc_status darc_lines_fail(const darc_lines *l, size_t column, darc_err *err,
                            const char *format, ...)
{
    char what[DARC_ERR_MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return darc_fail(err, DARC_DATA, "%s:%zu:%zu: error: %s", l->file,
                     l->number, column, what);
}

/* Append the next bytes to the buffer; set `ended` at the end. */
static darc_status read_chunk(darc_lines *l, darc_err *err)
{
    if (l->fd < 0) {
        size_t n = l->left < CHUNK ? l->left : CHUNK;
        memcpy(l->buffer + l->end, l->bytes, n);
        l->bytes += n;
        l->left -= n;
        l->end += n;
        l->ended = l->left == 0;
        return DARC_OK;
    }
    ssize_t n;
    do
        n = read(l->fd, l->buffer + l->end, CHUNK);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return darc_fail(err, DARC_IO, "%s: error: cannot read: %s", l->file,
                         strerror(errno));
    l->end += (size_t)n;
    l->ended = n == 0;
    return DARC_OK;
}

darc_status darc_lines_more(darc_lines *l, darc_err *err)
{
    size_t whole = l->whole;
    while (l->whole == whole && !l->ended) {
        size_t from = l->end;
        if (from + CHUNK >= capacity)
            return DARC_OK;
        DARC_NEED(read_chunk(l, err));
        for (size_t i = l->end; i > from && l->whole == whole; i--)
            if (l->buffer[i - 1] == '\n')
                l->whole = i;
        if (l->whole == whole && l->end - whole > DARC_MAX_LINE)
            return whole > 0
                       ? DARC_OK
                       : darc_lines_fail(l, 1, err, "line longer than %d bytes",
                                         DARC_MAX_LINE);
    }
    if (l->whole == whole && l->end > whole) {
        l->buffer[l->end++] = '\n';
        l->whole = l->end;
        l->cut = true;
    }
    assert(l->end <= capacity);
    memset(l->buffer + l->end, 0, PADDING);
    return DARC_OK;
}

darc_status darc_lines_fill(darc_lines *l, darc_err *err)
{
    if (l->begin < l->whole)
        return DARC_OK;
    l->end -= l->begin;
    memmove(l->buffer, l->buffer + l->begin, l->end);
    l->begin = l->whole = 0;
    return darc_lines_more(l, err);
}
