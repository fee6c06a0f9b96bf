/* isolated.h - arrays read by a process of their own.
 *
 * A library that ends the process on a damaged file, never comes back, or is
 * not fit for threads harms only that process; the reader sees a file that
 * cannot be read.
 */
#ifndef DARC_FILES_ISOLATED_H
#define DARC_FILES_ISOLATED_H

#include "files/arrays.h"

/* Set a to the arrays that `list` finds, by way of a child process that lists
 * and reads until a->close.
 * Fails: as list does; DARC_DATA when the child dies or does not answer for a
 * minute. */
DARC_CHECKED darc_status darc_isolated_list(darc_arrays *a,
                                            darc_arrays_list *list,
                                            darc_err *err);

#endif
