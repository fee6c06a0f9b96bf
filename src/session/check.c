/* check.c - one check or isolation of a session, and its report. */
#include "session/session_inside.h"

#include "base/mem.h"

#include <math.h>

void darc_session_forget(darc_session *s)
{
    darc_holding_clear(&s->holding);
    if (s->has_isolation)
        darc_isolate_clear(&s->result);
    s->has_isolation = false;
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
        size_t used =
            s->has_isolation ? t->samples : s->holding.report[0].residual.used;
        s->data[i] = (darc_report_data){t->file, t->samples,
                                        t->dt > 0 ? 1 / t->dt : NAN, used};
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

static darc_status count_recordings(const darc_session *s, int wanted,
                                    darc_err *err)
{
    if (s->recordings == wanted)
        return DARC_OK;
    return darc_fail(err, DARC_USAGE,
                     "the test takes %d recording%s, the session has %d",
                     wanted, wanted == 1 ? "" : "s", s->recordings);
}

darc_status darc_session_check(darc_session *s, darc_test test, darc_err *err)
{
    darc_session_forget(s);
    darc_status status =
        count_recordings(s, test == DARC_STRUCTURE ? 1 : 2, err);
    if (status != DARC_OK)
        return status;
    status = darc_hold(&s->holding, s, test, err);
    if (status != DARC_OK) {
        darc_session_forget(s);
        return status;
    }
    fill_data(s);
    fill_report(s, test);
    return DARC_OK;
}

darc_status darc_session_isolate(darc_session *s, darc_err *err)
{
    darc_status status;
    darc_weakcheck_options w;
    darc_session_forget(s);
    if (s->set.method == DARC_METHOD_POINTWISE)
        return darc_fail(err, DARC_USAGE,
                         "isolate compares estimates and needs the weak "
                         "method; check changed --method pointwise tests one "
                         "set of parameters");
    DARC_TRY(count_recordings(s, 2, err));
    darc_session_decide(&w, s, 1);
    DARC_TRY(darc_isolate_run(&s->result, s->model, s->io, s->table[0],
                              s->table[1], &w, 0, s->budget, err));
    s->has_isolation = true;
    fill_data(s);
    s->isolation =
        (darc_isolation){"",         s->model, s->data,
                         &s->result, s->notes, (const char *const *)s->note};
done:
    return status;
}

const darc_isolation *darc_session_isolation(const darc_session *s)
{
    return s->has_isolation ? &s->isolation : NULL;
}

const darc_report *darc_session_report(const darc_session *s)
{
    return &s->report;
}

darc_verdict darc_session_verdict(const darc_session *s)
{
    const darc_report *r = &s->report;
    if (s->has_isolation)
        return darc_isolation_verdict(&s->result);
    return r->relations == 0 ? DARC_UNDECIDED
                             : r->relation[r->deciding].decision.verdict;
}

const char *darc_session_json(darc_session *s)
{
    darc_text_reset(s->json);
    if (s->has_isolation)
        darc_isolation_json(s->json, &s->isolation);
    else if (s->report.relations > 0)
        darc_report_json(s->json, &s->report);
    return s->json->s;
}
