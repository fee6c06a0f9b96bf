#include "base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

darc_status darc_scratch_fail(const darc_scratch *s, const char *what,
                              darc_err *err)
{
    int error = errno;
    return darc_fail(err, DARC_IO,
                     "the recording is long and needs a temporary file; "
                     "%s in '%s': %s; set TMPDIR to a directory with room for "
                     "8 bytes a value",
                     what, s->directory, strerror(error));
}

/* A disk is the process's, as memory is. */
static _Atomic uint64_t used, most;

void darc_scratch_limit(uint64_t bytes)
{
    most = bytes;
}

darc_status darc_scratch_open(darc_scratch *s, darc_err *err)
{
    const char *directory = getenv("TMPDIR");
    char name[600];
    snprintf(s->directory, sizeof s->directory, "%s",
             directory != NULL && *directory != '\0' ? directory : "/tmp");
    snprintf(name, sizeof name, "%s/darc-XXXXXX", s->directory);
    s->fd = mkstemp(name);
    if (s->fd < 0)
        return darc_scratch_fail(s, "it cannot be made", err);
    unlink(name);
    s->end = 0;
    fcntl(s->fd, F_SETFD, FD_CLOEXEC);
    return DARC_OK;
}

void darc_scratch_close(darc_scratch *s)
{
    close(s->fd);
    s->fd = -1;
    used -= s->end;
}

/* The file is to reach as far as `end`. */
static darc_status grow(darc_scratch *s, uint64_t end, darc_err *err)
{
    uint64_t old = s->end;
    while (old < end && !atomic_compare_exchange_weak(&s->end, &old, end))
        ;
    if (old >= end)
        return DARC_OK;
    used += end - old;
    if (most == 0 || used <= most)
        return DARC_OK;
    return darc_fail(err, DARC_LIMIT,
                     "the limit of %llu MB of temporary files is spent "
                     "(--disk)",
                     (unsigned long long)(most >> 20));
}

darc_status darc_scratch_write(darc_scratch *s, const void *data, size_t n,
                               uint64_t at, darc_err *err)
{
    const char *p = data;
    DARC_NEED(grow(s, at + n, err));
    while (n > 0) {
        ssize_t w = pwrite(s->fd, p, n, (off_t)at);
        if (w < 0 && errno == EINTR)
            continue;
        if (w == 0)
            errno = ENOSPC;
        if (w <= 0)
            return darc_scratch_fail(s, "writing fails", err);
        p += w;
        at += (uint64_t)w;
        n -= (size_t)w;
    }
    return DARC_OK;
}
