/* thresholds.h - the numbers that decide something in this room.
 *
 * Input limits stand in base/limits.h.  Sizes of buffers through which bytes
 * only pass (a quarter of a megabyte here and there) decide nothing.
 */
#pragma once

/* ---- how much is held --------------------------------------------------- */

/* Values of an array that are in memory at a time, and its rows at least: 2 MB
 * an array.  No result depends on it. */
#define DARC_WINDOW_VALUES (1 << 18)
#define DARC_WINDOW_ROWS 64

/* Bytes of inflated stretches in memory; what is more goes to a temporary file.
 * No result depends on it. */
#define DARC_INFLATED_HELD (32 << 20)

/* Bytes of a compressed variable that are inflated to learn what it is: flags,
 * dimensions and name take 100 to 200.  No result depends on it. */
#define DARC_FRONT 2048

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

/* Names in a message, and bytes of the list of what is no signal. */
#define DARC_NAMES_SHOWN 20
#define DARC_LEFT_OUT_BYTES 600

/* ---- what a damaged file may claim -------------------------------------- */

/* Deflate expands by 1032 at most (258 bytes for 2 bits): more is a lie of the
 * head, and no memory is taken for it. */
#define DARC_MOST_EXPANSION 1040

/* ms without an answer after which a process that reads is given up: a minute
 * is more than any window of DARC_WINDOW_VALUES takes. */
#define DARC_PATIENCE 60000

/* Arrays of a file, objects of an HDF5 file, fields of a MAT file's structs. */
#define DARC_MOST_PARTS 20000

/* Values of an array; bytes of the list of all, a path and a unit of 1100 at
 * the most each. */
#define DARC_ARRAY_VALUES (UINT64_C(1) << 48)
#define DARC_LIST_BYTES (2048 * DARC_MOST_PARTS)

/* What a program that reads may take: bytes, a chunk of HDF5 of 4 GB (the most
 * there are) while another is inflated; seconds of CPU time in its life, and
 * for a request, which darc has given up by then (DARC_PATIENCE). */
#define DARC_READER_MEMORY (UINT64_C(9) << 30)
#define DARC_READER_LIFE (24 * 3600)
#define DARC_READER_REQUEST 120

/* Groups within groups, structs within structs; the stack bears them. */
#define DARC_HDF5_DEEPEST 16
#define DARC_MAT_DEEPEST 8

/* Bytes of a field's name; MATLAB writes 64. */
#define DARC_MAT_FIELD_NAME 4096

/* Bytes of the head of an NPY file, fields of its records. */
#define DARC_NPY_HEAD (1 << 20)
#define DARC_NPY_FIELDS 1000

/* Members of a zip archive. */
#define DARC_ZIP_MEMBERS 10000

/* Records of a group; bytes of a text that are looked at; bytes of a block when
 * inflated (recorders write 4 MB). */
#define DARC_MDF4_ROWS (1 << 30)
#define DARC_MDF4_TEXT (1 << 16)
#define DARC_MDF4_EXPANDED (1 << 28)

/* Bytes of the smallest block: a list of more than fit into the file goes
 * round. */
#define DARC_MDF4_BLOCK 24
