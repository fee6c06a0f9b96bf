/* cmd_drift.c - darc drift: a campaign of recordings. */
#include "cli/recordings.h"
#include "cli/settings.h"
#include "cli/terminal.h"

#include "base/mem.h"
#include "darc/campaign.h"
#include "darc/derive.h"
#include "darc/output.h"

#include <stdio.h>
#include <string.h>

/* What loading a recording needs; read by several threads. */
typedef struct {
    const char *const *file;
    const darc_model *model;
    const bool *needed;
    const darc_load_options *load;
} loader;

static darc_status load_one(void *user, int i, darc_table **table,
                            darc_err *err)
{
    const loader *l = user;
    darc_status status = darc_table_load(table, l->file[i], l->load, err);
    if (status != DARC_OK)
        return status;
    status = darc_derive(*table, NULL, l->model, l->needed, err);
    if (status != DARC_OK) {
        darc_table_free(*table);
        *table = NULL;
    }
    return status;
}

/* List the files, the baseline first if it stands apart; set *reference. */
static const char **list_files(int *files, int *reference,
                               const darc_options *o)
{
    const char *baseline = darc_option_text(o, DARC_OPT_BASELINE);
    const char **file = darc_calloc((size_t)o->operands, sizeof *file);
    *files = o->operands - 1;
    memcpy(file, o->operand + 1, (size_t)*files * sizeof *file);
    *reference = baseline == NULL ? 0 : -1;
    for (int i = 0; i < *files && *reference < 0; i++)
        if (strcmp(file[i], baseline) == 0)
            *reference = i;
    if (*reference >= 0)
        return file;
    memmove(file + 1, file, (size_t)*files * sizeof *file);
    file[0] = baseline;
    *reference = 0;
    ++*files;
    return file;
}

static darc_status write_campaign(const darc_campaign *c, const darc_options *o,
                                  darc_err *err)
{
    darc_status status = DARC_OK;
    darc_text_t text;
    darc_text_init(text);
    const char *json = darc_option_text(o, DARC_OPT_JSON);
    const char *csv = darc_option_text(o, DARC_OPT_CSV);
    bool silent = false;
    if (csv != NULL) {
        darc_campaign_csv(text, c);
        silent = strcmp(csv, "-") == 0;
        DARC_TRY(darc_output_file(csv, text->s, text->len, err));
        darc_text_reset(text);
    }
    if (json != NULL) {
        darc_campaign_json(text, c);
        silent = silent || strcmp(json, "-") == 0;
        DARC_TRY(darc_output_file(json, text->s, text->len, err));
        darc_text_reset(text);
    }
    if (darc_option_given(o, DARC_OPT_HTML)) {
        darc_page page;
        darc_settings_page(&page, o);
        darc_page_campaign(text, c, &page);
        darc_settings_clear(&page);
        silent = silent || darc_settings_is_stdout(o, DARC_OPT_HTML);
        DARC_TRY(darc_settings_write(text->s, text->len, o, err));
        darc_text_reset(text);
    }
    if (silent)
        goto done;
    darc_campaign_print(text, c, darc_option_given(o, DARC_OPT_QUIET));
    darc_terminal_print(text);
done:
    darc_text_clear(text);
    return status;
}

/* Run one campaign an io-equation, each at alpha over their number. */
static darc_status run_all(darc_drift *drift, int *done_equations,
                           darc_session *s, loader *l, int files, int reference,
                           darc_err *err)
{
    darc_status status = DARC_OK;
    darc_weakcheck_options w;
    darc_session_decide(&w, s, s->io->count);
    for (int e = 0; e < s->io->count; e++) {
        DARC_TRY(darc_drift_run(&drift[e], s->model, s->io, e, files, reference,
                                load_one, l, &w, darc_session_threads(s),
                                s->budget, err));
        ++*done_equations;
    }
done:
    return status;
}

static darc_status hold_campaign(darc_verdict *verdict, darc_session *s,
                                 const darc_options *o, const char *const *file,
                                 int files, int reference, darc_err *err)
{
    darc_status status;
    darc_drift *drift = darc_calloc((size_t)s->io->count, sizeof *drift);
    int equations = 0;
    loader l = {file, s->model, s->needed, &s->set.load};
    DARC_TRY(run_all(drift, &equations, s, &l, files, reference, err));
    darc_campaign c = {
        o->command_line, s->model, files,    file,
        equations,       drift,    s->notes, (const char *const *)s->note};
    *verdict = darc_campaign_verdict(&c);
    status = write_campaign(&c, o, err);
done:
    for (int e = 0; e < equations; e++)
        darc_drift_clear(&drift[e]);
    darc_free(drift);
    return status;
}

int darc_cmd_drift(const darc_options *o, const darc_budget *budget)
{
    darc_err err;
    darc_err_init(&err);
    darc_verdict verdict = DARC_UNDECIDED;
    darc_run run = {0};
    int files, reference;
    const char **file = list_files(&files, &reference, o);
    darc_status status = darc_run_open(&run, o->operand[0], o, budget, &err);
    if (status == DARC_OK)
        status = darc_session_read(run.session, file[reference], &err);
    if (status == DARC_OK)
        status = hold_campaign(&verdict, run.session, o, file, files, reference,
                               &err);
    darc_run_close(&run);
    darc_free((void *)file);
    return status == DARC_OK ? darc_cli_exit_code(verdict)
                             : darc_cli_fail(&err);
}
