/* status.h - a status that its caller must look at (darc/status.h). */
#pragma once

#include "darc/status.h"

#define DARC_STATUS DARC_CHECKED darc_status

/* Record in err what `why` says, unless the status is DARC_OK; return it. */
darc_status darc_fail_as(darc_err *err, darc_status status,
                         const darc_err *why);
