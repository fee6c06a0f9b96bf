/* hdf5.h - HDF5 as MATLAB 7.3 writes it. */
#ifndef DARC_FILES_HDF5_H
#define DARC_FILES_HDF5_H

#include "files/source.h"

/* As darc_hdf5_list; structs are groups, paths have dots, and the attribute
 * MATLAB_class tells what is no signal. */
darc_status darc_hdf5_list_matlab(darc_arrays *a, const char *file,
                                  darc_err *err);

#endif
