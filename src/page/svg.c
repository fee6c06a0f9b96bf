#include "page/svg.h"

#include <math.h>
#include <stdarg.h>

void darc_svg_begin(darc_text_t out, double width, double height,
                    const char *format, ...)
{
    va_list args;
    darc_text_t label = DARC_TEXT;
    va_start(args, format);
    darc_text_vprintf(label, format, args);
    va_end(args);
    darc_html_put(out,
                  "<svg class=\"fig\" style=\"max-width:%qpx\" viewBox=\"0 0 "
                  "%q %q\" role=\"img\" aria-label=\"%s\">\n",
                  width, width, height, label->s);
    darc_text_clear(label);
}

void darc_svg_end(darc_text_t out, int divs)
{
    darc_text_puts(out, "</svg>\n");
    while (divs-- > 0)
        darc_text_puts(out, "</div>");
    darc_text_puts(out, "</figure>\n");
}

double darc_svg_at(const darc_svg_scale *s, double v)
{
    double x = s->log ? log10(v) : v, share = (x - s->from) / (s->to - s->from);
    share = isnan(share) ? 0 : fmin(fmax(share, 0), 1);
    return s->low + share * (s->high - s->low);
}

/* Return the step between ticks, 1, 2 or 5 times a power of ten, so that about
 * n of them cover the scale; on a log scale whole decades. */
static double step_of(const darc_svg_scale *s, int n)
{
    double raw = (s->to - s->from) / n, power = pow(10, floor(log10(raw)));
    double lead = raw / power;
    double step = power * (lead < 1.5   ? 1
                           : lead < 3.5 ? 2
                           : lead < 7.5 ? 5
                                        : 10);
    return s->log ? ceil(fmax(step, 1)) : step;
}

static void put_value(darc_text_t out, const darc_svg_scale *s, double v,
                      bool percent)
{
    double x = s->log ? pow(10, v) : v;
    if (fabs(v) < 1e-9 * (s->to - s->from) && !s->log)
        x = 0;
    darc_html_number(out, percent ? 100 * x : x, 3);
    if (percent)
        darc_text_puts(out, "\u202f%");
}

static void put_tick(darc_text_t out, const darc_svg_scale *s, double v,
                     double y, double grid, bool percent)
{
    double x = s->low + (v - s->from) / (s->to - s->from) * (s->high - s->low);
    darc_html_put(out,
                  "<path class=\"grid\" d=\"M%q %qV%q\"/><text "
                  "class=\"soft\" x=\"%q\" y=\"%q\" "
                  "text-anchor=\"middle\">",
                  x, y, y - grid, x, y + 16);
    put_value(out, s, v, percent);
    darc_text_puts(out, "</text>\n");
}

void darc_svg_axis(darc_text_t out, const darc_svg_scale *s, double y,
                   double grid, const char *label, bool percent)
{
    static const double between[] = {2, 5};
    double step = step_of(s, 7), end = s->to + 1e-9 * (s->to - s->from);
    for (double v = ceil(s->from / step - 1e-9) * step; v <= end; v += step) {
        put_tick(out, s, v, y, grid, percent);
        /* Few decades have room for 2 and 5 between their powers. */
        for (int i = 0; i < 2 && s->log && s->to - s->from < 2.6; i++)
            if (v + log10(between[i]) < s->to)
                put_tick(out, s, v + log10(between[i]), y, grid, percent);
    }
    darc_html_put(out,
                  "<path class=\"axis\" d=\"M%q %qH%q\"/><text class=\"soft\" "
                  "x=\"%q\" y=\"%q\" text-anchor=\"end\">%s</text>\n",
                  s->low, y, s->high, s->high, y + 31, label);
}

void darc_svg_axis_left(darc_text_t out, const darc_svg_scale *s, double x,
                        double right, bool percent)
{
    double step = step_of(s, 4), end = s->to + 1e-9 * (s->to - s->from);
    for (double v = ceil(s->from / step - 1e-9) * step; v <= end; v += step) {
        double y =
            s->low + (v - s->from) / (s->to - s->from) * (s->high - s->low);
        darc_html_put(out,
                      "<path class=\"grid\" d=\"M%q %qH%q\"/><text "
                      "class=\"soft\" x=\"%q\" y=\"%q\" "
                      "text-anchor=\"end\">",
                      x, y, right, x - 6, y + 4);
        put_value(out, s, v, percent);
        darc_text_puts(out, "</text>\n");
    }
}

void darc_svg_curve(darc_text_t out, const char *colour,
                    const darc_svg_scale *x, const darc_svg_scale *y,
                    const darc_svg_points *p)
{
    bool down = false;
    darc_html_put(out, "<path class=\"line %h\" d=\"", colour);
    for (size_t i = 0; i < p->n; i++) {
        bool known = isfinite(p->y[i]) && (!y->log || p->y[i] > 0);
        if (known)
            darc_html_put(out, down ? "L%q %q" : "M%q %q",
                          darc_svg_at(x, p->x[i]), darc_svg_at(y, p->y[i]));
        down = known || (down && p->joins);
    }
    darc_text_puts(out, "\"/>\n");
}

void darc_svg_band(darc_text_t out, const darc_svg_scale *x,
                   const darc_svg_scale *y, const darc_svg_points *below,
                   const double *above)
{
    darc_text_puts(out, "<path class=\"band\" d=\"");
    for (size_t k = 0; k < 2 * below->n; k++) { /* there, and back below */
        size_t i = k < below->n ? k : 2 * below->n - 1 - k;
        darc_html_put(out, k > 0 ? "L%q %q" : "M%q %q",
                      darc_svg_at(x, below->x[i]),
                      darc_svg_at(y, k < below->n ? above[i] : below->y[i]));
    }
    darc_text_puts(out, "Z\"/>\n");
}

void darc_svg_axes(darc_text_t out, const darc_svg_scale *x,
                   const darc_svg_scale *y, const char *unit, bool percent)
{
    darc_svg_axis_left(out, y, x->low, x->high, percent);
    darc_svg_axis(out, x, y->low, y->low - y->high, unit, false);
}
