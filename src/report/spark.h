/* spark.h - a line of blocks: the course of a series at a glance. */
#ifndef DARC_REPORT_SPARK_H
#define DARC_REPORT_SPARK_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Append `width` > 0 cells: the largest |value| of each part of the n values,
 * as a height over `top` > 0, the height of a full block; blocks of eighths in
 * UTF-8, or " .:-=+*#%@".  A part without a finite value is blank, a value
 * above top is shown as full.  Cost O(n). */
void darc_spark(darc_text_t out, const double *value, size_t n, double top,
                int width, bool utf8);

#endif
