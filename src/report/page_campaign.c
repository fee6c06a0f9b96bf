/* page_campaign.c - the page of a campaign: when did which parameter move. */
#include "darc/page.h"

#include "base/mem.h"
#include "report/evidence.h"
#include "report/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 860, HEIGHT = 190, LEFT = 62, BOTTOM = 150, MOST_ROWS = 400 };

static const darc_drift_recording *recording(const darc_campaign *c, int e,
                                             int i)
{
    return &c->drift[e].recording[i];
}

static const char *damage(const darc_campaign *c, int i)
{
    for (int e = 0; e < c->equations; e++)
        if (recording(c, e, i)->damaged)
            return recording(c, e, i)->error;
    return NULL;
}

/* Return file i without the folder that all share. */
static const char *short_name(const darc_campaign *c, int i)
{
    const char *first = c->file[0];
    size_t shared = strlen(first);
    for (int k = 1; k < c->files; k++) {
        size_t n = 0;
        while (n < shared && c->file[k][n] == first[n])
            n++;
        shared = n;
    }
    while (shared > 0 && first[shared - 1] != '/')
        shared--;
    return c->file[i] + shared;
}

/* ---- the chart of one function ------------------------------------------ */

static double place(const darc_campaign *c, int i)
{
    return LEFT + 20 +
           (WIDTH - LEFT - 40.0) * i / (c->files > 1 ? c->files - 1 : 1);
}

/* The largest |change| + two standard deviations, in recordings that have
 * one. */
static double reach(const darc_campaign *c, int e, int f)
{
    double most = 0;
    for (int i = 0; i < c->files; i++) {
        const darc_drift_recording *r = recording(c, e, i);
        if (r->damaged)
            continue;
        const darc_drift_change *v = &r->change[f];
        double edge = fabs(v->relative) + 2 * v->relative_sd;
        most = isfinite(edge) ? fmax(most, edge) : most;
    }
    return most;
}

static void put_point(darc_text_t out, const darc_campaign *c, int e, int f,
                      int i, const darc_svg_scale *y)
{
    const darc_drift_recording *r = recording(c, e, i);
    double x = place(c, i);
    if (r->damaged) {
        darc_html_put(out,
                      "<path class=\"line sopen\" d=\"M%q %ql8 8m0 -8l-8 8\"/>"
                      "<title>%s: damaged</title>\n",
                      x - 4, BOTTOM - 10.0, short_name(c, i));
        return;
    }
    const darc_drift_change *v = &r->change[f];
    if (!isfinite(v->relative))
        return;
    double at = darc_svg_at(y, v->relative);
    darc_html_put(out, "<g><title>%s: %p</title>", c->file[i], v->relative);
    if (isfinite(v->relative_sd))
        darc_html_put(out, "<path class=\"line %h\" d=\"M%q %qV%q\"/>",
                      v->moved ? "sbad" : "a", x,
                      darc_svg_at(y, v->relative - 2 * v->relative_sd),
                      darc_svg_at(y, v->relative + 2 * v->relative_sd));
    if (i == c->drift[e].reference)
        darc_html_put(out,
                      "<path class=\"hollow ssoft\" d=\"M%q %qh10v10h-10z\"/>",
                      x - 5, at - 5);
    else if (v->moved)
        darc_html_put(out,
                      "<path class=\"fbad\" d=\"M%q %ql6 6l-6 6l-6 -6z\"/>", x,
                      at - 6);
    else
        darc_html_put(out,
                      "<circle class=\"hollow a\" cx=\"%q\" cy=\"%q\" "
                      "r=\"4\"/>",
                      x, at);
    darc_text_puts(out, "</g>\n");
}

static void put_change_points(darc_text_t out, const darc_campaign *c, int e,
                              int f)
{
    for (int k = 0; k < c->drift[e].points; k++) {
        const darc_drift_point *p = &c->drift[e].point[k];
        if (p->function != f || p->recording == 0)
            continue;
        double x = (place(c, p->recording) + place(c, p->recording - 1)) / 2;
        darc_html_put(out,
                      "<path class=\"dash sbad\" d=\"M%q 8V%d\"/><text "
                      "class=\"small\" x=\"%q\" y=\"16\" "
                      "text-anchor=\"%h\">%h%p</text>\n",
                      x, BOTTOM, x > WIDTH / 2.0 ? x - 5 : x + 5,
                      x > WIDTH / 2.0 ? "end" : "start",
                      p->relative > 0 ? "+" : "", p->relative);
    }
}

/* Names under the axis, as many as there is room for. */
static void put_labels(darc_text_t out, const darc_campaign *c)
{
    size_t longest = 1;
    for (int i = 0; i < c->files; i++) {
        size_t n = strlen(short_name(c, i));
        longest = n > longest ? n : longest;
    }
    double room = (WIDTH - LEFT - 40.0) / (c->files > 1 ? c->files - 1 : 1);
    bool names = 6.5 * (double)longest < room;
    int step = 1;
    while (!names && 26.0 > room * step)
        step++;
    for (int i = 0; i < c->files; i += step) {
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

static void put_chart(darc_text_t out, const darc_campaign *c, int e, int f)
{
    double most = reach(c, e, f);
    most = most > 0 ? 1.1 * most : 1;
    darc_svg_scale y = {-most, most, BOTTOM - 4, 12, false};
    darc_text_t label;
    darc_text_init(label);
    darc_text_printf(label,
                     "Relative change of %s over the recordings; the numbers "
                     "stand in the table below",
                     c->drift[e].function[f]);
    darc_text_puts(out, "<figure>\n<figcaption><b>");
    darc_mathml_or_code(out, c->drift[e].function[f], NULL);
    darc_text_puts(out, "</b> <span class=\"unit\">relative to the baseline"
                        "</span></figcaption>\n<div class=\"scroll\"><div "
                        "class=\"wide\">");
    darc_svg_begin(out, WIDTH, BOTTOM + 38, label->s);
    darc_svg_axis_left(out, &y, LEFT, WIDTH, true);
    darc_html_put(out,
                  "<path class=\"zero\" d=\"M%d %qH%d\"/><path class=\"axis\" "
                  "d=\"M%d %dH%d\"/>\n",
                  LEFT, darc_svg_at(&y, 0), WIDTH, LEFT, BOTTOM, WIDTH);
    put_change_points(out, c, e, f);
    for (int i = 0; i < c->files; i++)
        put_point(out, c, e, f, i, &y);
    put_labels(out, c);
    darc_svg_end(out);
    darc_text_puts(out, "</div></div></figure>\n");
    darc_text_clear(label);
}

static void put_charts(darc_sheet *s, const darc_campaign *c)
{
    darc_sheet_section(s, "drift", "When did what move");
    darc_text_puts(s->out,
                   "<p class=\"note\">Square: the baseline. Circle: as the "
                   "baseline. Filled diamond: moved. Cross: damaged. Bars are "
                   "two standard deviations to either side; dashed lines mark "
                   "points of change.</p>\n");
    for (int e = 0; e < c->equations; e++)
        for (int f = 0; f < c->drift[e].functions; f++)
            put_chart(s->out, c, e, f);
}

/* ---- tables ------------------------------------------------------------- */

static void put_points(darc_text_t out, const darc_campaign *c)
{
    int points = 0;
    for (int e = 0; e < c->equations; e++)
        points += c->drift[e].points;
    if (points == 0)
        return;
    darc_text_puts(
        out, "<div class=\"scroll\"><table>\n<caption>Points of "
             "change</caption>\n<thead><tr><th scope=\"col\">"
             "Function</th><th scope=\"col\">From</th><th "
             "scope=\"col\" class=\"n\">Moves by</th></tr></thead>\n<tbody>\n");
    for (int e = 0; e < c->equations; e++)
        for (int k = 0; k < c->drift[e].points; k++) {
            const darc_drift_point *p = &c->drift[e].point[k];
            darc_text_puts(out, "<tr><th scope=\"row\">");
            darc_mathml_or_code(out, c->drift[e].function[p->function], NULL);
            darc_html_put(out,
                          "</th><td class=\"file\">%s</td><td class=\"n\">",
                          short_name(c, p->recording));
            darc_html_measure(out, p->relative, p->sd, true);
            darc_text_puts(out, "</td></tr>\n");
        }
    darc_text_puts(out, "</tbody></table></div>\n");
}

static void put_heads(darc_text_t out, const darc_campaign *c)
{
    darc_text_puts(out,
                   "<div class=\"scroll\"><table>\n<caption>Change of each "
                   "function against the baseline, with its standard "
                   "deviation</caption>\n<thead><tr><th scope=\"col\" "
                   "class=\"n\">No.</th><th scope=\"col\">Recording</th><th "
                   "scope=\"col\">Verdict</th>");
    for (int e = 0; e < c->equations; e++)
        for (int f = 0; f < c->drift[e].functions; f++) {
            darc_text_puts(out, "<th scope=\"col\" class=\"n\">");
            darc_mathml_or_code(out, c->drift[e].function[f], NULL);
            darc_text_puts(out, "</th>");
        }
    darc_text_puts(out, "</tr></thead>\n<tbody>\n");
}

static void put_cell(darc_text_t out, const darc_drift_change *v)
{
    darc_html_put(out, "<td class=\"n\">%h", v->moved ? "<b>\u25c6\u00a0" : "");
    darc_html_measure(out, v->relative, v->relative_sd, true);
    darc_html_put(out, "%h</td>", v->moved ? "</b>" : "");
}

static void put_row(darc_text_t out, const darc_campaign *c, int i,
                    int functions)
{
    bool baseline = i == c->drift[0].reference;
    darc_html_put(out,
                  "<tr><td class=\"n soft\">%d</td><th scope=\"row\" "
                  "class=\"file\">%s</th><td>",
                  i + 1, short_name(c, i));
    if (baseline)
        darc_text_puts(out, "baseline");
    else
        darc_sheet_tag(out, darc_campaign_of(c, i));
    darc_text_puts(out, "</td>");
    if (damage(c, i) != NULL)
        darc_html_put(out, "<td colspan=\"%d\">damaged: %s</td>", functions,
                      damage(c, i));
    for (int e = 0; e < c->equations && damage(c, i) == NULL; e++)
        for (int f = 0; f < c->drift[e].functions; f++) {
            const darc_drift_change *v = &recording(c, e, i)->change[f];
            if (baseline)
                darc_text_puts(out, "<td class=\"n soft\">\u2013</td>");
            else
                put_cell(out, v);
        }
    darc_text_puts(out, "</tr>\n");
}

static void put_table(darc_sheet *s, const darc_campaign *c)
{
    int functions = 0, shown = 0;
    for (int e = 0; e < c->equations; e++)
        functions += c->drift[e].functions;
    darc_sheet_section(s, "recordings", "Recordings");
    put_heads(s->out, c);
    /* Where there are too many, those that stand out. */
    for (int i = 0; i < c->files && shown < MOST_ROWS; i++)
        if (c->files <= MOST_ROWS || i == c->drift[0].reference ||
            darc_campaign_of(c, i) != DARC_CONSISTENT) {
            put_row(s->out, c, i, functions);
            shown++;
        }
    darc_text_puts(s->out, "</tbody></table></div>\n");
    if (shown < c->files)
        darc_html_put(s->out,
                      "<p class=\"note\">%d of %d recordings are shown: the "
                      "baseline and the first that are not consistent.</p>\n",
                      shown, c->files);
}

/* ---- the page ----------------------------------------------------------- */

/* "2 of 9 recordings differ from the baseline; 1 is damaged" */
static void count_up(darc_text_t out, const darc_campaign *c)
{
    int count[3] = {0}, damaged = 0;
    for (int i = 0; i < c->files; i++) {
        if (i == c->drift[0].reference)
            continue;
        count[darc_campaign_of(c, i)]++;
        damaged += damage(c, i) != NULL;
    }
    if (count[DARC_INCONSISTENT] > 0)
        darc_text_printf(out, "%d of %d recordings differ from the baseline",
                         count[DARC_INCONSISTENT], c->files - 1);
    else if (count[DARC_UNDECIDED] > 0)
        darc_text_printf(out, "no recording is known to differ from the "
                              "baseline");
    else
        darc_text_printf(out, "all %d recordings agree with the baseline",
                         c->files - 1);
    if (count[DARC_UNDECIDED] > damaged)
        darc_text_printf(out, "; %d undecided",
                         count[DARC_UNDECIDED] - damaged);
    if (damaged > 0)
        darc_text_printf(out, "; %d could not be used", damaged);
}

void darc_page_campaign(darc_text_t out, const darc_campaign *c,
                        const darc_page *p)
{
    darc_verdict verdict = darc_campaign_verdict(c);
    darc_text_t sentence;
    darc_text_init(sentence);
    count_up(sentence, c);
    darc_sheet_head head = {"drift", darc_model_name(c->model),
                            darc_tone_of(verdict),
                            verdict == DARC_INCONSISTENT ? "drift"
                            : verdict == DARC_CONSISTENT ? "no drift"
                                                         : "undecided",
                            sentence->s};
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, 0);
    darc_html_put(out,
                  "<p class=\"asked\">When did which parameter move, in %d "
                  "recordings against the baseline <b>%s</b>?</p>\n",
                  c->files, short_name(c, c->drift[0].reference));
    put_points(out, c);
    darc_sheet_notes(out, c->note, c->notes);
    put_charts(&s, c);
    put_table(&s, c);
    const char **file = darc_calloc((size_t)c->files + 1, sizeof *file);
    file[0] = darc_model_file(c->model);
    memcpy(file + 1, c->file, (size_t)c->files * sizeof *file);
    darc_sheet_end(&s, "drift", file, c->files + 1, p);
    darc_free((void *)file);
    darc_text_clear(sentence);
}
