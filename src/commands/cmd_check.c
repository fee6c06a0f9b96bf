/* cmd_check.c - darc check structure|equal|changed. */
#include "commands/check.h"

#include "cli/terminal.h"
#include "commands/command.h"
#include "commands/recordings.h"
#include "commands/results.h"
#include "commands/thresholds.h"
#include "data/csvout.h"

#include <string.h>
#include <unistd.h>

#define LABEL 14 /* columns left of the plot */

/* Set *test and *recordings from the operands.
 * Fails: DARC_USAGE. */
static darc_status read_operands(darc_test *test, int *recordings,
                                 const darc_options *o, darc_err *err)
{
    static const char *const name[] = {"structure", "equal", "changed"};
    int t = 0;
    while (t < 3 && strcmp(o->operand[0], name[t]) != 0)
        t++;
    if (t == 3)
        return darc_fail(err, DARC_USAGE,
                         "check: expected structure, equal or changed, not "
                         "'%s'",
                         o->operand[0]);
    *test = (darc_test)t;
    *recordings = *test == DARC_STRUCTURE ? 1 : 2;
    if (o->operands != 2 + *recordings)
        return darc_fail(
            err, DARC_USAGE, "check %s takes MODEL and %s, not %d operands",
            name[t], *recordings == 1 ? "one recording" : "two recordings",
            o->operands - 1);
    if ((*test == DARC_CHANGED) != darc_option_given(o, DARC_OPT_CHANGED))
        return darc_fail(err, DARC_USAGE,
                         *test == DARC_CHANGED
                             ? "check changed: say which parameters, as in "
                               "--changed m,c"
                             : "--changed goes with check changed");
    return DARC_OK;
}

/* Write the residual series, one block of rows a relation. */
static darc_status write_series(const darc_holding *h, const char *file,
                                darc_err *err)
{
    enum { DONE = 1 << 16 };
    static const char *const name[] = {"relation", "t", "residual", "error_bar",
                                       "inequation_margin"};
    static const char *const unit[] = {"", "s", "", "", ""};
    darc_csvout *out;
    DARC_NEED(darc_csvout_open(&out, file, 5, name, unit, err));
    for (int i = 0; i < h->results; i++) {
        const darc_residual_series *s = &h->result[i].series;
        for (size_t k = 0; k < s->count; k++) {
            double row[] = {i + 1, s->time[k], s->value[k], s->bar[k],
                            s->margin[k]};
            darc_csvout_row(out, row);
            if ((k + 1) % DONE == 0)
                darc_residual_series_done(s, k + 1 - DONE, k + 1);
        }
        darc_residual_series_done(s, 0, s->count);
    }
    return darc_csvout_close(out, err);
}

/* A terminal shows the residual; longer recordings are left out, since the
 * series is kept for it. */
static bool is_plotted(const darc_session *s)
{
    size_t samples = 0;
    for (int i = 0; i < s->recordings; i++)
        samples += s->table[i]->samples;
    return darc_terminal_is() && samples <= DARC_MOST_PLOTTED;
}

/* Write the files that options ask for; append the report unless one of them
 * is standard output. */
static darc_status report(darc_text_t out, darc_session *s,
                          const darc_options *o, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_report r = *darc_session_report(s);
    darc_page page;
    darc_text_t text;
    darc_text_init(text);
    r.command_line = o->command_line;
    const char *csv = darc_option_text(o, DARC_OPT_CSV);
    if (csv != NULL)
        DARC_TRY(write_series(&s->holding, csv, err));
    if (darc_results_page(&page, o)) {
        darc_text_puts(text, darc_session_html(s, &page));
        DARC_TRY(darc_results_html(text, &page, o, err));
    }
    darc_report_json(text, &r);
    DARC_TRY(darc_results_write(text, o, DARC_OPT_JSON, err));
    if (!darc_results_take_stdout(o))
        darc_report_print(out, &r, darc_option_given(o, DARC_OPT_QUIET),
                          darc_option_given(o, DARC_OPT_VERBOSE));
done:
    darc_text_clear(text);
    return status;
}

darc_status darc_check_run(darc_text_t out, darc_verdict *verdict,
                           const darc_options *o, const darc_budget *budget,
                           darc_err *err)
{
    darc_status status;
    darc_test test = DARC_STRUCTURE;
    int recordings = 0;
    darc_run run = {0};
    DARC_TRY(read_operands(&test, &recordings, o, err));
    DARC_TRY(darc_run_open(&run, o->operand[1], o, budget, err));
    for (int i = 0; i < recordings; i++)
        DARC_TRY(darc_session_read(run.session, o->operand[2 + i], err));
    bool plot = is_plotted(run.session);
    run.session->set.series |= plot;
    DARC_TRY(darc_session_check(run.session, test, err));
    if (plot)
        darc_holding_plot(&run.session->holding,
                          darc_terminal_width(STDOUT_FILENO) - LABEL,
                          darc_terminal_blocks());
    *verdict = darc_session_verdict(run.session);
    status = report(out, run.session, o, err);
done:
    darc_run_close(&run);
    return status;
}

darc_status darc_cmd_check(int *code, const darc_options *o,
                           const darc_budget *budget, darc_err *err)
{
    darc_text_t out;
    darc_text_init(out);
    darc_verdict verdict = DARC_UNDECIDED;
    darc_status status = darc_check_run(out, &verdict, o, budget, err);
    if (status == DARC_OK)
        darc_terminal_print(out);
    darc_text_clear(out);
    *code = darc_cli_exit_code(verdict);
    return status;
}
