/* status.h - a status that its caller must look at (darc/status.h). */
#pragma once

#include "darc/status.h"

#define DARC_STATUS DARC_CHECKED darc_status
