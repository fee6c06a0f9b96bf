#define _GNU_SOURCE /* dladdr */

#include "files/caged.h"

#include "base/attempt.h"
#include "base/mem.h"
#include "base/scratch.h"
#include "files/thresholds.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef struct {
    int fd;
    pid_t child; /* 0: none, or ended and told of */
} link_state;

static bool try_reader(char *path, size_t size, const char *directory, size_t n,
                       const char *below, const char *reader)
{
    int length =
        snprintf(path, size, "%.*s%s%s", (int)n, directory, below, reader);
    return length > 0 && (size_t)length < size && access(path, X_OK) == 0;
}

/* Beside the file (as it is built), or in libexec/darc above it. */
static bool is_near(char *path, size_t size, const char *file,
                    const char *reader)
{
    static const char *const below[] = {"", "../libexec/darc/",
                                        "../../libexec/darc/"};
    const char *slash = strrchr(file, '/');
    size_t n = slash == NULL ? 0 : (size_t)(slash - file) + 1;
    for (int i = 0; i < 3 && n > 0; i++)
        if (try_reader(path, size, file, n, below[i], reader))
            return true;
    return false;
}

bool darc_caged_find(char *path, size_t size, const char *reader)
{
    const char *set = getenv("DARC_LIBEXEC");
    char self[4096];
    Dl_info library;
    if (set != NULL && set[0] != '\0')
        return try_reader(path, size, set, strlen(set), "/", reader);
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n < 0 ? 0 : n] = '\0';
    return is_near(path, size, self, reader) ||
           (dladdr("", &library) != 0 && library.dli_fname != NULL &&
            is_near(path, size, library.dli_fname, reader));
}

/* Set *state to how the child ended, which is killed if it goes on. */
static void end(int *state, pid_t child)
{
    kill(child, SIGKILL);
    while (waitpid(child, state, 0) < 0 && errno == EINTR)
        ;
}

/* What failed, for a reason that is no fact of the file. */
static darc_status lost(darc_arrays *a, const char *why, darc_err *err)
{
    return darc_fail(err, DARC_IO, "%s: error: the program that reads it %s",
                     a->file, why);
}

/* The socket is closed, or nothing came for long. */
static darc_status gone(darc_arrays *a, darc_err *err)
{
    link_state *s = a->state;
    const struct timespec moment = {0, 1000000};
    int state = 0;
    char why[200];
    if (errno == ETIMEDOUT)
        return lost(a, "did not answer", err);
    for (int i = 0; i < 1000 && waitpid(s->child, &state, WNOHANG) == 0; i++)
        nanosleep(&moment, NULL); /* a second */
    end(&state, s->child);
    s->child = 0;
    if (WIFSIGNALED(state))
        snprintf(why, sizeof why, "was ended by signal %d (%s): %s",
                 WTERMSIG(state), strsignal(WTERMSIG(state)),
                 WTERMSIG(state) == SIGBUS
                     ? "the file became shorter meanwhile, or its disk fails"
                     : "the file is damaged, or memory is short");
    else
        snprintf(why, sizeof why, "ended with code %d", WEXITSTATUS(state));
    return lost(a, why, err);
}

/* What it said cannot be. */
static darc_status nonsense(darc_arrays *a, darc_err *err)
{
    return lost(a, "gave an answer that cannot be", err);
}

static void hang_up(void *link)
{
    link_state *s = link;
    int state;
    if (s->fd >= 0)
        close(s->fd);
    if (s->child > 0)
        end(&state, s->child);
}

static void close_link(darc_arrays *a)
{
    darc_attempt_closes(a->state);
    hang_up(a->state);
    darc_free(a->state);
    a->state = NULL;
}

/* Start the program with the descriptors where it expects them; 0, or why
 * not. */
static int spawn(pid_t *child, char *const arguments[], const char *program,
                 const int fd[2])
{
    posix_spawn_file_actions_t to;
    int error = posix_spawn_file_actions_init(&to);
    if (error != 0)
        return error;
    /* A root without devices has a root: what nobody can read or write. */
    bool null = access("/dev/null", R_OK | W_OK) == 0;
    for (int i = 0; i < 3 && error == 0; i++)
        error = posix_spawn_file_actions_addopen(
            &to, i, null ? "/dev/null" : "/", null ? O_RDWR : O_RDONLY, 0);
    for (int i = 0; i < 2 && error == 0; i++)
        error =
            posix_spawn_file_actions_adddup2(&to, fd[i], DARC_WIRE_FILE + i);
    if (error == 0)
        error = posix_spawn(child, program, &to, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&to);
    return error;
}

/* The same descriptor, out of the way of those that the reader gets. */
static int moved(int fd)
{
    int other = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    int error = errno;
    close(fd);
    errno = error;
    return other;
}

/* Whether it is HDF5, with or without MATLAB's block of 512 bytes. */
static bool is_hdf5(int fd)
{
    char p[520] = "";
    return pread(fd, p, sizeof p, 0) >= 8 &&
           (memcmp(p, "\x89HDF\r\n\x1a\n", 8) == 0 ||
            memcmp(p + 512, "\x89HDF\r\n\x1a\n", 8) == 0);
}

/* Start the program that reads files of the kind, with the file open. */
static darc_status start_reader(darc_arrays *a, const char *kind,
                                const int fd[2], darc_err *err)
{
    link_state *s = a->state;
    bool hdf5 = strcmp(kind, "hdf5") == 0 || is_hdf5(fd[0]);
    const char *reader = hdf5 ? "read-hdf5" : "read-arrays";
    char program[5000], rate[40], disk[40];
    char *arguments[] = {(char *)reader, (char *)kind, (char *)a->file,
                         rate,           disk,         NULL};
    if (!darc_caged_find(program, sizeof program, reader))
        return darc_fail(err, DARC_IO,
                         "%s: error: the program %s, which reads it, is "
                         "missing: expected in libexec/darc beside darc's bin "
                         "or lib, or in the folder that DARC_LIBEXEC names",
                         a->file, reader);
    snprintf(rate, sizeof rate, "%a", a->rate);
    snprintf(disk, sizeof disk, "%llu",
             (unsigned long long)darc_scratch_left());
    int error = spawn(&s->child, arguments, program, fd);
    if (error != 0)
        return darc_fail(err, DARC_IO, "%s: error: %s cannot run: %s", a->file,
                         program, strerror(error));
    return DARC_OK;
}

static darc_status open_caged(darc_arrays *a, const char *kind, darc_err *err)
{
    link_state *s = a->state;
    struct stat st;
    int ends[2], fd[2] = {-1, -1};
    darc_status status = DARC_OK;
    /* what is no file is not waited for */
    int file = open(a->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &st) != 0)
        status = darc_fail(err, DARC_IO, "%s: %s", a->file, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        status = darc_fail(err, DARC_IO, "%s: is no regular file", a->file);
    if (file >= 0)
        fd[0] = moved(file);
    if (status == DARC_OK &&
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
        s->fd = ends[0];
        fd[1] = moved(ends[1]);
    }
    if (status == DARC_OK)
        status =
            fd[0] < 0 || fd[1] < 0
                ? darc_fail(err, DARC_IO, "%s: error: no link to a reader: %s",
                            a->file, strerror(errno))
                : start_reader(a, kind, fd, err);
    for (int i = 0; i < 2; i++)
        if (fd[i] >= 0)
            close(fd[i]);
    return status;
}

/* Receive how it went, and how many bytes follow where it went well. */
static darc_status receive_head(uint64_t *bytes, darc_arrays *a, darc_err *err)
{
    link_state *s = a->state;
    darc_wire_answer head;
    char message[DARC_ERR_MESSAGE] = "";
    if (!darc_wire_receive(s->fd, &head, sizeof head, DARC_PATIENCE))
        return gone(a, err);
    *bytes = head.bytes;
    if (head.status == DARC_OK)
        return DARC_OK;
    if (head.bytes >= sizeof message)
        return nonsense(a, err);
    if (!darc_wire_receive(s->fd, message, (size_t)head.bytes, DARC_PATIENCE))
        return gone(a, err);
    return darc_fail(err,
                     head.status == DARC_LIMIT ? DARC_LIMIT
                     : head.status == DARC_IO  ? DARC_IO
                                               : DARC_DATA,
                     "%s", message);
}

static darc_status read_rows(darc_arrays *a, const darc_array *from,
                             size_t begin, size_t n, double *out, darc_err *err)
{
    link_state *s = a->state;
    darc_wire_request r;
    uint64_t bytes = 0;
    size_t wanted = n * from->columns * sizeof *out;
    memset(&r, 0, sizeof r); /* padding too */
    r.array = (int32_t)from->handle;
    r.begin = begin;
    r.n = n;
    if (s->child == 0)
        return lost(a, "has ended", err);
    if (!darc_wire_send(s->fd, &r, sizeof r))
        return gone(a, err);
    DARC_NEED(receive_head(&bytes, a, err));
    if (bytes != wanted)
        return nonsense(a, err);
    return darc_wire_receive(s->fd, out, wanted, DARC_PATIENCE) ? DARC_OK
                                                                : gone(a, err);
}

/* Take over a list of n bytes and a '\0': the separator; rows, columns, path
 * and unit of each array; what is left out.  Texts end in '\0', the arrays with
 * no rows. */
static darc_status take_list(darc_arrays *a, const char *text, size_t n,
                             darc_err *err)
{
    uint64_t size[2];
    a->separator = text[0] == '.' ? '.' : '/';
    for (size_t at = 1; at <= n && n - at > sizeof size;) {
        memcpy(size, text + at, sizeof size);
        const char *path = text + at + sizeof size;
        if (size[0] == 0) {
            darc_text_puts(a->left_out, path);
            return DARC_OK;
        }
        const char *unit = path + strlen(path) + 1;
        at = (size_t)(unit - text);
        at += at < n ? strlen(unit) + 1 : 0;
        if (at >= n || a->count >= DARC_MOST_PARTS || size[1] == 0 ||
            size[0] >= DARC_ARRAY_VALUES / size[1])
            break;
        darc_arrays_append(a, path, unit, (size_t)size[0], (size_t)size[1],
                           a->count);
    }
    return nonsense(a, err);
}

darc_status darc_caged_list(darc_arrays *a, const char *kind, darc_err *err)
{
    darc_status status;
    char *text = NULL;
    uint64_t n = 0;
    link_state *s = darc_calloc(1, sizeof *s);
    s->fd = -1;
    darc_attempt_opens(hang_up, s);
    a->state = s;
    a->close = close_link;
    a->read = read_rows;
    DARC_TRY(open_caged(a, kind, err));
    DARC_TRY(receive_head(&n, a, err));
    if (n == 0 || n > DARC_LIST_BYTES)
        DARC_TRY(nonsense(a, err));
    text = darc_calloc((size_t)n + 1, 1);
    status = darc_wire_receive(s->fd, text, (size_t)n, DARC_PATIENCE)
                 ? take_list(a, text, (size_t)n, err)
                 : gone(a, err);
done:
    darc_free(text);
    return status;
}
