/* chart.c - the course of a function over the recordings of a campaign. */
#include "page/evidence.h"

#include "page/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 860, LEFT = 62, BOTTOM = 150 }; /* of a chart, px */

const char *darc_chart_file(const darc_campaign *c, int i)
{
    const char *first = c->recording[0].file, *file = c->recording[i].file;
    const char *last = c->recording[c->recordings - 1].file;
    size_t shared = 0;
    for (size_t n = 0; first[n] != '\0' && first[n] == last[n]; n++)
        shared = first[n] == '/' ? n + 1 : shared;
    return strncmp(file, first, shared) == 0 ? file + shared : file;
}

static double room(const darc_campaign *c)
{
    return (WIDTH - LEFT - 40.0) / (c->recordings > 1 ? c->recordings - 1 : 1);
}

static double place_of(const darc_campaign *c, int i)
{
    return LEFT + 20 + room(c) * i;
}

/* The span of changes with two standard deviations, zero inside. */
static void find_span(double *low, double *high, const darc_campaign *c, int f)
{
    *low = *high = 0;
    for (int i = 0; i < c->recordings; i++) {
        if (c->recording[i].change == NULL)
            continue;
        const darc_change *v = &c->recording[i].change[f];
        if (!isfinite(v->relative))
            continue;
        double half = isfinite(v->relative_sd) ? 2 * v->relative_sd : 0;
        *low = fmin(*low, v->relative - half);
        *high = fmax(*high, v->relative + half);
    }
    double margin = *high > *low ? 0.08 * (*high - *low) : 1;
    *low -= margin;
    *high += margin;
}

/* Marks of one kind are one path: pages of long campaigns stay small. */
typedef struct {
    darc_text_t bars, moved_bars, same, moved, damaged;
    double radius;
} marks;

static void put_circle(darc_text_t out, double x, double y, double r)
{
    /* Where marks are dense a dot: a line of no length with round ends. */
    if (r < 2)
        darc_html_put(out, "M%q %qh0", x, y);
    else
        darc_html_put(out, "M%q %qa%q %q 0 1 0 %q 0a%q %q 0 1 0 %q 0", x - r, y,
                      r, r, 2 * r, r, r, -2 * r);
}

static void add_mark(marks *m, const darc_campaign *c, int f, int i,
                     const darc_svg_scale *y)
{
    const darc_campaign_recording *r = &c->recording[i];
    double x = place_of(c, i), size = m->radius;
    if (r->change == NULL) {
        darc_html_put(m->damaged, "M%q %ql8 8m0 -8l-8 8", x - 4, BOTTOM - 12.0);
        return;
    }
    const darc_change *v = &r->change[f];
    if (!isfinite(v->relative))
        return;
    double at = darc_svg_at(y, v->relative);
    if (isfinite(v->relative_sd))
        darc_html_put(v->moved ? m->moved_bars : m->bars, "M%q %qV%q", x,
                      darc_svg_at(y, v->relative - 2 * v->relative_sd),
                      darc_svg_at(y, v->relative + 2 * v->relative_sd));
    if (v->moved)
        darc_html_put(m->moved, "M%q %ql%q %ql%q %ql%q %qz", x, at - 1.5 * size,
                      1.5 * size, 1.5 * size, -1.5 * size, 1.5 * size,
                      -1.5 * size, -1.5 * size);
    else if (i != c->baseline)
        put_circle(m->same, x, at, size);
}

static void put_marks(darc_text_t out, const darc_campaign *c, int f,
                      const darc_svg_scale *y, int step)
{
    marks m = {.radius = fmin(fmax(room(c) / 3, 1), 4)};
    darc_text_struct *list[] = {m.bars, m.moved_bars, m.same, m.moved,
                                m.damaged};
    DARC_ALL_OF(darc_text_init, list, 5);
    for (int i = 0; i < c->recordings; i += step)
        add_mark(&m, c, f, i, y);
    double base = darc_svg_at(y, 0);
    darc_html_put(out, DARC_PAGE_MARK_LINES, m.bars->s, m.moved_bars->s,
                  m.damaged->s);
    darc_html_put(out, DARC_PAGE_MARKS, m.radius < 2 ? 2 * m.radius : 1.6,
                  m.same->s, m.moved->s, place_of(c, c->baseline) - 5,
                  base - 5);
    DARC_ALL_OF(darc_text_clear, list, 5);
}

static void put_change_points(darc_text_t out, const darc_campaign *c, int f)
{
    for (int k = 0; k < c->points; k++) {
        const darc_change_point *p = &c->point[k];
        if (p->function != f)
            continue;
        double x = place_of(c, p->recording) - room(c) / 2;
        bool last = k + 1 == c->points || p[1].function != f;
        double next = last ? WIDTH : place_of(c, p[1].recording) - room(c) / 2;
        darc_html_put(out, "<path class=\"dash sbad\" d=\"M%q 8V%d\"/>", x,
                      BOTTOM);
        if (next - x < 60)
            continue; /* no room; it stands in the table */
        darc_html_put(out,
                      "<text class=\"small halo\" x=\"%q\" y=\"16\">%h%p"
                      "</text>\n",
                      x + 5, p->relative > 0 ? "+" : "", p->relative);
    }
}

/* Names under the axis, as many as there is room for. */
static void put_labels(darc_text_t out, const darc_campaign *c)
{
    size_t longest = 1;
    for (int i = 0; i < c->recordings; i++) {
        size_t n = strlen(darc_chart_file(c, i));
        longest = n > longest ? n : longest;
    }
    bool names = 6.5 * (double)longest < room(c);
    int step = names ? 1 : (int)ceil(26 / room(c));
    for (int i = 0; i < c->recordings; i += step) {
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        const char *name = names ? darc_chart_file(c, i) : number;
        bool ends = place_of(c, i) + 3.3 * (double)strlen(name) > WIDTH;
        darc_html_put(out, DARC_PAGE_CHART_NAME, ends ? WIDTH : place_of(c, i),
                      BOTTOM + 17, ends ? "end" : "middle", name);
    }
    if (!names)
        darc_html_put(out, DARC_PAGE_CHART_NUMBERS, WIDTH, BOTTOM + 34);
}

void darc_chart_put(darc_text_t out, const darc_campaign *c, int f, int step)
{
    darc_svg_scale y = {0, 0, BOTTOM - 4, 12, false};
    find_span(&y.from, &y.to, c, f);
    darc_html_put(out, DARC_PAGE_CHART, c->function[f]);
    if (c->covariates > 0)
        darc_text_puts(out, ", at its covariates");
    if (c->relations > 1)
        darc_html_put(out, ", from relation %d", c->relation[f] + 1);
    darc_text_puts(out, DARC_PAGE_CHART_DRAWN);
    darc_svg_begin(out, WIDTH, BOTTOM + 38,
                   "Relative change of %s over the recordings; the numbers "
                   "stand in the table below",
                   c->function[f]);
    darc_svg_axis_left(out, &y, LEFT, WIDTH, true);
    darc_html_put(out,
                  "<path class=\"zero\" d=\"M%d %qH%d\"/><path class=\"axis\" "
                  "d=\"M%d %dH%d\"/>\n",
                  LEFT, darc_svg_at(&y, 0), WIDTH, LEFT, BOTTOM, WIDTH);
    put_change_points(out, c, f);
    put_marks(out, c, f, &y, step);
    put_labels(out, c);
    darc_svg_end(out, 2);
}
