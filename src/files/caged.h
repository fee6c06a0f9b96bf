/* caged.h - the arrays of a file in a binary format, which a program of its own
 * reads: libexec/darc/read-arrays, or read-hdf5.
 *
 * It opens nothing but the file that it gets (base/cage.h): whatever the bytes
 * make of it, darc sees arrays of the sizes that it checked, or a file that
 * cannot be read.
 */
#pragma once

#include "base/status.h"
#include "base/wire.h"
#include "formats/arrays.h"

/* List the arrays of a->file; kind: "hdf5", "mat", "npy", "npz", "mdf4".
 * Fails: DARC_DATA for what the bytes are; DARC_IO when the program is missing,
 * dies, or does not answer for a minute; DARC_LIMIT for lack of its memory or
 * disk. */
DARC_STATUS darc_caged_list(darc_arrays *a, const char *kind, darc_err *err);

/* Set path to where a program of darc's lies: in the folder that DARC_LIBEXEC
 * names, or else near this program, or near the library. */
DARC_CHECKED bool darc_caged_find(char *path, size_t size, const char *name);

/* ---- what passes between darc and such a program (base/wire.h).  The first
 * answer comes unasked: the list of arrays.  Then the reader answers requests
 * until the socket is closed.
 */

/* What the reader finds open: the file, and its end of the socket. */
enum { DARC_WIRE_FILE = 3, DARC_WIRE_SOCKET = 4 };

/* What darc asks: n rows of an array. */
typedef struct {
    int32_t array;
    uint64_t begin, n;
} darc_wire_request;
