/* page_campaign.c - the page of a campaign: when did which parameter move. */
#include "page/page.h"

#include "base/mem.h"
#include "page/evidence.h"

#include <assert.h>

/* Draw the functions of a group, up to DARC_MOST_CHARTS of them; one recording
 * in so many where `groups` like it are drawn. */
static void put_charts(darc_text_t out, const darc_campaign *c, int groups)
{
    int drawn = 0,
        step = 1 + c->recordings * c->functions * groups / DARC_MOST_MARKS;
    for (; drawn < c->functions && drawn < DARC_MOST_CHARTS; drawn++)
        darc_chart_put(out, c, drawn, step);
    if (step > 1)
        darc_html_put(out, DARC_PAGE_DRAWN_IN, step);
    if (drawn < c->functions)
        darc_html_put(out, DARC_PAGE_FIRST_FUNCTIONS, drawn, c->functions);
}

/* Of so many changes those that are told. */
static int told(int changes)
{
    return changes < DARC_MOST_CHANGES ? changes : DARC_MOST_CHANGES;
}

/* The points of change, folded where there are many. */
static void put_points(darc_text_t out, const darc_campaign *c)
{
    const darc_change_point *p = c->point;
    bool folded = c->points > DARC_FEW_CHANGES;
    if (c->points == 0)
        return;
    if (folded)
        darc_html_put(out, DARC_PAGE_MANY_POINTS, c->points);
    DARC_SHEET_ROWS(out, "Points of change", "Function|From|#Moves by", k,
                    told(c->points), "%m|@%s|#%P", c->function[p[k].function],
                    darc_chart_file(c, p[k].recording), p[k].relative, p[k].sd);
    if (c->points > DARC_MOST_CHANGES)
        darc_html_put(out, DARC_PAGE_FIRST_CHANGES, DARC_MOST_CHANGES);
    darc_text_puts(out, folded ? "</details>\n" : "");
}

/* What goes with covariates, and what may. */
static void put_covariates(darc_text_t out, const darc_campaign *c)
{
    const darc_covariate_slope *x = c->slope;
    const darc_change_doubt *d = c->doubt;
    if (c->slopes > 0)
        DARC_SHEET_ROWS(out,
                        "What goes with covariates, in shares of the "
                        "function a unit of the column",
                        "Function|Covariate|#Moves by", k, told(c->slopes),
                        "%m|%s|#%P", c->function[x[k].function],
                        c->covariate[x[k].covariate], x[k].relative, x[k].sd);
    if (c->doubts > 0)
        DARC_SHEET_ROWS(out,
                        "Undecided: a change, or the doing of covariates; "
                        "these recordings do not tell them apart",
                        "Function|From|#Moves by", k, told(c->doubts),
                        "%m|@%s|#%P", c->function[d[k].function],
                        d[k].recording < 0 ? "a recording"
                                           : darc_chart_file(c, d[k].recording),
                        d[k].relative, d[k].sd);
}

static void put_findings(darc_text_t out, const darc_campaign *c)
{
    const darc_trend *t = c->trend;
    put_points(out, c);
    if (c->trends > 0)
        DARC_SHEET_ROWS(out, "Trends", "Function|#Moves by, a recording", k,
                        c->trends, "%m|#%P", c->function[t[k].function],
                        t[k].per_recording, t[k].sd);
    put_covariates(out, c);
}

static bool is_baseline(const darc_campaign *c, int i)
{
    return c->group != NULL ? c->held_against[i] == i : c->baseline == i;
}

/* A group as a campaign of its own, and how it stands. */
typedef struct {
    darc_campaign c; /* its arrays are owned */
    const char *name;
} group;

/* Set list, of `count`, to those of the items of all whose baseline, of item k,
 * is that of the group. */
#define TAKE(list, item, count, of)                                            \
    for (int k = 0; k < all->count; k++)                                       \
        if ((of) == baseline) {                                                \
            DARC_ROOM(list, c->count);                                         \
            (list)[c->count++] = all->item[k];                                 \
        }

/* Set g to the recordings that are held against that baseline. */
static void open_group(group *g, const darc_campaign *all, int baseline)
{
    int *place = darc_calloc((size_t)all->recordings, sizeof *place);
    const int *against = all->held_against;
    darc_campaign_recording *r = NULL;
    darc_change_point *point = NULL;
    darc_trend *trend = NULL;
    darc_covariate_slope *slope = NULL;
    darc_change_doubt *doubt = NULL;
    darc_campaign *c = &g->c;
    g->name = all->group[baseline];
    *c = *all;
    c->group = NULL;
    c->recordings = c->points = c->trends = c->slopes = c->doubts = 0;
    for (int i = 0, n = 0; i < all->recordings; i++)
        place[i] = against[i] == baseline ? n++ : -1;
    TAKE(r, recording, recordings, against[k])
    TAKE(point, point, points, against[all->point[k].recording])
    TAKE(trend, trend, trends, all->trend_baseline[k])
    TAKE(slope, slope, slopes, all->slope[k].baseline)
    TAKE(doubt, doubt, doubts, all->doubt[k].baseline)
    assert(c->points == 0 || point != NULL);
    for (int k = 0; k < c->points; k++)
        point[k].recording = place[point[k].recording];
    for (int k = 0; k < c->doubts && doubt != NULL; k++)
        if (doubt[k].recording >= 0)
            doubt[k].recording = place[doubt[k].recording];
    c->baseline = place[baseline];
    c->recording = r;
    c->point = point;
    c->trend = trend;
    c->slope = slope;
    c->doubt = doubt;
    darc_campaign_judge(c);
    darc_free(place);
}

static void close_group(group *g)
{
    DARC_FREE((void *)g->c.recording, (void *)g->c.point, (void *)g->c.trend,
              (void *)g->c.slope, (void *)g->c.doubt);
}

static void put_group(darc_sheet *s, const group *g, const char *column,
                      int number, int groups)
{
    darc_text_t id = DARC_TEXT, heading = DARC_TEXT;
    darc_text_printf(id, "group-%d", number);
    darc_text_printf(heading, "%s %s", column,
                     g->name[0] != '\0' ? g->name : "(not told)");
    darc_sheet_section(s, id->s, heading->s);
    darc_html_put(s->out, DARC_PAGE_GROUP, DARC_TAG(g->c.verdict),
                  g->c.recordings, darc_chart_file(&g->c, g->c.baseline));
    put_charts(s->out, &g->c, groups);
    put_findings(s->out, &g->c);
    DARC_EACH(darc_text_clear, id, heading);
}

/* A table of all groups, then those that changed, then the others, as many as
 * there is room for. */
static void put_groups(darc_sheet *s, const darc_campaign *c)
{
    int count = 0, shown = 0;
    int room = DARC_MOST_CHARTS / (c->functions > 0 ? c->functions : 1);
    room = room > 0 ? room : 1;
    group *g = darc_calloc((size_t)c->recordings, sizeof *g);
    for (int i = 0; i < c->recordings; i++)
        if (c->held_against[i] == i)
            open_group(g + count++, c, i);
    room = room < count ? room : count;
    darc_text_t columns = DARC_TEXT;
    darc_text_printf(columns, "%s|Verdict|#Recordings|#Steps|#Trends",
                     c->group_column);
    DARC_SHEET_ROWS(s->out, NULL, columns->s, k,
                    count < DARC_MOST_ROWS ? count : DARC_MOST_ROWS,
                    "%s|%t|#%d|#%d|#%d", g[k].name, DARC_TAG(g[k].c.verdict),
                    g[k].c.recordings, g[k].c.points, g[k].c.trends);
    if (room < count)
        darc_html_put(s->out, DARC_PAGE_FIRST_GROUPS, room, count);
    for (int pass = 0; pass < 3; pass++)
        for (int k = 0; k < count && shown < room; k++) {
            static const darc_verdict order[] = {
                DARC_INCONSISTENT, DARC_UNDECIDED, DARC_CONSISTENT};
            if (g[k].c.verdict == order[pass])
                put_group(s, g + k, c->group_column, ++shown, room);
        }
    for (int k = 0; k < count; k++)
        close_group(g + k);
    darc_free(g);
    darc_text_clear(columns);
}

static void put_recording_row(darc_text_t out, const darc_campaign *c, int i)
{
    const darc_campaign_recording *r = &c->recording[i];
    bool baseline = is_baseline(c, i);
    darc_html_put(out,
                  "<tr><td class=\"n soft\">%d</td><th scope=\"row\" "
                  "class=\"file\">%s</th><td>",
                  i + 1, darc_chart_file(c, i));
    if (c->group != NULL)
        darc_html_put(out, "%s</td><td>", c->group[i]);
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
    darc_text_puts(s->out, DARC_PAGE_RECORDINGS_HEAD);
    if (c->group != NULL)
        darc_html_put(s->out, "<th scope=\"col\">%s</th>", c->group_column);
    darc_text_puts(s->out, "<th scope=\"col\">Verdict</th>");
    for (int f = 0; f < c->functions; f++)
        darc_html_put(s->out,
                      "<th scope=\"col\" class=\"n\" data-name=\"%s\">%m</th>",
                      c->function[f], c->function[f]);
    darc_text_puts(s->out, "</tr></thead>\n<tbody>\n");
    /* Where there are too many, those that stand out. */
    for (int i = 0; i < c->recordings && shown < most; i++)
        if (c->recordings <= most || is_baseline(c, i) ||
            c->recording[i].verdict != DARC_CONSISTENT) {
            put_recording_row(s->out, c, i);
            shown++;
        }
    darc_sheet_table_end(s->out);
    if (shown < c->recordings)
        darc_html_put(s->out, DARC_PAGE_FIRST_RECORDINGS, shown, c->recordings);
}

void darc_page_campaign(darc_text_t out, const darc_campaign *c,
                        const darc_page *p)
{
    static const char *const word[] = {[DARC_INCONSISTENT] = "drift",
                                       [DARC_CONSISTENT] = "no drift",
                                       [DARC_UNDECIDED] = "undecided"};
    darc_text_t sentence = DARC_TEXT;
    darc_campaign_say(sentence, c);
    darc_sheet_head head = {"drift", c->model_name, darc_tone_of(c->verdict),
                            word[c->verdict], sentence->s};
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, p, 0);
    darc_html_put(out, DARC_PAGE_ASKED_DRIFT, c->recordings);
    if (c->group != NULL)
        darc_html_put(out, ", each <b>%s</b> against its own baseline?</p>\n",
                      c->group_column);
    else
        darc_html_put(out, " against the baseline <b>%s</b>?</p>\n",
                      darc_chart_file(c, c->baseline));
    darc_sheet_notes(out, c->note, c->notes);
    darc_sheet_section(&s, "drift", "When did what move");
    darc_text_puts(out, DARC_PAGE_DRIFT);
    if (c->group != NULL) {
        put_groups(&s, c);
    } else {
        put_charts(out, c, 1);
        put_findings(out, c);
    }
    put_table(&s, c);
    const char **file = darc_calloc((size_t)c->recordings + 1, sizeof *file);
    file[0] = c->model_file;
    for (int i = 0; i < c->recordings; i++)
        file[i + 1] = c->recording[i].file;
    darc_sheet_end(&s, "drift", file, c->recordings + 1, p);
    darc_free((void *)file);
    darc_text_clear(sentence);
}
