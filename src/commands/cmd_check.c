/* cmd_check.c - darc check structure|equal|changed. */
#include "commands/check.h"

#include "cli/terminal.h"
#include "commands/deliver.h"
#include "commands/thresholds.h"
#include "data/csvout.h"
#include "session/state.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LABEL 14 /* columns left of the plot */

/* Set *test from the operands.
 * Fails: DARC_USAGE. */
static darc_status read_operands(darc_test *test, const darc_options *o,
                                 darc_err *err)
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
    int recordings = *test == DARC_STRUCTURE ? 1 : 2;
    if (o->operands != 2 + recordings)
        return darc_fail(
            err, DARC_USAGE, "check %s takes MODEL and %s, not %d operands",
            name[t], recordings == 1 ? "one recording" : "two recordings",
            o->operands - 1);
    if ((*test == DARC_CHANGED) != darc_option_given(o, DARC_OPT_CHANGED))
        return darc_fail(err, DARC_USAGE,
                         *test == DARC_CHANGED
                             ? "check changed: say which parameters, as in "
                               "--changed m,c"
                             : "--changed goes with check changed");
    if (*test != DARC_STRUCTURE && darc_option_given(o, DARC_OPT_OVER_TIME))
        return darc_fail(err, DARC_USAGE,
                         "--over-time goes with check structure");
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
    darc_status status = darc_csvout_open(&out, file, 5, name, unit, err);
    if (status != DARC_OK)
        return status;
    for (int i = 0; i < h->count; i++) {
        const darc_residual_series *s = h->report[i].series;
        for (size_t k = 0; s != NULL && k < s->count; k++) {
            double row[] = {i + 1, s->time[k], s->value[k], s->bar[k],
                            s->margin[k]};
            darc_csvout_row(out, row);
            if ((k + 1) % DONE == 0)
                darc_residual_series_done(s, k + 1 - DONE, k + 1);
        }
        if (s != NULL)
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

void darc_cli_show_rewritten(const darc_options *o, const darc_model *model)
{
    if (!darc_option_given(o, DARC_OPT_VERBOSE) ||
        !darc_model_is_rewritten(model))
        return;
    darc_text_t text = DARC_TEXT;
    darc_model_print_rewritten(text, model);
    fprintf(stderr,
            "# the model without functions: unknowns stand for them\n%s",
            text->s);
    darc_text_clear(text);
}

darc_status darc_check_open(darc_check *c, const darc_options *o, int operand,
                            const darc_budget *budget, darc_err *err)
{
    darc_status status;
    *c = (darc_check){0};
    DARC_TRY(darc_model_read(&c->model, o->operand[operand], err));
    darc_cli_show_rewritten(o, c->model);
    DARC_TRY(darc_session_open(&c->session, c->model, o, budget, err));
    for (int i = operand + 1; i < o->operands; i++)
        DARC_TRY(darc_session_read(c->session, o->operand[i], err));
done:
    return status;
}

darc_status darc_check_run(darc_check *c, const darc_options *o,
                           const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_test test = DARC_STRUCTURE;
    *c = (darc_check){0};
    DARC_TRY(read_operands(&test, o, err));
    DARC_TRY(darc_check_open(c, o, 1, budget, err));
    bool plot = is_plotted(c->session);
    c->session->set.series |= plot;
    DARC_TRY(darc_session_check(c->session, test, err));
    if (plot)
        darc_holding_plot(&c->session->holding,
                          darc_terminal_width(STDOUT_FILENO) - LABEL,
                          darc_terminal_blocks());
done:
    return status;
}

void darc_check_close(darc_check *c)
{
    darc_session_free(c->session);
    darc_model_free(c->model);
}

int darc_cmd_check(const darc_options *o, const darc_budget *budget)
{
    darc_err err = {DARC_OK, ""};
    darc_check c;
    darc_status status;
    darc_verdict verdict = DARC_UNDECIDED;
    const char *csv = darc_option_text(o, DARC_OPT_CSV);
    DARC_TRY(darc_check_run(&c, o, budget, &err));
    if (csv != NULL)
        DARC_TRY(write_series(&c.session->holding, csv, &err));
    DARC_TRY(darc_deliver(c.session, o, &err));
    verdict = darc_session_verdict(c.session);
done:
    darc_check_close(&c);
    return status == DARC_OK ? darc_cli_exit_code(verdict)
                             : darc_cli_fail(&err);
}
