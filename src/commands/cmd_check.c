/* cmd_check.c - darc check structure|equal|changed; what commands on recordings
 * have in common. */
#include "base/output.h"
#include "cli/terminal.h"
#include "commands/check.h"
#include "darc.h"
#include "data/table.h"
#include "session/state.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LABEL 14 /* columns left of the plot */

/* Samples up to which a terminal shows the residual: its series is kept for
 * that, 32 bytes a sample. */
#define MOST_PLOTTED 1000000

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
    darc_output *out;
    DARC_NEED(darc_csvout_open(&out, file, 5, name, unit, err));
    for (int i = 0; i < h->count; i++) {
        const darc_residual_series *s = h->report[i].series;
        for (size_t k = 0; s != NULL && k < s->count; k++) {
            double row[] = {i + 1, s->time[k], s->value[k], s->bar[k],
                            s->margin[k]};
            darc_csvout_row(out, 5, row);
            if ((k + 1) % DONE == 0)
                darc_residual_series_done(s, k + 1 - DONE, k + 1);
        }
        if (s != NULL)
            darc_residual_series_done(s, 0, s->count);
    }
    return darc_output_close(out, err);
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
    /* A terminal shows the residual; longer recordings are left out, since the
     * series is kept for it. */
    size_t samples = 0;
    for (int i = 0; i < c->session->recordings; i++)
        samples += c->session->table[i]->samples;
    bool plot = darc_terminal_is() && samples <= MOST_PLOTTED;
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

static const char *text_of(void *found, const char *format, unsigned command)
{
    switch (command) {
    case DARC_CMD_IDENTIFY:
        return darc_identified_text(found, format);
    case DARC_CMD_PLAN:
        return darc_planned_text(found, format);
    case DARC_CMD_FULFIL:
        return darc_fulfilled_text(found, format);
    case DARC_CMD_DRIFT:
        return darc_campaign_text(found, format);
    case DARC_CMD_COMPARE:
        return darc_agreement_text(found, format);
    case DARC_CMD_CREDIBILITY:
        return darc_credibility_text(found, format);
    default:
        return darc_session_text(found, format);
    }
}

darc_status darc_deliver(void *found, const darc_options *o, darc_err *err)
{
    static const struct {
        darc_option_id id;
        unsigned commands; /* whose result has the format */
        const char *format;
    } file[] = {{DARC_OPT_CSV, DARC_CMD_DRIFT, "csv"},
                {DARC_OPT_HTML, ~0u, "html"},
                {DARC_OPT_JSON, ~0u, "json"}};
    bool silent = false;
    for (int i = 0; i < 3; i++) {
        const char *name = darc_option_text(o, file[i].id);
        if (name == NULL)
            continue;
        silent |= strcmp(name, "-") == 0;
        if ((file[i].commands & o->command) == 0)
            continue;
        const char *s = text_of(found, file[i].format, o->command);
        DARC_NEED(darc_output_file(name, s, strlen(s), err));
    }
    return silent
               ? DARC_OK
               : darc_terminal_print(text_of(found, "text", o->command), err);
}
