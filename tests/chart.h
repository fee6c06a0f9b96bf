/* chart.h - coefficients of a fit over the one that is known. */
#ifndef DARC_TESTS_CHART_H
#define DARC_TESTS_CHART_H

#include "fit/gls.h"

/* Make `reference` that of equation q of the fit, as estimates do it. */
void chart_refer(darc_gls *fit, int q, int reference);

#endif
