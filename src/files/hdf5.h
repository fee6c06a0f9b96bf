/* hdf5.h - the arrays of an HDF5 file, also of one that MATLAB 7.3 writes. */
#ifndef DARC_FILES_HDF5_H
#define DARC_FILES_HDF5_H

#include "files/arrays.h"

darc_status darc_hdf5_list(darc_arrays *a, darc_err *err);

/* The same of MATLAB: structs are groups, paths have dots, and the attribute
 * MATLAB_class tells what is no signal. */
darc_status darc_hdf5_list_matlab(darc_arrays *a, darc_err *err);

#endif
