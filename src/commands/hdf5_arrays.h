/* hdf5_arrays.h - the arrays of an HDF5 file, by libhdf5; for the program that
 * reads HDF5 (read_hdf5.c). */
#pragma once

#include "formats/arrays.h"

/* List the arrays of a->bytes, which stay until a is cleared; one file at a
 * time.  Left out: what lies in other files (links, external or virtual
 * storage), and what claims more values than the file can hold. */
darc_arrays_list darc_hdf5_arrays;

/* The same of what MATLAB 7.3 writes: structs are groups, paths have dots, and
 * the attribute MATLAB_class tells what is no signal. */
darc_arrays_list darc_hdf5_matlab;
