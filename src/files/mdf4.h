/* mdf4.h - the channels of an MDF4 file as arrays. */
#ifndef DARC_FILES_MDF4_H
#define DARC_FILES_MDF4_H

#include "files/arrays.h"

darc_status darc_mdf4_list(darc_arrays *a, darc_err *err);

#endif
