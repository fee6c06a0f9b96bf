/* thresholds.h - the numbers that decide something in this room.
 *
 * Input limits stand in base/limits.h.  Sizes of buffers through which bytes
 * only pass (a quarter of a megabyte here and there) decide nothing.
 */
#pragma once

#include "formats/thresholds.h"

/* ---- how much is held --------------------------------------------------- */

/* Values of an array that are in memory at a time, and its rows at least: 2 MB
 * an array.  No result depends on it. */
#define DARC_WINDOW_VALUES (1 << 18)
#define DARC_WINDOW_ROWS 64

/* Lines among which the names of a table and its first rows are looked for:
 * loggers write some hundred settings above them at most. */
#define DARC_LAYOUT_LINES 2000

/* Bytes that are read for that, where there is no end: settings of a page, then
 * rows; and rows that are enough to know their shape by. */
#define DARC_LAYOUT_FIRST (1 << 18)
#define DARC_LAYOUT_BYTES (1 << 20)
#define DARC_SURE_ROWS 200

/* Rows by which it is told what a column holds. */
#define DARC_LOOK_ROWS 64

/* ---- what is told ------------------------------------------------------- */

/* Names in a message. */
#define DARC_NAMES_SHOWN 20

/* ---- what a program that reads may do --------------------------------------
 */

/* ms without an answer after which a process that reads is given up: a minute
 * is more than any window of DARC_WINDOW_VALUES takes. */
#define DARC_PATIENCE 60000

/* Bytes of the list of all arrays, a path and a unit of 1100 at the most each.
 */
#define DARC_LIST_BYTES (2048 * DARC_MOST_PARTS)

/* What a program that reads may take: bytes, a chunk of HDF5 of 4 GB (the most
 * there are) while another is inflated; seconds of CPU time in its life, and
 * for a request, which darc has given up by then (DARC_PATIENCE). */
#define DARC_READER_MEMORY (UINT64_C(9) << 30)
#define DARC_READER_LIFE (24 * 3600)
#define DARC_READER_REQUEST 120
