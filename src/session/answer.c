/* answer.c - what a session answered, as text, JSON and page. */
#include "page/page.h"
#include "report/report.h"
#include "session/state.h"

#include <string.h>

static bool tells_values(const darc_session *s)
{
    return s->report.command != NULL &&
           strcmp(s->report.command, "values") == 0;
}

static void put_page(darc_text_t out, const darc_session *s, const char *format)
{
    darc_page page = {0};
    if (s->asked != NULL)
        darc_settings_page(&page, &s->asked->options, format);
    page.tables = s->report.eaches > 0 ? 1 : s->recordings;
    page.table = (const darc_table *const *)s->table;
    if (s->has_isolation)
        darc_page_isolation(out, &s->isolation, &page);
    else
        darc_page_check(out, &s->report, &page);
    darc_settings_clear(&page);
}

static void put_report(darc_text_t out, const darc_session *s)
{
    const darc_options *o = s->asked != NULL ? &s->asked->options : NULL;
    bool quiet = o != NULL && darc_option_given(o, DARC_OPT_QUIET);
    bool verbose = o != NULL && darc_option_given(o, DARC_OPT_VERBOSE);
    darc_text_t text = DARC_TEXT;
    if (s->has_isolation)
        darc_isolation_print(text, &s->isolation, quiet, verbose);
    else
        darc_report_print(text, &s->report, quiet, verbose);
    darc_adjoined_say(out, s->model, text->s);
    darc_text_clear(text);
}

static void put_session(darc_text_t out, void *what, const char *format)
{
    const darc_session *s = what;
    if (*format == 'h' || *format == 's')
        put_page(out, s, format);
    else if (*format == 'j' && s->has_isolation)
        darc_isolation_json(out, &s->isolation);
    else if (*format == 'j')
        darc_report_json(out, &s->report);
    else
        put_report(out, s);
}

const char *darc_session_text(darc_session *s, const char *format)
{
    while (s->answer != NULL)
        s = s->answer;
    if (!darc_settings_write(format))
        return NULL;
    if (!s->has_isolation && s->report.relations == 0 && !tells_values(s))
        return "";
    return darc_text_attempt(s->text, put_session, s, format);
}
