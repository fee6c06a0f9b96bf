/* svg.h - figures of a page that need no zooming, drawn as SVG.
 *
 * Widths are those of a viewBox; a figure is not drawn larger, and
 * smaller where its column is narrow.
 */
#pragma once

#include "emit/html.h"

/* Open a drawing, whose text for those who do not see it is a format; close it,
 * so many <div> around it, and its figure. */
void darc_svg_begin(darc_text_t out, double width, double height,
                    const char *format, ...) DARC_PRINTF(4, 5);
void darc_svg_end(darc_text_t out, int divs);

/* A map of values onto pixels: x = low + (v - from) / (to - from) * size. */
typedef struct {
    double from, to;  /* values, to > from; decimal logarithms if log */
    double low, high; /* pixels */
    bool log;
} darc_svg_scale;

/* Return the pixel of v; values off the scale lie at its ends. */
double darc_svg_at(const darc_svg_scale *s, double v);

/* Append a horizontal axis at y with ticks, grid lines up to y - grid, and a
 * label below; unit: "%": values are fractions. */
void darc_svg_axis(darc_text_t out, const darc_svg_scale *s, double y,
                   double grid, const char *label, bool percent);

/* Points of a curve; what is not finite, or not positive on a logarithmic
 * scale, parts it, or is passed over where it joins. */
typedef struct {
    const double *x, *y;
    size_t n;
    bool joins;
} darc_svg_points;

/* Append a line of that colour ("a", "b", ...); the band between the heights
 * below and above, n > 0 each, all finite. */
void darc_svg_curve(darc_text_t out, const char *colour,
                    const darc_svg_scale *x, const darc_svg_scale *y,
                    const darc_svg_points *p);
void darc_svg_band(darc_text_t out, const darc_svg_scale *x,
                   const darc_svg_scale *y, const darc_svg_points *below,
                   const double *above);

/* Append the same to the left of x, with grid lines to the right end. */
void darc_svg_axis_left(darc_text_t out, const darc_svg_scale *s, double x,
                        double right, bool percent);

/* Append both axes of a small figure, of the unit of x, around what the scales
 * cover. */
void darc_svg_axes(darc_text_t out, const darc_svg_scale *x,
                   const darc_svg_scale *y, const char *unit, bool percent);
