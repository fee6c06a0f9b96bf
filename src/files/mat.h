/* mat.h - the arrays of a MATLAB file, of versions 5, 7 and 7.3. */
#ifndef DARC_FILES_MAT_H
#define DARC_FILES_MAT_H

#include "files/arrays.h"

darc_status darc_mat_list(darc_arrays *a, darc_err *err);

#endif
