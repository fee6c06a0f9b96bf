/* npy.h - the arrays of NumPy's files: NPY, versions 1 to 3, and NPZ. */
#ifndef DARC_FILES_NPY_H
#define DARC_FILES_NPY_H

#include "files/arrays.h"

darc_arrays_list darc_npy_list;
darc_arrays_list darc_npz_list;

#endif
