/* spool.h - columns in a temporary file, mapped into memory.
 *
 * The file has no name: it goes with the process, whatever ends it.  Columns
 * lie there in chunks, in turn, so that all grow at a time; columns added later
 * lie behind them.  Mapped pages belong to the kernel's cache; darc_spool_done
 * takes them out of the process.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct darc_spool darc_spool;

/* Set *spool to an empty one of so many columns, in a file of scratch.h.
 * Fails: DARC_IO. */
DARC_STATUS darc_spool_new(darc_spool **spool, int columns, darc_err *err);
void darc_spool_free(darc_spool *spool);

/* Set the rows of a spool of no columns, before any are added. */
void darc_spool_reserve(darc_spool *spool, size_t rows);

/* Append n values to every column.
 * Fails: DARC_IO, in particular when the disk is full. */
DARC_STATUS darc_spool_append(darc_spool *spool, const double *const *value,
                              size_t n, darc_err *err);

/* Set value[c] to column c, to be read only; nothing is appended any more.
 * Fails: DARC_IO. */
DARC_STATUS darc_spool_map(darc_spool *spool, double **value, darc_err *err);

/* Add a column of as many rows as the others have, which are mapped; set
 * *column to its number.  darc_spool_put fills it, where and in what order the
 * caller likes, from several threads; then darc_spool_map_column maps it. */
void darc_spool_widen(darc_spool *spool, int *column);

/* Set values begin .. begin + n - 1 of a column that is not mapped.
 * Fails: DARC_IO, in particular when the disk is full. */
DARC_STATUS darc_spool_put(darc_spool *spool, int column, size_t begin,
                           const double *value, size_t n, darc_err *err);

/* Set *value to the column, to be read only.
 * Fails: DARC_IO. */
DARC_STATUS darc_spool_map_column(darc_spool *spool, int column, double **value,
                                  darc_err *err);

/* Return whether value lies in a mapped column. */
bool darc_spool_holds(const darc_spool *spool, const double *value);

/* Let values begin .. end - 1 of all columns leave memory; they come back
 * when they are read. */
void darc_spool_done(const darc_spool *spool, size_t begin, size_t end);
