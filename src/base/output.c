#define _DEFAULT_SOURCE /* flock */

#include "base/output.h"

#include "base/attempt.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, LINKS = 40, NAMES = 100 };

struct darc_output {
    char *file;       /* as given, for messages */
    char *target;     /* behind symbolic links; NULL: no regular file */
    char *temporary;  /* beside it, locked; NULL: none */
    int fd;           /* -1: the whole is held until it is written in place */
    darc_text_t held; /* then */
    int error;        /* first errno, 0: none */
    bool taken;       /* some bytes have gone out */
    size_t used;
    char buffer[BUFFER];
};

static bool standard_taken; /* the same of standard output, however often it is
                               opened */

/* Characters of the path up to its last slash, with it. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* Return where the file lies, which need not be there, behind symbolic links;
 * NULL and errno where these go round. */
static char *follow_links(const char *file)
{
    char to[4096], *path = darc_strdup(file);
    for (int i = 0; i < LINKS; i++) {
        ssize_t n = readlink(path, to, sizeof to - 1);
        if (n < 0)
            return path; /* no link, or nothing */
        to[n] = '\0';
        darc_text_t next = DARC_TEXT;
        if (to[0] != '/')
            darc_text_write(next, path, folder_length(path));
        darc_text_puts(next, to);
        darc_free(path);
        path = darc_text_take(next);
    }
    darc_free(path);
    errno = ELOOP;
    return NULL;
}

/* Whoever makes a temporary file holds a lock on it: remove one without. */
static void remove_stale(const char *name)
{
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlink(name);
    if (fd >= 0)
        close(fd);
}

/* Return the new file, locked and not removed by another that took it for
 * stale; -1: it is there, or errno. */
static int open_new(const char *name)
{
    struct stat st;
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 &&
        st.st_nlink == 1)
        return fd;
    close(fd);
    errno = EEXIST;
    return -1;
}

/* A name that tells of the target, but is short whatever the target's is. */
static void name_temporary(darc_text_t name, const char *target, int i)
{
    size_t n = folder_length(target);
    unsigned hash = 2166136261u; /* FNV */
    for (const char *s = target + n; *s != '\0'; s++)
        hash = (hash ^ (unsigned char)*s) * 16777619u;
    darc_text_reset(name);
    darc_text_write(name, target, n);
    darc_text_printf(name, ".darc-%08x.%d.tmp", hash, i);
}

/* Open a new file beside the target, with the mode and owner that the target
 * has or would get; -1: none can be made that takes its place. */
static int open_temporary(darc_output *out, const struct stat *old)
{
    int fd = -1;
    darc_text_t name = DARC_TEXT;
    for (int i = 0; i < NAMES && fd < 0; i++) {
        name_temporary(name, out->target, i);
        remove_stale(name->s);
        fd = open_new(name->s);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0 && old != NULL &&
        ((fchown(fd, old->st_uid, old->st_gid) != 0 &&
          (old->st_uid != geteuid() || old->st_gid != getegid())) ||
         fchmod(fd, old->st_mode & 07777) != 0)) {
        unlink(name->s);
        close(fd);
        fd = -1;
    }
    if (fd >= 0)
        out->temporary = darc_text_take(name);
    darc_text_clear(name);
    return fd;
}

/* Return whether out can be written; errno tells why not. */
static bool open_target(darc_output *out)
{
    struct stat st;
    if (strcmp(out->file, "-") == 0) {
        out->fd = STDOUT_FILENO;
        out->taken = standard_taken;
        return true;
    }
    bool exists = stat(out->file, &st) == 0;
    if (exists && !S_ISREG(st.st_mode)) {
        out->fd = open(out->file, O_WRONLY | O_CLOEXEC);
        return out->fd >= 0;
    }
    if (exists && access(out->file, W_OK) != 0)
        return false;
    out->target = follow_links(out->file);
    if (out->target == NULL)
        return false;
    /* Its other names would keep the old content. */
    if (!exists || st.st_nlink == 1)
        out->fd = open_temporary(out, exists ? &st : NULL);
    return out->fd >= 0 || exists;
}

static darc_status fail_write(const char *file, int error, darc_err *err)
{
    return darc_fail(err, DARC_IO, "%s: error: cannot write: %s",
                     strcmp(file, "-") == 0 ? "standard output" : file,
                     strerror(error));
}

static void abandon(void *output)
{
    const darc_output *out = output;
    if (out->temporary != NULL)
        unlink(out->temporary);
    if (out->fd > STDERR_FILENO)
        close(out->fd);
}

darc_status darc_output_open(darc_output **out, const char *file, darc_err *err)
{
    darc_output *o = darc_calloc(1, sizeof *o);
    o->file = darc_strdup(file);
    o->fd = -1;
    darc_text_init(o->held);
    darc_attempt_opens(abandon, o);
    if (!open_target(o)) {
        fail_write(file, errno, err);
        darc_output_discard(o);
        return DARC_IO;
    }
    *out = o;
    return DARC_OK;
}

const char *darc_output_temporary(const darc_output *out)
{
    return out->temporary;
}

static void (*before_output)(void);

void darc_output_before(void (*before)(void))
{
    before_output = before;
}

void darc_output_begins(void)
{
    if (before_output != NULL)
        before_output();
}

static void write_all(darc_output *out, const char *s, size_t n)
{
    if (out->fd == STDOUT_FILENO && n > 0)
        darc_output_begins();
    for (size_t done = 0; done < n && out->error == 0;) {
        ssize_t w = write(out->fd, s + done, n - done);
        if (w > 0)
            done += (size_t)w;
        else if (w == 0 || errno != EINTR)
            out->error = w == 0 ? ENOSPC : errno;
        out->taken |= done > 0;
    }
    standard_taken |= out->fd == STDOUT_FILENO && out->taken;
}

bool darc_output_flush(darc_output *out)
{
    if (out->fd < 0)
        darc_text_write(out->held, out->buffer, out->used);
    else
        write_all(out, out->buffer, out->used);
    out->used = 0;
    return out->error == 0;
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

static void note(darc_output *out, int result)
{
    if (result != 0 && out->error == 0)
        out->error = errno;
}

/* A rename lasts when its folder is on the disk; one that cannot be opened is
 * left to the system. */
static void sync_folder(darc_output *out)
{
    size_t n = folder_length(out->target);
    char *folder = n > 0 ? darc_strndup(out->target, n) : darc_strdup(".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && fsync(fd) != 0 && errno == EIO)
        note(out, -1);
    if (fd >= 0)
        close(fd);
    darc_free(folder);
}

darc_status darc_output_close(darc_output *out, darc_err *err)
{
    darc_output_flush(out);
    if (out->fd < 0) { /* in place */
        out->fd = open(out->target, O_WRONLY | O_TRUNC | O_CLOEXEC);
        note(out, out->fd < 0 ? -1 : 0);
        write_all(out, out->held->s, out->held->len);
    }
    if (out->target != NULL && out->error == 0)
        note(out, fsync(out->fd));
    if (out->temporary != NULL && out->error == 0)
        note(out, rename(out->temporary, out->target));
    if (out->temporary != NULL && out->error == 0) {
        darc_free(out->temporary);
        out->temporary = NULL;
        sync_folder(out);
    }
    if (out->fd > STDERR_FILENO) {
        note(out, close(out->fd));
        out->fd = -1;
    }
    int error = out->error;
    if (error == EPIPE && out->taken)
        darc_fail(err, DARC_IO, "%s", "");
    else if (error != 0)
        fail_write(out->file, error, err);
    darc_output_discard(out);
    return error == 0 ? DARC_OK : DARC_IO;
}

void darc_output_discard(darc_output *out)
{
    if (out == NULL)
        return;
    darc_attempt_closes(out);
    abandon(out);
    darc_text_clear(out->held);
    DARC_FREE(out->file, out->target, out->temporary, out);
}

void darc_output_sweep(const char *file)
{
    char *target = follow_links(file);
    darc_text_t name = DARC_TEXT;
    for (int i = 0; target != NULL && i < NAMES; i++) {
        name_temporary(name, target, i);
        if (access(name->s, F_OK) != 0)
            break;
        remove_stale(name->s);
    }
    darc_text_clear(name);
    darc_free(target);
}

darc_status darc_output_file(const char *file, const char *s, size_t n,
                             darc_err *err)
{
    darc_output *out;
    DARC_NEED(darc_output_open(&out, file, err));
    darc_output_write(out, s, n);
    return darc_output_close(out, err);
}
