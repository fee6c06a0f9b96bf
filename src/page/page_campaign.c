/* page_campaign.c - the page of a campaign: when did which parameter move. */
#include "page/page.h"

#include "base/mem.h"
#include "page/evidence.h"
#include "page/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 860, LEFT = 62, BOTTOM = 150 }; /* of a chart, px */

/* The name of file i without the folder that the first and the last share. */
static const char *short_name(const darc_campaign *c, int i)
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

static double place(const darc_campaign *c, int i)
{
    return LEFT + 20 + room(c) * i;
}

/* Every so-many-th recording is drawn: all but in huge campaigns. */
static int stride(const darc_campaign *c)
{
    return 1 + c->recordings * c->functions / DARC_MOST_MARKS;
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
    double x = place(c, i), size = m->radius;
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
                      const darc_svg_scale *y)
{
    marks m = {.radius = fmin(fmax(room(c) / 3, 1), 4)};
    darc_text_struct *list[] = {m.bars, m.moved_bars, m.same, m.moved,
                                m.damaged};
    for (int k = 0; k < 5; k++)
        darc_text_init(list[k]);
    for (int i = 0; i < c->recordings; i += stride(c))
        add_mark(&m, c, f, i, y);
    double base = darc_svg_at(y, 0);
    darc_html_put(out,
                  "<path class=\"line a\" d=\"%h\"/><path class=\"line sbad\" "
                  "d=\"%h\"/><path class=\"line sopen\" d=\"%h\"/>",
                  m.bars->s, m.moved_bars->s, m.damaged->s);
    darc_html_put(out,
                  "<path class=\"hollow a\" style=\"stroke-linecap:round;"
                  "stroke-width:%q\" d=\"%h\"/><path class=\"fbad\" "
                  "d=\"%h\"/><path class=\"hollow ssoft\" d=\"M%q "
                  "%qh10v10h-10z\"/>\n",
                  m.radius < 2 ? 2 * m.radius : 1.6, m.same->s, m.moved->s,
                  place(c, c->baseline) - 5, base - 5);
    for (int k = 0; k < 5; k++)
        darc_text_clear(list[k]);
}

static void put_change_points(darc_text_t out, const darc_campaign *c, int f)
{
    for (int k = 0; k < c->points; k++) {
        const darc_change_point *p = &c->point[k];
        if (p->function != f)
            continue;
        double x = place(c, p->recording) - room(c) / 2;
        bool last = k + 1 == c->points || p[1].function != f;
        double next = last ? WIDTH : place(c, p[1].recording) - room(c) / 2;
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
        size_t n = strlen(short_name(c, i));
        longest = n > longest ? n : longest;
    }
    bool names = 6.5 * (double)longest < room(c);
    int step = names ? 1 : (int)ceil(26 / room(c));
    for (int i = 0; i < c->recordings; i += step) {
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        darc_html_put(out,
                      "<text class=\"soft small\" x=\"%q\" y=\"%d\" "
                      "text-anchor=\"middle\">%s</text>",
                      place(c, i), BOTTOM + 17,
                      names ? short_name(c, i) : number);
    }
    if (!names)
        darc_html_put(out,
                      "<text class=\"soft small\" x=\"%d\" y=\"%d\" "
                      "text-anchor=\"end\">recording, as numbered in the "
                      "table</text>\n",
                      WIDTH, BOTTOM + 34);
}

static void put_chart(darc_text_t out, const darc_campaign *c, int f)
{
    darc_svg_scale y = {0, 0, BOTTOM - 4, 12, false};
    find_span(&y.from, &y.to, c, f);
    darc_text_t label = DARC_TEXT;
    darc_text_printf(label,
                     "Relative change of %s over the recordings; the numbers "
                     "stand in the table below",
                     c->function[f]);
    darc_html_put(out,
                  "<figure>\n<figcaption><b>%m</b> <span class=\"unit\">"
                  "relative to the baseline",
                  c->function[f]);
    if (c->relations > 1)
        darc_html_put(out, ", from relation %d", c->relation[f] + 1);
    darc_text_puts(out, "</span></figcaption>\n<div class=\"scroll\"><div "
                        "class=\"wide\">");
    darc_svg_begin(out, WIDTH, BOTTOM + 38, label->s);
    darc_svg_axis_left(out, &y, LEFT, WIDTH, true);
    darc_html_put(out,
                  "<path class=\"zero\" d=\"M%d %qH%d\"/><path class=\"axis\" "
                  "d=\"M%d %dH%d\"/>\n",
                  LEFT, darc_svg_at(&y, 0), WIDTH, LEFT, BOTTOM, WIDTH);
    put_change_points(out, c, f);
    put_marks(out, c, f, &y);
    put_labels(out, c);
    darc_svg_end(out);
    darc_text_puts(out, "</div></div></figure>\n");
    darc_text_clear(label);
}

static void put_charts(darc_sheet *s, const darc_campaign *c)
{
    int drawn = 0;
    darc_sheet_section(s, "drift", "When did what move");
    darc_text_puts(s->out,
                   "<p class=\"note\">Square: the baseline. Circle: as the "
                   "baseline. Filled diamond: moved. Cross: damaged. Bars are "
                   "two standard deviations to either side; dashed lines mark "
                   "points of change.");
    if (stride(c) > 1)
        darc_html_put(s->out, " One recording in %d is drawn.", stride(c));
    darc_text_puts(s->out, "</p>\n");
    for (; drawn < c->functions && drawn < DARC_MOST_CHARTS; drawn++)
        put_chart(s->out, c, drawn);
    if (drawn < c->functions)
        darc_html_put(s->out,
                      "<p class=\"note\">The first %d of %d functions are "
                      "drawn.</p>\n",
                      drawn, c->functions);
}

/* The points of change, folded where there are many. */
static void put_points(darc_text_t out, const darc_campaign *c)
{
    bool folded = c->points > DARC_FEW_CHANGES;
    if (c->points == 0)
        return;
    if (folded)
        darc_html_put(out, "<details><summary>%d points of change</summary>\n",
                      c->points);
    darc_sheet_table(out, "Points of change", "Function|From|#Moves by");
    for (int k = 0; k < c->points && k < DARC_MOST_CHANGES; k++) {
        const darc_change_point *p = &c->point[k];
        darc_html_put(out,
                      "<tr><th scope=\"row\">%m</th><td class=\"file\">%s</td>"
                      "<td class=\"n\">%P</td></tr>\n",
                      c->function[p->function], short_name(c, p->recording),
                      p->relative, p->sd);
    }
    darc_sheet_table_end(out);
    if (c->points > DARC_MOST_CHANGES)
        darc_html_put(out, "<p class=\"note\">The first %d are shown.</p>\n",
                      DARC_MOST_CHANGES);
    darc_text_puts(out, folded ? "</details>\n" : "");
}

static void put_trends(darc_text_t out, const darc_campaign *c)
{
    if (c->trends == 0)
        return;
    darc_sheet_table(out, "Trends", "Function|#Moves by, a recording");
    for (int k = 0; k < c->trends; k++)
        darc_html_put(out,
                      "<tr><th scope=\"row\">%m</th><td class=\"n\">%P</td>"
                      "</tr>\n",
                      c->function[c->trend[k].function],
                      c->trend[k].per_recording, c->trend[k].sd);
    darc_sheet_table_end(out);
}

static void put_row(darc_text_t out, const darc_campaign *c, int i)
{
    const darc_campaign_recording *r = &c->recording[i];
    bool baseline = i == c->baseline;
    darc_html_put(out,
                  "<tr><td class=\"n soft\">%d</td><th scope=\"row\" "
                  "class=\"file\">%s</th><td>",
                  i + 1, short_name(c, i));
    darc_html_put(out, baseline ? "baseline</td>" : "%t</td>",
                  DARC_TAG(r->verdict));
    if (r->damage != NULL)
        darc_html_put(out, "<td colspan=\"%d\">%s: %s</td>", c->functions,
                      r->fault == DARC_OK ? "damaged" : "not read", r->damage);
    for (int f = 0; f < c->functions && r->change != NULL; f++) {
        const darc_change *v = &r->change[f];
        darc_html_put(out,
                      baseline   ? "<td class=\"n soft\">\u2013</td>"
                      : v->moved ? "<td class=\"n\"><b>\u25c6\u00a0%P</b></td>"
                                 : "<td class=\"n\">%P</td>",
                      v->relative, v->relative_sd);
    }
    darc_text_puts(out, "</tr>\n");
}

static void put_table(darc_sheet *s, const darc_campaign *c)
{
    int shown = 0,
        most = DARC_MOST_CELLS / (c->functions > 0 ? c->functions : 1);
    most = most > DARC_MOST_ROWS ? DARC_MOST_ROWS : most;
    darc_sheet_section(s, "recordings", "Recordings");
    darc_text_puts(s->out,
                   "<div class=\"scroll\"><table>\n<caption>Change of each "
                   "function against the baseline, with its standard "
                   "deviation</caption>\n<thead><tr><th scope=\"col\" "
                   "class=\"n\">No.</th><th scope=\"col\">Recording</th><th "
                   "scope=\"col\">Verdict</th>");
    for (int f = 0; f < c->functions; f++)
        darc_html_put(s->out, "<th scope=\"col\" class=\"n\">%m</th>",
                      c->function[f]);
    darc_text_puts(s->out, "</tr></thead>\n<tbody>\n");
    /* Where there are too many, those that stand out. */
    for (int i = 0; i < c->recordings && shown < most; i++)
        if (c->recordings <= most || i == c->baseline ||
            c->recording[i].verdict != DARC_CONSISTENT) {
            put_row(s->out, c, i);
            shown++;
        }
    darc_sheet_table_end(s->out);
    if (shown < c->recordings)
        darc_html_put(s->out,
                      "<p class=\"note\">%d of %d recordings are shown: the "
                      "baseline and the first that are not consistent.</p>\n",
                      shown, c->recordings);
}

/* "2 of 9 recordings differ from the baseline; 1 is damaged" */
static void count_up(darc_text_t out, const darc_campaign *c)
{
    int count[3] = {0}, damaged = 0;
    for (int i = 0; i < c->recordings; i++) {
        if (i == c->baseline)
            continue;
        count[c->recording[i].verdict]++;
        damaged += c->recording[i].damage != NULL;
    }
    if (count[DARC_INCONSISTENT] > 0)
        darc_text_printf(out, "%d of %d recordings differ from the baseline",
                         count[DARC_INCONSISTENT], c->recordings - 1);
    else if (c->points + c->trends > 0)
        darc_text_puts(out, "no recording by itself, but their course "
                            "departs from the baseline");
    else if (count[DARC_UNDECIDED] > 0)
        darc_text_puts(out, "no recording is known to differ from the "
                            "baseline");
    else
        darc_text_printf(out, "all %d recordings agree with the baseline",
                         c->recordings - 1);
    if (count[DARC_UNDECIDED] > damaged)
        darc_text_printf(out, "; %d undecided",
                         count[DARC_UNDECIDED] - damaged);
    if (damaged > 0)
        darc_text_printf(out, "; %d could not be used", damaged);
}

void darc_page_campaign(darc_text_t out, const darc_campaign *c,
                        const darc_page *p)
{
    static const char *const word[] = {[DARC_INCONSISTENT] = "drift",
                                       [DARC_CONSISTENT] = "no drift",
                                       [DARC_UNDECIDED] = "undecided"};
    darc_text_t sentence = DARC_TEXT;
    count_up(sentence, c);
    darc_sheet_head head = {"drift", c->model_name, darc_tone_of(c->verdict),
                            word[c->verdict], sentence->s};
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, 0);
    darc_html_put(out,
                  "<p class=\"asked\">When did which parameter move, in %d "
                  "recordings against the baseline <b>%s</b>?</p>\n",
                  c->recordings, short_name(c, c->baseline));
    darc_sheet_notes(out, c->note, c->notes);
    put_charts(&s, c);
    put_points(out, c);
    put_trends(out, c);
    put_table(&s, c);
    const char **file = darc_calloc((size_t)c->recordings + 1, sizeof *file);
    file[0] = c->model_file;
    for (int i = 0; i < c->recordings; i++)
        file[i + 1] = c->recording[i].file;
    darc_sheet_end(&s, "drift", file, c->recordings + 1, p);
    darc_free((void *)file);
    darc_text_clear(sentence);
}
