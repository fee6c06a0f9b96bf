/* hdf5.h - the arrays of an HDF5 file, also of one that MATLAB 7.3 writes.
 *
 * libhdf5 runs in a program of its own, libexec/darc/read-hdf5, which opens
 * nothing but the file that it gets (base/cage.h): whatever a file makes of it,
 * the reader sees a file that cannot be read, and learns of no other.
 */
#ifndef DARC_FILES_HDF5_H
#define DARC_FILES_HDF5_H

#include "files/arrays.h"

/* Fails: DARC_DATA for what the bytes are; DARC_IO when the program is missing,
 * dies, or does not answer for a minute; DARC_LIMIT for lack of its memory. */
darc_status darc_hdf5_list(darc_arrays *a, darc_err *err);

/* The same of MATLAB: structs are groups, paths have dots, and the attribute
 * MATLAB_class tells what is no signal. */
darc_status darc_hdf5_list_matlab(darc_arrays *a, darc_err *err);

#endif
