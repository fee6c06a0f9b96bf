/* state.c - what a session says, and what it answered: as text, JSON, page. */
#include "session/state.h"

#include "base/mem.h"
#include "model/model.h"
#include "page/page.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *darc_session_say(const darc_session *s, const char *text)
{
    darc_text_t t = DARC_TEXT;
    darc_adjoined_say(t, s->model, text);
    return darc_text_take(t);
}

void darc_session_say_estimates(const darc_session *s, darc_estimate *e, int n)
{
    for (int i = 0; i < n; i++) {
        char *name = darc_session_say(s, e[i].function);
        darc_free(e[i].function);
        e[i].function = name;
    }
}

static void add_note(darc_session *s, bool detail, const char *format,
                     va_list args)
{
    char text[1024];
    if (s->notes == DARC_SESSION_NOTES)
        return;
    vsnprintf(text, sizeof text, format, args);
    s->detail[s->notes] = detail;
    s->note[s->notes++] = darc_session_say(s, text);
}

void darc_session_note(darc_session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note(s, false, format, args);
    va_end(args);
}

void darc_session_detail(darc_session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note(s, true, format, args);
    va_end(args);
}

int darc_session_threads(const darc_session *s)
{
    long n =
        s->set.threads > 0 ? s->set.threads : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (int)n;
}

void darc_session_criteria(darc_criteria *c, const darc_session *s)
{
    darc_criteria_init(c);
    DARC_SAME(c, &s->set, alpha, tolerance);
    c->noise_sd = s->noise;
    c->held = s->hold;
    c->until = s->until;
    c->rest = s->resting;
    c->colour = s->set.colour;
    c->glance = s->set.rough;
    c->threads = darc_session_threads(s);
}

/* The session whose the answer is. */
static const darc_session *answering(const darc_session *s)
{
    while (s->answer != NULL)
        s = s->answer;
    return s;
}

const darc_isolation *darc_session_isolation(const darc_session *s)
{
    s = answering(s);
    return s->has_isolation ? &s->isolation : NULL;
}

const darc_report *darc_session_report(const darc_session *s)
{
    return &answering(s)->report;
}

darc_verdict darc_session_verdict(const darc_session *s)
{
    const darc_report *r = darc_session_report(s);
    const darc_isolation *i = darc_session_isolation(s);
    if (i != NULL)
        return i->verdict;
    return r->relations == 0 ? DARC_UNDECIDED : r->decision.verdict;
}

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
