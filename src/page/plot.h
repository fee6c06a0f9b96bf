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
    const char *caption; /* markup */
    const char *label;   /* what is seen, for those who do not */
    const char *group;
    int axis;
    const darc_plot_time *time;
    int height; /* px */
    bool log;   /* values are decimal logarithms */
    bool band;  /* between the first two curves */
    int levels; /* dashed lines */
    double level[2];
    int curves;
    const darc_plot_curve *curve;
} darc_plot;

/* Append the chart to the page. */
void darc_plot_put(darc_sheet *s, const darc_plot *p);

/* Append the buttons that zoom all charts. */
void darc_plot_tools(darc_sheet *s);

#endif
