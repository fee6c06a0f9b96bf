/* thresholds.h - the numbers that decide something in this room. */
#ifndef DARC_LIBRARY_THRESHOLDS_H
#define DARC_LIBRARY_THRESHOLDS_H

/* What it may cost to keep the partial result of an elimination fresh: a share
 * of the time, and as many seconds at the beginning. */
#define DARC_READING_SHARE 0.05
#define DARC_READING_MOMENT 0.02

#endif
