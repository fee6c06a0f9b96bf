#include "base/wire.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

bool darc_wire_send(int fd, const void *data, size_t n)
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

bool darc_wire_answer_send(int fd, int status, const void *bytes, size_t n)
{
    darc_wire_answer head;
    memset(&head, 0, sizeof head); /* padding too */
    head.status = status;
    head.bytes = n;
    return darc_wire_send(fd, &head, sizeof head) &&
           darc_wire_send(fd, bytes, n);
}

bool darc_wire_receive(int fd, void *data, size_t n, int patience)
{
    for (char *p = data; n > 0;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        int ready = poll(&wait, 1, patience);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0)
            errno = ETIMEDOUT;
        if (ready <= 0)
            return false;
        ssize_t got = recv(fd, p, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0 || (got < 0 && errno == ECONNRESET))
            errno = EPIPE;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}
