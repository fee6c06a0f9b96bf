#include "files/isolated.h"

#include "base/mem.h"
#include "files/thresholds.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    int fd;
    pid_t child;
} link_state;

/* What the parent asks: n rows of an array. */
typedef struct {
    int32_t array;
    uint64_t begin, n;
} request;

/* What the child says first: how it went, and how many bytes follow. */
typedef struct {
    int32_t status;
    uint64_t bytes;
} answer;

static bool send_all(int fd, const void *data, size_t n)
{
    for (const char *p = data; n > 0;) {
        ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        p += sent;
        n -= (size_t)sent;
    }
    return true;
}

/* patience: ms to wait for each part, -1: for ever. */
static bool receive_all(int fd, void *data, size_t n, int patience)
{
    for (char *p = data; n > 0;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        int ready = poll(&wait, 1, patience);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        ssize_t got = recv(fd, p, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}

/* ---- the child --------------------------------------------------------- */

static bool send_text(int fd, darc_status status, const char *text, size_t n)
{
    answer head;
    memset(&head, 0, sizeof head); /* padding too */
    head.status = (int32_t)status;
    head.bytes = n;
    return send_all(fd, &head, sizeof head) && send_all(fd, text, n);
}

/* The list as text: the separator; rows, columns, path and unit of each array;
 * what is left out.  Texts end in '\0', the arrays with no rows. */
static bool send_list(int fd, const darc_arrays *a)
{
    darc_text_t t;
    darc_text_init(t);
    darc_text_putc(t, a->separator);
    for (int i = 0; i < a->count; i++) {
        const darc_array *one = &a->array[i];
        uint64_t size[2] = {one->rows, one->columns};
        darc_text_write(t, (const char *)size, sizeof size);
        darc_text_write(t, one->path, strlen(one->path) + 1);
        darc_text_write(t, one->unit, strlen(one->unit) + 1);
    }
    uint64_t end[2] = {0, 0};
    darc_text_write(t, (const char *)end, sizeof end);
    darc_text_write(t, a->left_out->s, a->left_out->len + 1);
    bool sent = send_text(fd, DARC_OK, t->s, t->len);
    darc_text_clear(t);
    return sent;
}

static bool serve_one(int fd, darc_arrays *a)
{
    request r;
    if (!receive_all(fd, &r, sizeof r, -1))
        return false;
    const darc_array *from = &a->array[r.array];
    size_t values = (size_t)r.n * from->columns;
    double *out = darc_calloc(values, sizeof *out);
    darc_err err;
    darc_err_init(&err);
    bool sent;
    if (a->read(a, from, (size_t)r.begin, (size_t)r.n, out, &err) == DARC_OK)
        sent = send_text(fd, DARC_OK, (const char *)out, values * sizeof *out);
    else
        sent = send_text(fd, err.status, err.message, strlen(err.message));
    darc_free(out);
    return sent;
}

static void serve(int fd, const char *file, darc_arrays_list *list)
{
    darc_err err;
    darc_arrays a;
    darc_err_init(&err);
    darc_arrays_init(&a, file);
    if (list(&a, &err) != DARC_OK) {
        send_text(fd, err.status, err.message, strlen(err.message));
        return;
    }
    bool more = send_list(fd, &a);
    while (more)
        more = serve_one(fd, &a);
}

/* ---- the parent -------------------------------------------------------- */

static darc_status gone(const char *file, darc_err *err)
{
    return darc_fail(err, DARC_DATA,
                     "%s: error: the file is damaged: the library that reads "
                     "its format broke off or did not come back",
                     file);
}

static void close_isolated(darc_arrays *a)
{
    link_state *s = a->state;
    if (s->fd >= 0)
        close(s->fd);
    if (s->child > 0) {
        kill(s->child, SIGKILL);
        while (waitpid(s->child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    darc_free(s);
    a->state = NULL;
}

/* Receive how it went, and how many bytes follow where it went well. */
static darc_status receive_head(uint64_t *bytes, const darc_arrays *a,
                                darc_err *err)
{
    link_state *s = a->state;
    answer head;
    char message[DARC_ERR_MESSAGE] = "";
    if (!receive_all(s->fd, &head, sizeof head, DARC_PATIENCE))
        return gone(a->file, err);
    *bytes = head.bytes;
    if (head.status == DARC_OK)
        return DARC_OK;
    if (head.bytes >= sizeof message ||
        !receive_all(s->fd, message, (size_t)head.bytes, DARC_PATIENCE))
        return gone(a->file, err);
    return darc_fail(err, (darc_status)head.status, "%s", message);
}

static darc_status read_isolated(darc_arrays *a, const darc_array *from,
                                 size_t begin, size_t n, double *out,
                                 darc_err *err)
{
    link_state *s = a->state;
    request r;
    uint64_t bytes = 0;
    size_t wanted = n * from->columns * sizeof *out;
    memset(&r, 0, sizeof r); /* padding too */
    r.array = (int32_t)from->handle;
    r.begin = begin;
    r.n = n;
    if (!send_all(s->fd, &r, sizeof r))
        return gone(a->file, err);
    DARC_NEED(receive_head(&bytes, a, err));
    return bytes == wanted && receive_all(s->fd, out, wanted, DARC_PATIENCE)
               ? DARC_OK
               : gone(a->file, err);
}

/* Take over what send_list has written: n bytes and a '\0'. */
static darc_status take_list(darc_arrays *a, const char *text, size_t n,
                             darc_err *err)
{
    uint64_t size[2];
    a->separator = text[0];
    for (size_t at = 1; at <= n && n - at > sizeof size;) {
        memcpy(size, text + at, sizeof size);
        const char *path = text + at + sizeof size;
        if (size[0] == 0) {
            darc_text_puts(a->left_out, path);
            return DARC_OK;
        }
        const char *unit = path + strlen(path) + 1;
        at = (size_t)(unit + strlen(unit) + 1 - text);
        if (at >= n)
            break;
        darc_arrays_append(a, path, unit, (size_t)size[0], (size_t)size[1],
                           a->count);
    }
    return gone(a->file, err);
}

static darc_status start_child(link_state *s, const char *file,
                               darc_arrays_list *list, darc_err *err)
{
    int ends[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return darc_fail(err, DARC_IO, "%s: %s", file, strerror(errno));
    s->child = fork();
    if (s->child == 0) {
        close(ends[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent)
            serve(ends[1], file, list);
        _exit(0);
    }
    close(ends[1]);
    s->fd = ends[0];
    return s->child > 0
               ? DARC_OK
               : darc_fail(err, DARC_IO, "%s: %s", file, strerror(errno));
}

darc_status darc_isolated_list(darc_arrays *a, darc_arrays_list *list,
                               darc_err *err)
{
    darc_status status;
    char *text = NULL;
    uint64_t n = 0;
    link_state *s = darc_calloc(1, sizeof *s);
    s->fd = -1;
    a->state = s;
    a->close = close_isolated;
    a->read = read_isolated;
    DARC_TRY(start_child(s, a->file, list, err));
    DARC_TRY(receive_head(&n, a, err));
    if (n == 0 || n > SIZE_MAX / 2)
        return gone(a->file, err);
    text = darc_calloc((size_t)n + 1, 1);
    status = receive_all(s->fd, text, (size_t)n, DARC_PATIENCE)
                 ? take_list(a, text, (size_t)n, err)
                 : gone(a->file, err);
done:
    darc_free(text);
    return status;
}
