/* thresholds.h - the numbers that decide something in this room.  Input limits
 * stand in base/limits.h. */
#pragma once

/* ---- how much is held --------------------------------------------------- */

/* Bytes of inflated stretches in memory; what is more goes to a temporary file.
 * No result depends on it. */
#define DARC_INFLATED_HELD (32 << 20)

/* Bytes of a compressed variable that are inflated to learn what it is: flags,
 * dimensions and name take 100 to 200.  No result depends on it. */
#define DARC_FRONT 2048

/* Bytes of the list of what is no signal. */
#define DARC_LEFT_OUT_BYTES 600

/* ---- what a damaged file may claim -------------------------------------- */

/* Deflate expands by 1032 at most (258 bytes for 2 bits): more is a lie of the
 * head, and no memory is taken for it. */
#define DARC_MOST_EXPANSION 1040

/* Arrays of a file, objects of an HDF5 file, fields of a MAT file's structs. */
#define DARC_MOST_PARTS 20000

/* Values of an array. */
#define DARC_ARRAY_VALUES (UINT64_C(1) << 48)

/* Groups within groups, structs within structs; the stack bears them. */
#define DARC_HDF5_DEEPEST 16
#define DARC_MAT_DEEPEST 8

/* Bytes of a field's name; MATLAB writes 64. */
#define DARC_MAT_FIELD_NAME 4096

/* Bytes of the head of an NPY file, fields of its records. */
#define DARC_NPY_HEAD (1 << 20)
#define DARC_NPY_FIELDS 1000

/* Bytes of a sheet as text, and its cells. */
#define DARC_SHEET_BYTES (1 << 30)

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
