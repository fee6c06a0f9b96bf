/* output.h - files that appear whole or not at all.
 *
 * Text goes to a temporary file beside the target, with its mode and owner;
 * closing it flushes, checks, renames it onto the target and syncs the folder,
 * so that a full disk, a crash or an interruption leaves the old file as it
 * was.  What a process that was killed has left is removed by the next one that
 * writes the same file.  Symbolic links are followed, also one that leads to no
 * file yet.  A file that has other names (hard links), or lies in a folder that
 * is read only, is written in place, when all of the text is known.
 *
 * "-" is standard output, where text goes at once; so it does to targets that
 * are no regular files (a pipe, /dev/null).  All that darc prints goes this
 * way, so that none of it is lost without a word.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct darc_output darc_output;

/* Let this be called before anything is written to standard output, or is about
 * to be written to standard error, which those who do say by
 * darc_output_begins; NULL: nothing. */
void darc_output_before(void (*before)(void));
void darc_output_begins(void);

/* Start writing the file.  Fails: DARC_IO. */
DARC_STATUS darc_output_open(darc_output **out, const char *file,
                             darc_err *err);

/* Return the temporary file, for others to write instead, who close it before;
 * NULL where there is none: not where no file of that name is there. */
const char *darc_output_temporary(const darc_output *out);

/* Append; a failure is remembered for darc_output_close. */
void darc_output_write(darc_output *out, const char *s, size_t n);

/* Hand over what is written so far, for whoever looks on; return whether all of
 * it could be. */
bool darc_output_flush(darc_output *out);

/* Finish: the file is there, with everything written.  out is freed.
 * Fails: DARC_IO, and the target is as it was; without a message where a
 * reader has taken a part and left, as head does. */
DARC_STATUS darc_output_close(darc_output *out, darc_err *err);

/* Give up: the target is as it was.  out (may be NULL) is freed. */
void darc_output_discard(darc_output *out);

/* Remove what processes that have ended left beside the file. */
void darc_output_sweep(const char *file);

/* Write the file from n bytes at s, in one go.  Fails: DARC_IO. */
DARC_STATUS darc_output_file(const char *file, const char *s, size_t n,
                             darc_err *err);
