/* mat.h - the arrays of a MATLAB file, of versions 5 and 7. */
#ifndef DARC_FILES_MAT_H
#define DARC_FILES_MAT_H

#include "files/arrays.h"

darc_arrays_list darc_mat_list;

#endif
