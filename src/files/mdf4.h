/* mdf4.h - the channels of an MDF4 file as arrays. */
#ifndef DARC_FILES_MDF4_H
#define DARC_FILES_MDF4_H

#include "files/arrays.h"

darc_arrays_list darc_mdf4_list;

#endif
