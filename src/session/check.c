/* check.c - one check of a session, and its report. */
#include "session/session.h"

#include "base/mem.h"

#include <math.h>

void darc_session_forget(darc_session *s)
{
    darc_holding_clear(&s->holding);
    darc_free(s->data);
    s->data = NULL;
    while (s->notes > s->kept)
        darc_free(s->note[--s->notes]);
    s->report = (darc_report){0};
}

static void fill_data(darc_session *s)
{
    s->data = darc_calloc((size_t)s->recordings, sizeof *s->data);
    for (int i = 0; i < s->recordings; i++) {
        const darc_table *t = s->table[i];
        s->data[i] =
            (darc_report_data){t->file, t->samples, t->dt > 0 ? 1 / t->dt : NAN,
                               s->holding.report[0].residual.used};
    }
}

static void fill_report(darc_session *s, darc_test test)
{
    static const char *const name[] = {"structure", "equal", "changed"};
    const darc_holding *h = &s->holding;
    s->report =
        (darc_report){.command = "check",
                      .test = name[test],
                      .command_line = "",
                      .model_name = darc_model_name(s->model),
                      .model_file = darc_model_file(s->model),
                      .changed = test == DARC_CHANGED ? s->set.changed : NULL,
                      .recordings = s->recordings,
                      .data = s->data,
                      .relations = h->count,
                      .relation = h->report,
                      .deciding = darc_report_deciding(h->report, h->count),
                      .estimates = h->estimates,
                      .estimate = h->estimate,
                      .notes = s->notes,
                      .note = (const char *const *)s->note};
}

darc_status darc_session_check(darc_session *s, darc_test test, darc_err *err)
{
    int wanted = test == DARC_STRUCTURE ? 1 : 2;
    darc_session_forget(s);
    if (s->recordings != wanted)
        return darc_fail(err, DARC_USAGE,
                         "the test takes %d recordings, not %d", wanted,
                         s->recordings);
    darc_status status = darc_hold(&s->holding, s, test, err);
    if (status != DARC_OK) {
        darc_session_forget(s);
        return status;
    }
    fill_data(s);
    fill_report(s, test);
    return DARC_OK;
}

const darc_report *darc_session_report(const darc_session *s)
{
    return &s->report;
}

darc_verdict darc_session_verdict(const darc_session *s)
{
    const darc_report *r = &s->report;
    return r->relations == 0 ? DARC_UNDECIDED
                             : r->relation[r->deciding].decision.verdict;
}

const char *darc_session_json(darc_session *s)
{
    darc_text_reset(s->json);
    if (s->report.relations > 0)
        darc_report_json(s->json, &s->report);
    return s->json->s != NULL ? s->json->s : "";
}
