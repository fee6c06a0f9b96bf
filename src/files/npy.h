/* npy.h - the arrays of NumPy's files: NPY, versions 1 to 3, and NPZ. */
#ifndef DARC_FILES_NPY_H
#define DARC_FILES_NPY_H

#include "files/arrays.h"

darc_status darc_npy_list(darc_arrays *a, darc_err *err);
darc_status darc_npz_list(darc_arrays *a, darc_err *err);

#endif
