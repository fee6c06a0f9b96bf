/* html.c - the last result of a session as a page. */
#include "page/page.h"
#include "session/state.h"

#include <stdio.h>

enum { SETTINGS = 12 };

/* The settings of a session as the page tells them. */
typedef struct {
    darc_page_setting list[SETTINGS];
    char number[SETTINGS][32];
    int count;
} settings;

static void add_text(settings *s, const char *name, const char *value,
                     bool given)
{
    if (value != NULL)
        s->list[s->count++] = (darc_page_setting){name, value, given};
}

static void add_number(settings *s, const char *name, double value, bool given)
{
    char *text = s->number[s->count];
    snprintf(text, sizeof s->number[0], "%.10g", value);
    add_text(s, name, text, given);
}

static void list_settings(settings *s, const darc_session_settings *set)
{
    static const char *const method[] = {"weak", "pointwise", "auto"};
    darc_session_settings preset;
    darc_session_settings_init(&preset);
    *s = (settings){.count = 0};
    add_text(s, "method", method[set->method], set->method != preset.method);
    add_number(s, "alpha", set->alpha, set->alpha != preset.alpha);
    add_number(s, "tolerance", set->tolerance,
               set->tolerance != preset.tolerance);
    add_text(s, "ranking", set->ranking, true);
    add_text(s, "diff", set->diff, set->diff != preset.diff);
    add_text(s, "changed", set->changed, true);
    add_text(s, "against", set->against, true);
    for (int i = 0; i < set->noises && s->count < SETTINGS; i++)
        add_number(s, set->noise_name[i], set->noise_sd[i], true);
}

const char *darc_session_html(darc_session *s, const darc_page *page)
{
    settings own;
    darc_page p = {0};
    list_settings(&own, &s->set);
    p.settings = own.count;
    p.setting = own.list;
    if (page != NULL)
        p = *page;
    p.tables = s->recordings;
    p.table = (const darc_table *const *)s->table;
    darc_text_reset(s->html);
    if (s->has_isolation)
        darc_page_isolation(s->html, &s->isolation, &p);
    else if (s->report.relations > 0)
        darc_page_check(s->html, &s->report, &p);
    return s->html->s;
}
