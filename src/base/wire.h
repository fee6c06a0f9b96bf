/* wire.h - what passes between processes of darc, over a socket. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an answer begins with: how it went, and how many bytes follow. */
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
