/* darc.h - everything: the umbrella header, and the version. */
#ifndef DARC_H
#define DARC_H

#define DARC_VERSION "0.1.0"

#include "darc/budget.h"
#include "darc/status.h"

#endif
