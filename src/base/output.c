#define _XOPEN_SOURCE 700 /* realpath */

#include "base/output.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

struct darc_output {
    char *file;      /* as given, for messages */
    char *target;    /* without symbolic links; NULL: no rename */
    char *temporary; /* NULL: none */
    int fd;
    int error;  /* first errno, 0: none */
    bool taken; /* some bytes have gone out */
    size_t used;
    char buffer[BUFFER];
};

static void free_output(darc_output *out)
{
    if (out->fd > STDERR_FILENO)
        close(out->fd);
    darc_free(out->file);
    free(out->target);
    darc_free(out->temporary);
    darc_free(out);
}

/* Open a new file beside the target, with the mode the target has or would
 * get. */
static int open_temporary(darc_output *out, const struct stat *old)
{
    size_t size = strlen(out->target) + 40;
    out->temporary = darc_malloc(size);
    for (int i = 0; i < 100; i++) {
        snprintf(out->temporary, size, "%s.%ld.%d.tmp", out->target,
                 (long)getpid(), i);
        int fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 && old != NULL && fchmod(fd, old->st_mode & 07777) != 0) {
            close(fd);
            unlink(out->temporary);
            return -1;
        }
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static int open_target(darc_output *out)
{
    struct stat st;
    if (strcmp(out->file, "-") == 0)
        return STDOUT_FILENO;
    bool exists = stat(out->file, &st) == 0;
    if (exists && !S_ISREG(st.st_mode))
        return open(out->file, O_WRONLY);
    if (exists && access(out->file, W_OK) != 0)
        return -1;
    out->target = exists ? realpath(out->file, NULL) : NULL;
    if (out->target == NULL)
        out->target = darc_strdup(out->file);
    return open_temporary(out, exists ? &st : NULL);
}

static darc_status fail_write(const char *file, int error, darc_err *err)
{
    return darc_fail(err, DARC_IO, "%s: error: cannot write: %s",
                     strcmp(file, "-") == 0 ? "standard output" : file,
                     strerror(error));
}

darc_status darc_output_open(darc_output **out, const char *file, darc_err *err)
{
    darc_output *o = darc_calloc(1, sizeof *o);
    o->file = darc_strdup(file);
    o->fd = open_target(o);
    if (o->fd < 0) {
        fail_write(file, errno, err);
        free_output(o);
        return DARC_IO;
    }
    *out = o;
    return DARC_OK;
}

void darc_output_flush(darc_output *out)
{
    for (size_t done = 0; done < out->used && out->error == 0;) {
        ssize_t n = write(out->fd, out->buffer + done, out->used - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            out->error = errno;
        out->taken |= done > 0;
    }
    out->used = 0;
}

void darc_output_write(darc_output *out, const char *s, size_t n)
{
    while (n > 0) {
        size_t part = BUFFER - out->used < n ? BUFFER - out->used : n;
        memcpy(out->buffer + out->used, s, part);
        out->used += part;
        s += part;
        n -= part;
        if (out->used == BUFFER)
            darc_output_flush(out);
    }
}

darc_status darc_output_close(darc_output *out, darc_err *err)
{
    darc_output_flush(out);
    int error = out->error;
    if (out->fd > STDERR_FILENO) {
        if (error == 0 && out->temporary != NULL && fsync(out->fd) != 0)
            error = errno;
        if (close(out->fd) != 0 && error == 0)
            error = errno;
        out->fd = -1;
    }
    if (error == 0 && out->temporary != NULL &&
        rename(out->temporary, out->target) != 0)
        error = errno;
    if (error == 0) {
        free_output(out);
        return DARC_OK;
    }
    if (error == EPIPE && out->taken)
        darc_fail(err, DARC_IO, "%s", "");
    else
        fail_write(out->file, error, err);
    darc_output_discard(out);
    return DARC_IO;
}

void darc_output_discard(darc_output *out)
{
    if (out == NULL)
        return;
    if (out->temporary != NULL)
        unlink(out->temporary);
    free_output(out);
}

darc_status darc_output_file(const char *file, const char *s, size_t n,
                             darc_err *err)
{
    darc_output *out;
    DARC_NEED(darc_output_open(&out, file, err));
    darc_output_write(out, s, n);
    return darc_output_close(out, err);
}
