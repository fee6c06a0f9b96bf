/* wire.h - what passes between darc and a program that reads a file for it
 * (caged.h): a request and an answer, over a socket.
 *
 * The first answer comes unasked: the list of arrays.  Then the reader answers
 * requests until the socket is closed.
 */
#ifndef DARC_FILES_WIRE_H
#define DARC_FILES_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the reader finds open: the file, and its end of the socket. */
enum { DARC_WIRE_FILE = 3, DARC_WIRE_SOCKET = 4 };

/* What darc asks: n rows of an array. */
typedef struct {
    int32_t array;
    uint64_t begin, n;
} darc_wire_request;

/* What the reader says first: how it went, and how many bytes follow (a list,
 * values, or a message). */
typedef struct {
    int32_t status;
    uint64_t bytes;
} darc_wire_answer;

/* Send, or receive, all n bytes; return whether that went well; if not, errno
 * tells, ETIMEDOUT that nothing came for `patience` ms (-1: for ever), EPIPE
 * that the other end is closed. */
bool darc_wire_send(int fd, const void *data, size_t n);
bool darc_wire_receive(int fd, void *data, size_t n, int patience);

/* Send an answer: the status, and n bytes. */
bool darc_wire_answer_send(int fd, int status, const void *bytes, size_t n);

#endif
