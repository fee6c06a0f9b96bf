/* cmd_check.c - darc check structure|equal|changed; what commands on recordings
 * have in common. */
#include "base/output.h"
#include "commands/job.h"
#include "commands/terminal.h"
#include "data/table.h"
#include "library/result.h"
#include "session/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    const char *method = darc_option_text(o, DARC_OPT_METHOD);
    bool each = darc_option_given(o, DARC_OPT_EACH); /* counted later */
    bool more =
        strcmp(method, "trajectory") == 0 || strcmp(method, "auto") == 0;
    if (each ? o->operands < 3
             : o->operands < 2 + recordings ||
                   (o->operands > 2 + recordings && !more))
        return darc_fail(
            err, DARC_USAGE,
            "check %s takes MODEL and %s (by --method trajectory more), not %d "
            "operands",
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
        }
        if (s != NULL)
            darc_residual_series_done(s, 0, s->count);
    }
    return darc_output_close(out, err);
}

void darc_job_clear(darc_job *job)
{
    darc_session_free(job->session);
    while (job->models > 0)
        darc_model_free(job->model[--job->models]);
}

darc_status darc_job_model(darc_job *job, int operand, darc_err *err)
{
    const darc_options *o = job->o;
    darc_model **model = job->model + job->models;
    DARC_NEED(darc_model_read_as(model, o->operand[operand],
                                 o->command == DARC_CMD_SIMULATE,
                                 darc_option_text(o, DARC_OPT_MEASURED), err));
    job->models++;
    for (int i = 0; i < darc_model_remarks(*model) &&
                    !darc_option_given(o, DARC_OPT_QUIET);
         i++)
        darc_cli_say("%s\n", darc_model_remark(*model, i));
    /* What is found of a model, or made of it, is told of it as it is. */
    if (!darc_option_given(o, DARC_OPT_VERBOSE) ||
        (o->command & (DARC_CMD_IDENTIFY | DARC_CMD_MODEL)) != 0 ||
        !darc_model_is_rewritten(*model))
        return DARC_OK;
    darc_text_t text = DARC_TEXT;
    darc_model_print_rewritten(text, *model);
    darc_output_begins();
    fprintf(stderr,
            "# the model without functions: unknowns stand for them\n%s",
            text->s);
    darc_text_clear(text);
    return DARC_OK;
}

darc_status darc_job_open(darc_job *job, int operand, darc_err *err)
{
    const darc_options *o = job->o;
    DARC_NEED(darc_job_model(job, operand, err));
    DARC_NEED(
        darc_session_open(&job->session, job->model[0], o, job->budget, err));
    while (++operand < o->operands)
        DARC_NEED(darc_session_read(job->session, o->operand[operand], err));
    return DARC_OK;
}

darc_status darc_job_recordings(darc_parts *p, const darc_options *o,
                                darc_err *err)
{
    const char *each = darc_option_text(o, DARC_OPT_EACH);
    for (int i = 0; i < o->operands; i++)
        DARC_NEED(darc_parts_add(p, o->operand[i], each, err));
    return DARC_OK;
}

/* Return whether standard output, a terminal, shows UTF-8. */
static bool shows_blocks(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value == NULL || value[0] == '\0')
            continue;
        return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL;
    }
    return false;
}

darc_status darc_cmd_check(darc_job *job, darc_err *err)
{
    darc_test test = DARC_STRUCTURE;
    const char *csv = darc_option_text(job->o, DARC_OPT_CSV);
    DARC_NEED(read_operands(&test, job->o, err));
    DARC_NEED(darc_job_open(job, 1, err));
    darc_session *s = job->session;
    /* A terminal shows the residual; longer recordings are left out, since the
     * series is kept for it. */
    size_t samples = 0;
    for (int i = 0; i < s->recordings; i++)
        samples += s->table[i]->samples;
    bool plot = isatty(STDOUT_FILENO) == 1 && samples <= MOST_PLOTTED;
    s->set.series |= plot;
    DARC_NEED(darc_session_check(s, test, err));
    if (plot)
        darc_holding_plot(&s->holding,
                          darc_terminal_width(STDOUT_FILENO) - LABEL,
                          shows_blocks());
    if (csv != NULL)
        DARC_NEED(write_series(&s->holding, csv, err));
    job->code = darc_cli_exit_code(darc_session_verdict(s));
    return darc_deliver(s, job->o, err);
}

static const char *text_of(void *found, const char *format, unsigned command)
{
    const unsigned results = DARC_CMD_IDENTIFY | DARC_CMD_PLAN |
                             DARC_CMD_FULFIL | DARC_CMD_COMPARE |
                             DARC_CMD_CREDIBILITY;
    return command == DARC_CMD_DRIFT  ? darc_campaign_text(found, format)
           : (command & results) != 0 ? darc_result_text(found, format)
                                      : darc_session_text(found, format);
}

/* Write each drawing of the text (page/figures.h) to FOLDER/NAME.svg. */
static darc_status write_plots(const char *folder, const char *text,
                               darc_err *err)
{
    static const char id[] = " id=\"";
    darc_text_t name = DARC_TEXT;
    darc_status status = DARC_OK;
    if (*text != '\0' && mkdir(folder, 0777) != 0 && errno != EEXIST)
        return darc_fail(err, DARC_IO, "--svg: %s: %s", folder,
                         strerror(errno));
    for (const char *s = text; *s != '\0' && status == DARC_OK;) {
        const char *next = strstr(s + 1, "<?xml"), *at = strstr(s, id);
        size_t n = next != NULL ? (size_t)(next - s) : strlen(s);
        if (at == NULL)
            break;
        at += sizeof id - 1;
        darc_text_reset(name);
        darc_text_printf(name, "%s/%.*s.svg", folder, (int)strcspn(at, "\""),
                         at);
        status = darc_output_file(name->s, s, n, err);
        s += n;
    }
    darc_text_clear(name);
    return status;
}

darc_status darc_deliver(void *found, const darc_options *o, darc_err *err)
{
    static const struct {
        darc_option_id id;
        unsigned commands; /* whose result has the format */
        const char *format;
    } file[] = {{DARC_OPT_CSV, DARC_CMD_DRIFT, "csv"},
                {DARC_OPT_HTML, ~0u, "html"},
                {DARC_OPT_SVG, ~0u, "svg"},
                {DARC_OPT_JSON, ~0u, "json"}};
    bool silent = false;
    for (int i = 0; i < 4; i++) {
        const char *name = darc_option_text(o, file[i].id);
        if (name == NULL)
            continue;
        bool plots = file[i].id == DARC_OPT_SVG;
        silent |= !plots && strcmp(name, "-") == 0;
        if ((file[i].commands & o->command) == 0)
            continue;
        const char *s = text_of(found, file[i].format, o->command);
        DARC_NEED(plots ? write_plots(name, s, err)
                        : darc_output_file(name, s, strlen(s), err));
    }
    return silent
               ? DARC_OK
               : darc_terminal_print(text_of(found, "text", o->command), err);
}
