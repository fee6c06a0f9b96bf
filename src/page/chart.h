/* chart.h - the course of a function over the recordings of a campaign. */
#pragma once

#include "darc/drift.h"
#include "emit/html.h"

/* Return the name of file i without the folder that the first and the last
 * share. */
const char *darc_chart_file(const darc_campaign *c, int i);

/* Draw function f in every step-th recording. */
void darc_chart_put(darc_text_t out, const darc_campaign *c, int f, int step);
