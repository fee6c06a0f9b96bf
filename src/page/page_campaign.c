/* page_campaign.c - the page of a campaign: when did which parameter move. */
#include "page/page.h"

#include "base/mem.h"
#include "page/drift_figure.h"
#include "page/evidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 400, MOST_CELLS = 2000, FEW = 8, MOST_CHANGES = 200 };

/* ---- tables ------------------------------------------------------------- */

static void put_point(darc_text_t out, const darc_campaign *c, int k)
{
    const darc_change_point *p = &c->point[k];
    darc_text_puts(out, "<tr><th scope=\"row\">");
    darc_mathml_or_code(out, c->function[p->function], NULL);
    darc_html_put(out, "</th><td class=\"file\">%s</td><td class=\"n\">",
                  darc_drift_file(c, p->recording));
    darc_html_measure(out, p->relative, p->sd, true);
    darc_text_puts(out, "</td></tr>\n");
}

/* The points of change, folded where there are many. */
static void put_points(darc_text_t out, const darc_campaign *c)
{
    int shown = c->points < MOST_CHANGES ? c->points : MOST_CHANGES;
    if (c->points == 0)
        return;
    if (c->points > FEW)
        darc_html_put(out, "<details><summary>%d points of change</summary>\n",
                      c->points);
    darc_text_puts(
        out, "<div class=\"scroll\"><table>\n<caption>Points of "
             "change</caption>\n<thead><tr><th scope=\"col\">"
             "Function</th><th scope=\"col\">From</th><th "
             "scope=\"col\" class=\"n\">Moves by</th></tr></thead>\n<tbody>\n");
    for (int k = 0; k < shown; k++)
        put_point(out, c, k);
    darc_text_puts(out, "</tbody></table></div>\n");
    if (shown < c->points)
        darc_html_put(out, "<p class=\"note\">The first %d are shown.</p>\n",
                      shown);
    darc_text_puts(out, c->points > FEW ? "</details>\n" : "");
}

static void put_heads(darc_text_t out, const darc_campaign *c)
{
    darc_text_puts(out,
                   "<div class=\"scroll\"><table>\n<caption>Change of each "
                   "function against the baseline, with its standard "
                   "deviation</caption>\n<thead><tr><th scope=\"col\" "
                   "class=\"n\">No.</th><th scope=\"col\">Recording</th><th "
                   "scope=\"col\">Verdict</th>");
    for (int f = 0; f < c->functions; f++) {
        darc_text_puts(out, "<th scope=\"col\" class=\"n\">");
        darc_mathml_or_code(out, c->function[f], NULL);
        darc_text_puts(out, "</th>");
    }
    darc_text_puts(out, "</tr></thead>\n<tbody>\n");
}

static void put_cell(darc_text_t out, const darc_change *v)
{
    darc_html_put(out, "<td class=\"n\">%h", v->moved ? "<b>\u25c6\u00a0" : "");
    darc_html_measure(out, v->relative, v->relative_sd, true);
    darc_html_put(out, "%h</td>", v->moved ? "</b>" : "");
}

static void put_row(darc_text_t out, const darc_campaign *c, int i)
{
    const darc_campaign_recording *r = &c->recording[i];
    bool baseline = i == c->baseline;
    darc_html_put(out,
                  "<tr><td class=\"n soft\">%d</td><th scope=\"row\" "
                  "class=\"file\">%s</th><td>",
                  i + 1, darc_drift_file(c, i));
    if (baseline)
        darc_text_puts(out, "baseline");
    else
        darc_sheet_tag(out, r->verdict);
    darc_text_puts(out, "</td>");
    if (r->damage != NULL)
        darc_html_put(out, "<td colspan=\"%d\">damaged: %s</td>", c->functions,
                      r->damage);
    for (int f = 0; f < c->functions && r->change != NULL; f++)
        if (baseline)
            darc_text_puts(out, "<td class=\"n soft\">\u2013</td>");
        else
            put_cell(out, &r->change[f]);
    darc_text_puts(out, "</tr>\n");
}

static void put_table(darc_sheet *s, const darc_campaign *c)
{
    int shown = 0, most = MOST_CELLS / (c->functions > 0 ? c->functions : 1);
    most = most > MOST_ROWS ? MOST_ROWS : most;
    darc_sheet_section(s, "recordings", "Recordings");
    put_heads(s->out, c);
    /* Where there are too many, those that stand out. */
    for (int i = 0; i < c->recordings && shown < most; i++)
        if (c->recordings <= most || i == c->baseline ||
            c->recording[i].verdict != DARC_CONSISTENT) {
            put_row(s->out, c, i);
            shown++;
        }
    darc_text_puts(s->out, "</tbody></table></div>\n");
    if (shown < c->recordings)
        darc_html_put(s->out,
                      "<p class=\"note\">%d of %d recordings are shown: the "
                      "baseline and the first that are not consistent.</p>\n",
                      shown, c->recordings);
}

/* ---- the page ----------------------------------------------------------- */

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
    else if (count[DARC_UNDECIDED] > 0)
        darc_text_printf(out, "no recording is known to differ from the "
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
    darc_verdict verdict = c->verdict;
    darc_text_t sentence;
    darc_text_init(sentence);
    count_up(sentence, c);
    darc_sheet_head head = {"drift", c->model_name, darc_tone_of(verdict),
                            verdict == DARC_INCONSISTENT ? "drift"
                            : verdict == DARC_CONSISTENT ? "no drift"
                                                         : "undecided",
                            sentence->s};
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, 0);
    darc_html_put(out,
                  "<p class=\"asked\">When did which parameter move, in %d "
                  "recordings against the baseline <b>%s</b>?</p>\n",
                  c->recordings, darc_drift_file(c, c->baseline));
    darc_sheet_notes(out, c->note, c->notes);
    darc_drift_figures(&s, c);
    put_points(out, c);
    put_table(&s, c);
    const char **file = darc_calloc((size_t)c->recordings + 1, sizeof *file);
    file[0] = c->model_file;
    for (int i = 0; i < c->recordings; i++)
        file[i + 1] = c->recording[i].file;
    darc_sheet_end(&s, "drift", file, c->recordings + 1, p);
    darc_free((void *)file);
    darc_text_clear(sentence);
}
