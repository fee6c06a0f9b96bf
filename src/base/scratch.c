#include "base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
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

static darc_status make_folder(darc_scratch *s, darc_err *err)
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

/* Made ahead, if `made`; or why there is none. */
static struct {
    bool made;
    darc_scratch file;
    darc_err why;
} ahead;

void darc_scratch_prepare(int fd)
{
    ahead.made = true;
    darc_err_init(&ahead.why);
    if (make_folder(&ahead.file, &ahead.why) != DARC_OK || ahead.file.fd == fd)
        return;
    dup2(ahead.file.fd, fd);
    close(ahead.file.fd);
    ahead.file.fd = fd;
}

darc_status darc_scratch_open(darc_scratch *s, darc_err *err)
{
    if (!ahead.made)
        return make_folder(s, err);
    ahead.made = ahead.why.status != DARC_OK;
    if (ahead.made)
        return darc_fail(err, ahead.why.status, "%s", ahead.why.message);
    *s = ahead.file;
    return DARC_OK;
}

void darc_scratch_close(darc_scratch *s)
{
    close(s->fd);
    s->fd = -1;
    used -= s->end;
}

uint64_t darc_scratch_left(void)
{
    return most == 0 ? 0 : used < most ? most - used : 1;
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

/* Write n bytes from p, or read them to there. */
static darc_status transfer(const darc_scratch *s, char *p, size_t n,
                            uint64_t at, bool writes, darc_err *err)
{
    while (n > 0) {
        ssize_t done = writes ? pwrite(s->fd, p, n, (off_t)at)
                              : pread(s->fd, p, n, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = writes ? ENOSPC : EIO;
        if (done <= 0)
            return darc_scratch_fail(
                s, writes ? "writing fails" : "reading fails", err);
        p += done;
        at += (uint64_t)done;
        n -= (size_t)done;
    }
    return DARC_OK;
}

darc_status darc_scratch_write(darc_scratch *s, const void *data, size_t n,
                               uint64_t at, darc_err *err)
{
    DARC_NEED(grow(s, at + n, err));
    return transfer(s, (char *)data, n, at, true, err);
}

darc_status darc_scratch_read(const darc_scratch *s, void *to, size_t n,
                              uint64_t at, darc_err *err)
{
    return transfer(s, to, n, at, false, err);
}
