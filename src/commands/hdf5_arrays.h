/* hdf5_arrays.h - the arrays of an HDF5 file, by libhdf5; for the program that
 * reads HDF5 (read_hdf5.c). */
#ifndef DARC_COMMANDS_HDF5_ARRAYS_H
#define DARC_COMMANDS_HDF5_ARRAYS_H

#include "files/arrays.h"

/* List the arrays of the n bytes of a file, which stay until a is cleared; one
 * file at a time.  matlab: MATLAB 7.3 wrote it: structs are groups, paths have
 * dots, and the attribute MATLAB_class tells what is no signal.
 * Left out: what lies in other files (links, external or virtual storage), and
 * what claims more values than the file can hold. */
DARC_CHECKED darc_status darc_hdf5_arrays(darc_arrays *a, void *bytes, size_t n,
                                          bool matlab, darc_err *err);

#endif
