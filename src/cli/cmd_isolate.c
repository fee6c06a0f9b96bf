/* cmd_isolate.c - darc isolate: which parameter changed. */
#include "cli/recordings.h"

#include "darc/isolation.h"
#include "darc/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void fill_data(darc_report_data *data, const darc_session *s)
{
    for (int i = 0; i < s->recordings; i++) {
        const darc_table *t = s->table[i];
        data[i] = (darc_report_data){t->file, t->samples,
                                     t->dt > 0 ? 1 / t->dt : NAN, t->samples};
    }
}

static darc_status write_isolation(const darc_session *s, const darc_options *o,
                                   const darc_isolate *result, darc_err *err)
{
    darc_report_data data[2];
    fill_data(data, s);
    darc_isolation r = {
        o->command_line, s->model, data,
        result,          s->notes, (const char *const *)s->note};
    darc_status status = DARC_OK;
    darc_text_t text;
    darc_text_init(text);
    const char *json = darc_option_text(o, DARC_OPT_JSON);
    bool only_json = json != NULL && strcmp(json, "-") == 0;
    if (json != NULL) {
        darc_isolation_json(text, &r);
        status = darc_output_file(json, text->s, text->len, err);
        darc_text_reset(text);
    }
    if (!only_json && status == DARC_OK) {
        darc_isolation_print(text, &r, darc_option_given(o, DARC_OPT_QUIET));
        fwrite(text->s, 1, text->len, stdout);
    }
    darc_text_clear(text);
    return status;
}

static darc_status isolate(darc_verdict *verdict, const darc_options *o,
                           const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_run run = {0};
    darc_isolate result;
    bool has_result = false;
    darc_weakcheck_options w;
    if (strcmp(darc_option_text(o, DARC_OPT_METHOD), "pointwise") == 0)
        return darc_fail(err, DARC_USAGE,
                         "isolate compares estimates and needs the weak "
                         "method; check changed --method pointwise tests one "
                         "set of parameters");
    DARC_TRY(darc_run_open(&run, o->operand[0], o, budget, err));
    darc_session *s = run.session;
    for (int i = 1; i <= 2; i++)
        DARC_TRY(darc_session_read(s, o->operand[i], err));
    darc_weakcheck_options_init(&w);
    w.alpha = darc_option_real(o, DARC_OPT_ALPHA);
    w.tolerance = darc_session_tolerance(s);
    w.noise_sd = s->noise;
    DARC_TRY(darc_isolate_run(&result, s->model, s->io, s->table[0],
                              s->table[1], &w, 0, budget, err));
    has_result = true;
    *verdict = darc_isolation_verdict(&result);
    status = write_isolation(s, o, &result, err);
done:
    if (has_result)
        darc_isolate_clear(&result);
    darc_run_close(&run);
    return status;
}

int darc_cmd_isolate(const darc_options *o, const darc_budget *budget)
{
    darc_err err;
    darc_err_init(&err);
    darc_verdict verdict = DARC_UNDECIDED;
    if (isolate(&verdict, o, budget, &err) != DARC_OK)
        return darc_cli_fail(&err);
    return darc_cli_exit_code(verdict);
}
