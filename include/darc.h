/* darc.h - everything: the umbrella header, and the version.
 *
 * A model (model.h) and recordings (recording.h) go into a question: a check
 * or an isolation (session.h), a campaign (drift.h), a comparison (compare.h);
 * or the model alone (eliminate.h, identify.h, simulate.h).  options.h says
 * how it is asked, budget.h how long it may take, apart.h where it is done,
 * status.h what went wrong.
 *
 * Objects are pointers: what makes one sets it, and only if it returns DARC_OK;
 * what ends in _free releases it, NULL is allowed.  Results are structs that
 * the library makes and owns.  Strings are UTF-8 and belong to the object
 * that they came from, unless said otherwise.  Errors are values: a status, and
 * a message where a darc_err is given.
 */
#ifndef DARC_H
#define DARC_H

#define DARC_VERSION "0.1.0"

#include "darc/apart.h"
#include "darc/budget.h"
#include "darc/compare.h"
#include "darc/drift.h"
#include "darc/eliminate.h"
#include "darc/fulfil.h"
#include "darc/identify.h"
#include "darc/model.h"
#include "darc/options.h"
#include "darc/plan.h"
#include "darc/recording.h"
#include "darc/report.h"
#include "darc/session.h"
#include "darc/simulate.h"
#include "darc/status.h"

#endif
