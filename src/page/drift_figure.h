/* drift_figure.h - charts of a campaign: every function over the recordings. */
#ifndef DARC_PAGE_DRIFT_FIGURE_H
#define DARC_PAGE_DRIFT_FIGURE_H

#include "page/sheet.h"

/* Append the section with a chart for each function. */
void darc_drift_figures(darc_sheet *s, const darc_campaign *c);

/* Return the name of file i without the folder that the first and the last
 * share. */
const char *darc_drift_file(const darc_campaign *c, int i);

#endif
