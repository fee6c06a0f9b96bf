/* plot.h - interactive charts of a page: curves over time.
 *
 * The page holds the curves as JSON; page.js draws them.  Charts of one
 * group are zoomed in common.
 */
#ifndef DARC_PAGE_PLOT_H
#define DARC_PAGE_PLOT_H

#include "page/decimate.h"
#include "page/sheet.h"

/* A time axis: n samples, at time[] or at t0 + k dt. */
typedef struct {
    size_t n;
    const double *time; /* NULL: uniform */
    double t0, dt;
    darc_decimate_holder holder; /* of the times and of what is drawn over them
                                  */
} darc_plot_time;

/* Add an axis; return its number. */
int darc_plot_axis(darc_sheet *s, const darc_plot_time *t);

/* A curve of a chart; n values as the axis has times. */
typedef struct {
    const char *label, *unit;
    const double *value;
    const char *colour; /* "a", "b", "c", "d", "ink", "soft" */
    darc_keep keep;
    bool edge;              /* of a band: no line */
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

#endif
