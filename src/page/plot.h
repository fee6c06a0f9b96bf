/* plot.h - interactive charts of a page: curves over time.
 *
 * The page holds the curves as JSON; page.js draws them.  Charts of one
 * group are zoomed in common.
 *
 * Long series have few points, so that a plot shows every peak: n samples are
 * cut into `buckets` runs of equal length, and of each run the least and the
 * greatest value are kept, in the order in which they came; a plot of the
 * points covers what a plot of all samples would.  Series with the same times
 * keep the same times: point 2b stands at the first sample of run b, point
 * 2b + 1 at the middle one.
 */
#pragma once

#include "page/sheet.h"

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

/* Set point[0 .. points) from value[0 .. n); what is not finite is passed
 * over, NAN where a run has nothing else. */
void darc_decimate(double *point, const double *value, size_t n, size_t buckets,
                   darc_keep keep);

/* Append the JSON members "lo", "hi" and "q" of n values: level k of 0 ..
 * DARC_DECIMATE_LEVELS as three characters of base 64, lo + k (hi - lo) /
 * levels; NAN as level DARC_DECIMATE_LEVELS + 1. */
#define DARC_DECIMATE_LEVELS 262142
void darc_decimate_pack(darc_text_t out, const double *value, size_t n);

/* A time axis: n samples, at time[] or at t0 + k dt. */
typedef struct {
    size_t n;
    const double *time; /* NULL: uniform */
    double t0, dt;
} darc_plot_time;

/* Add an axis; return its number. */
int darc_plot_axis(darc_sheet *s, const darc_plot_time *t);

/* A curve of a chart; n values as the axis has times. */
typedef struct {
    const char *label, *unit;
    const double *value;
    const char *colour; /* "a", "b", "c", "d", "ink", "soft" */
    darc_keep keep;
    bool edge;              /* of a band: a thin line */
    double (*show)(double); /* what is drawn of a value, monotone (NAN of NAN);
                               NULL: the value; keep is about the value */
} darc_plot_curve;

typedef struct {
    const darc_plot_time *time;
    int axis;
    int height;                 /* px */
    const char *group;          /* NULL: that of the first recording */
    bool log;                   /* values are decimal logarithms */
    bool band;                  /* between the first two curves */
    bool level;                 /* a dashed line at 0 */
    darc_text_t caption, label; /* markup; what is seen, for those who do not */
} darc_plot;

/* Begin a chart over time, whose texts are to be filled in; append it to the
 * page, and clear it. */
darc_plot darc_plot_begin(const darc_plot_time *time, int axis, int height);
void darc_plot_end(darc_plot *p, darc_sheet *s, const darc_plot_curve *curve,
                   int curves);

/* Append the buttons that zoom all charts. */
void darc_plot_tools(darc_sheet *s);
