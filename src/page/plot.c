#include "page/plot.h"

#include "base/mem.h"
#include "page/svg.h"

#include <assert.h>
#include <math.h>
#include <string.h>

size_t darc_decimate_points(size_t n, size_t buckets)
{
    return n <= 2 * buckets ? n : 2 * buckets;
}

/* The first sample of run b. */
static size_t begin_of(size_t b, size_t n, size_t buckets)
{
    return (size_t)((double)n * (double)b / (double)buckets);
}

size_t darc_decimate_at(size_t k, size_t n, size_t buckets)
{
    if (n <= 2 * buckets)
        return k;
    size_t begin = begin_of(k / 2, n, buckets);
    size_t end = begin_of(k / 2 + 1, n, buckets);
    return k % 2 == 0 ? begin : begin + (end - begin) / 2;
}

/* Set the two points of samples begin .. end - 1. */
static void keep_extremes(double *point, const double *value, size_t begin,
                          size_t end, darc_keep keep)
{
    size_t least = end, most = end;
    for (size_t i = begin; i < end; i++) {
        if (!isfinite(value[i]))
            continue;
        least = least == end || value[i] < value[least] ? i : least;
        most = most == end || value[i] > value[most] ? i : most;
    }
    size_t first = least < most ? least : most;
    size_t second = least < most ? most : least;
    if (keep != DARC_KEEP_BOTH)
        first = second = keep == DARC_KEEP_MOST ? most : least;
    point[0] = first == end ? NAN : value[first];
    point[1] = second == end ? NAN : value[second];
}

void darc_decimate(double *point, const double *value, size_t n, size_t buckets,
                   darc_keep keep)
{
    assert(buckets > 0);
    if (n <= 2 * buckets) {
        for (size_t i = 0; i < n; i++)
            point[i] = isfinite(value[i]) ? value[i] : NAN;
        return;
    }
    for (size_t b = 0; b < buckets; b++)
        keep_extremes(point + 2 * b, value, begin_of(b, n, buckets),
                      begin_of(b + 1, n, buckets), keep);
}

void darc_decimate_pack(darc_text_t out, const double *value, size_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789+/";
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (isfinite(value[i])) {
            lo = fmin(lo, value[i]);
            hi = fmax(hi, value[i]);
        }
    if (lo > hi)
        lo = hi = 0;
    /* Halves, so that the difference of huge values is finite. */
    double half = hi / 2 - lo / 2;
    darc_text_printf(out, "\"lo\":%.10g,\"hi\":%.10g,\"q\":\"", lo, hi);
    for (size_t i = 0; i < n; i++) {
        double share = half > 0 ? (value[i] / 2 - lo / 2) / half : 0;
        unsigned level = isfinite(value[i])
                             ? (unsigned)(share * DARC_DECIMATE_LEVELS + 0.5)
                             : DARC_DECIMATE_LEVELS + 1;
        for (int shift = 12; shift >= 0; shift -= 6)
            darc_text_putc(out, digit[level >> shift & 63]);
    }
    darc_text_putc(out, '"');
}

/* A string inside a <script>, as it may be shown: no '<' may stand there. */
static void put_string(darc_text_t out, const char *text)
{
    darc_text_t shown = DARC_TEXT;
    darc_text_shown(shown, text);
    darc_text_putc(out, '"');
    for (const char *s = shown->s; *s != '\0'; s++)
        if (*s == '\n' || *s == '\t' || strchr("\"\\<>&", *s) != NULL)
            darc_text_printf(out, "\\u%04x", (unsigned)*s);
        else
            darc_text_putc(out, *s);
    darc_text_putc(out, '"');
    darc_text_clear(shown);
}

int darc_plot_axis(darc_sheet *s, const darc_plot_time *t)
{
    darc_text_puts(s->axes, s->axis_count > 0 ? ",\n{" : "{");
    if (t->time != NULL) {
        size_t points = darc_decimate_points(t->n, s->buckets);
        double *point = darc_calloc(points, sizeof *point);
        for (size_t k = 0; k < points; k++)
            point[k] = t->time[darc_decimate_at(k, t->n, s->buckets)];
        darc_decimate_pack(s->axes, point, points);
        darc_free(point);
    } else {
        darc_text_printf(s->axes,
                         "\"n\":%zu,\"buckets\":%zu,\"t0\":%.17g,\"dt\":%.17g",
                         t->n, s->buckets, t->t0, t->dt);
    }
    darc_text_putc(s->axes, '}');
    return s->axis_count++;
}

static void put_curve(darc_sheet *s, const darc_plot_time *t,
                      const darc_plot_curve *c)
{
    darc_text_t label = DARC_TEXT;
    darc_text_printf(label, c->unit[0] != '\0' ? "%s [%s]" : "%s", c->label,
                     c->unit);
    darc_text_puts(s->charts, "{\"label\":");
    put_string(s->charts, label->s);
    darc_text_printf(s->charts, ",\"colour\":\"%s\",\"edge\":%s,", c->colour,
                     c->edge ? "true" : "false");
    size_t points = darc_decimate_points(t->n, s->buckets);
    double *point = darc_calloc(points, sizeof *point);
    darc_decimate(point, c->value, t->n, s->buckets, c->keep);
    for (size_t k = 0; k < points && c->show != NULL; k++)
        point[k] = c->show(point[k]);
    darc_decimate_pack(s->charts, point, points);
    darc_free(point);
    darc_text_putc(s->charts, '}');
    darc_text_clear(label);
}

darc_plot darc_plot_begin(const darc_plot_time *time, int axis, int height)
{
    darc_plot p = {.time = time, .axis = axis, .height = height};
    DARC_EACH(darc_text_init, p.caption, p.label);
    return p;
}

/* Set a scale to all curves, as the page does; nothing known: -1 .. 1. */
static void fit_scale(darc_svg_scale *y, const double *value, size_t n,
                      bool log)
{
    double lo = log ? 0 : INFINITY, hi = log ? 0 : -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (isfinite(value[i])) {
            lo = fmin(lo, value[i]);
            hi = fmax(hi, value[i]);
        }
    double more = hi > lo ? 0.06 * (hi - lo) : hi != 0 ? 0.1 * fabs(hi) : 1;
    bool known = hi >= lo;
    y->from = known ? lo - more : -1;
    y->to = known ? hi + more : 1;
}

/* Set at to the times of n points, then to what is drawn of each curve there.
 */
static void fill_points(double *at, size_t n, const darc_plot_time *t,
                        const darc_plot_curve *c, int curves, size_t buckets)
{
    for (size_t k = 0; k < n; k++) {
        size_t i = darc_decimate_at(k, t->n, buckets);
        at[k] = t->time != NULL ? t->time[i] : t->t0 + t->dt * (double)i;
    }
    for (int i = 0; i < curves; i++, c++) {
        double *value = at + (size_t)(i + 1) * n;
        darc_decimate(value, c->value, t->n, buckets, c->keep);
        for (size_t k = 0; k < n && c->show != NULL; k++)
            value[k] = c->show(value[k]);
    }
}

/* The curves, over the band between the first two where it is known. */
static void draw_curves(darc_text_t out, const darc_plot_curve *c, int curves,
                        const darc_svg_scale *scale,
                        const darc_svg_points *first, bool band)
{
    darc_svg_points p = *first;
    for (size_t k = 0; k < 2 * p.n && band; k++)
        band = isfinite(p.y[k]);
    if (band && p.n > 0)
        darc_svg_band(out, scale, scale + 1, &p, p.y + p.n);
    for (int i = 0; i < curves; i++, p.y += p.n)
        darc_svg_curve(out, c[i].edge ? "ssoft" : c[i].colour, scale, scale + 1,
                       &p);
}

/* Draw the chart, for whoever wants plots alone. */
static void draw_chart(const darc_plot *p, darc_sheet *s,
                       const darc_plot_curve *c, int curves)
{
    enum { WIDTH = 860, LEFT = 66 };
    size_t n = darc_decimate_points(p->time->n, s->buckets);
    double *at = darc_calloc((size_t)(curves + 1) * n + 1, sizeof *at);
    fill_points(at, n, p->time, c, curves, s->buckets);
    darc_svg_scale scale[] = {{0, 1, LEFT, WIDTH - 8, false},
                              {-1, 1, p->height, 8, false}};
    fit_scale(scale + 1, at + n, (size_t)curves * n, p->log);
    scale->from = n > 0 ? at[0] : 0;
    scale->to = n > 1 && at[n - 1] > at[0] ? at[n - 1] : scale->from + 1;
    darc_svg_scale ticks = scale[1];
    ticks.log = p->log;
    darc_html_put(s->out, "<figure>\n<figcaption>%h</figcaption>\n",
                  p->caption->s);
    darc_svg_begin(s->out, WIDTH, p->height + 38, "%s", p->label->s);
    darc_svg_axis_left(s->out, &ticks, LEFT, WIDTH - 8, false);
    darc_svg_axis(s->out, scale, p->height, 0, "s", false);
    if (p->level)
        darc_html_put(s->out, "<path class=\"dash ssoft\" d=\"M%q %qH%q\"/>\n",
                      scale->low, darc_svg_at(scale + 1, 0), scale->high);
    draw_curves(s->out, c, curves, scale,
                &(darc_svg_points){at, at + n, n, false}, p->band);
    darc_svg_end(s->out, 0);
    darc_free(at);
}

void darc_plot_end(darc_plot *p, darc_sheet *s, const darc_plot_curve *curve,
                   int curves)
{
    if (s->plots) {
        draw_chart(p, s, curve, curves);
        DARC_EACH(darc_text_clear, p->caption, p->label);
        return;
    }
    darc_html_put(s->out, DARC_PAGE_PLOT, p->caption->s, s->chart_count,
                  p->label->s);
    darc_text_puts(s->charts, s->chart_count > 0 ? ",\n{" : "{");
    darc_text_printf(s->charts, "\"axis\":%d,\"height\":%d,\"group\":", p->axis,
                     p->height);
    put_string(s->charts, p->group != NULL ? p->group : "first");
    darc_text_printf(s->charts, "%s%s%s,\"series\":[",
                     p->log ? ",\"log\":true,\"reach\":[0,0]" : "",
                     p->band ? ",\"band\":[1,2]" : "",
                     p->level ? ",\"levels\":[0]" : "");
    for (int i = 0; i < curves; i++) {
        darc_text_puts(s->charts, i > 0 ? ",\n" : "");
        put_curve(s, p->time, &curve[i]);
    }
    darc_text_puts(s->charts, "]}");
    s->chart_count++;
    DARC_EACH(darc_text_clear, p->caption, p->label);
}

void darc_plot_tools(darc_sheet *s)
{
    darc_text_puts(s->out, DARC_PAGE_ZOOM);
}
