/* darc.h - everything: the umbrella header, and the version. */
#ifndef DARC_H
#define DARC_H

#define DARC_VERSION "0.1.0"

#include "darc/budget.h"
#include "darc/coeffrel.h"
#include "darc/csvout.h"
#include "darc/decision.h"
#include "darc/derived.h"
#include "darc/dpoly.h"
#include "darc/elim.h"
#include "darc/expr.h"
#include "darc/ioeq.h"
#include "darc/jet.h"
#include "darc/json.h"
#include "darc/model.h"
#include "darc/names.h"
#include "darc/output.h"
#include "darc/program.h"
#include "darc/ranking.h"
#include "darc/reader.h"
#include "darc/relation.h"
#include "darc/report.h"
#include "darc/simulate.h"
#include "darc/solved.h"
#include "darc/stats.h"
#include "darc/status.h"
#include "darc/table.h"
#include "darc/text.h"

#endif
