/* decimate.h - long series with few points, so that a plot shows every peak.
 *
 * n samples are cut into `buckets` runs of equal length, and of each run the
 * least and the greatest value are kept, in the order in which they came; a
 * plot of the points covers what a plot of all samples would.  Series with
 * the same times keep the same times: point 2b stands at the first sample of
 * run b, point 2b + 1 at the middle one.
 */
#ifndef DARC_PAGE_DECIMATE_H
#define DARC_PAGE_DECIMATE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    DARC_KEEP_BOTH, /* the least and the greatest */
    DARC_KEEP_MOST, /* the greatest, twice: of an upper envelope */
    DARC_KEEP_LEAST /* the least, twice */
} darc_keep;

/* Return the number of points of n samples: n where that is at most
 * 2 * buckets, else 2 * buckets. */
size_t darc_decimate_points(size_t n, size_t buckets);

/* Return the sample at whose time point k stands, k < points. */
size_t darc_decimate_at(size_t k, size_t n, size_t buckets);

/* Who wants to know which samples have been read, for economy of memory. */
typedef struct {
    void (*done)(const void *holder, size_t begin, size_t end); /* or NULL */
    const void *holder;
} darc_decimate_holder;

/* Set point[0 .. points) from value[0 .. n); what is not finite is passed
 * over, NAN where a run has nothing else.  holder: of the values; NULL: nobody.
 */
void darc_decimate(double *point, const double *value, size_t n, size_t buckets,
                   darc_keep keep, const darc_decimate_holder *holder);

/* Append the JSON members "lo", "hi" and "q" of n values: level k of 0 ..
 * DARC_DECIMATE_LEVELS as three characters of base 64, lo + k (hi - lo) /
 * levels; NAN as level DARC_DECIMATE_LEVELS + 1. */
#define DARC_DECIMATE_LEVELS 262142
void darc_decimate_pack(darc_text_t out, const double *value, size_t n);

#endif
