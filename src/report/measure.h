/* measure.h - numbers with their intervals, how they moved, and courses, as
 * text: one convention for terminals and pages.  What stands behind +- is half
 * the interval of level 1 - alpha.
 */
#pragma once

#include "base/text.h"
#include "darc/report.h"

/* Append "0.50001 +- 0.00036 ohm", to two digits of the half width; "not known"
 * where that is not finite. */
void darc_report_measure(darc_text_t out, double value, double half,
                         const char *unit);

/* Return how many standard deviations are half an interval. */
double darc_report_quantile(double alpha);

/* Set the relative change b / a - 1 and its standard deviation; NAN where a may
 * be 0. */
void darc_report_change(double *change, double *sd, const darc_estimate *e);

/* Return whether the interval of b - a leaves out 0. */
bool darc_report_moved(const darc_estimate *e, double alpha);

/* Return whether the interval of A reaches beyond +- half: it is not
 * symmetrical. */
bool darc_report_lopsided(const darc_estimate *e, double half);

/* Append lines "values  R = 0.5 +- 0.0006 ohm" of one recording, at most so
 * many. */
void darc_report_print_values(darc_text_t out, const darc_estimate *e, int n,
                              double alpha, int most);

/* Append a table of name, A, B and change: rows that moved, then others up to
 * so many in all.  Without `marked` none is said to have moved. */
void darc_report_print_changes(darc_text_t out, const darc_estimate *e, int n,
                               double alpha, bool marked, int most);

/* Append `width` > 0 cells: the largest |value| of each part of the n values,
 * as a height over `top` > 0, the height of a full block; blocks of eighths in
 * UTF-8, or " .:-=+*#%@".  A part without a finite value is blank, a value
 * above top is shown as full.  Cost O(n). */
void darc_sparkline(darc_text_t out, const double *value, size_t n, double top,
                    int width, bool utf8);
