/* caged.h - the arrays of a file in a binary format, which a program of its own
 * reads: libexec/darc/read-arrays, or read-hdf5.
 *
 * It opens nothing but the file that it gets (base/cage.h): whatever the bytes
 * make of it, darc sees arrays of the sizes that it checked, or a file that
 * cannot be read.
 */
#pragma once

#include "files/arrays.h"

/* List the arrays of a->file; kind: "hdf5", "mat", "npy", "npz", "mdf4".
 * Fails: DARC_DATA for what the bytes are; DARC_IO when the program is missing,
 * dies, or does not answer for a minute; DARC_LIMIT for lack of its memory or
 * disk. */
DARC_CHECKED darc_status darc_caged_list(darc_arrays *a, const char *kind,
                                         darc_err *err);

/* Set path to where a program of darc's lies: in the folder that DARC_LIBEXEC
 * names, or else near this program, or near the library. */
DARC_CHECKED bool darc_caged_find(char *path, size_t size, const char *name);

/* ---- wire: what passes between darc and such a program, over a socket
 * --------
 *
 * The first answer comes unasked: the list of arrays.  Then the reader answers
 * requests until the socket is closed.
 */

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
