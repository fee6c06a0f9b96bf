/* cmd_drift.c - darc drift: a campaign of recordings. */
#include "cli/terminal.h"
#include "commands/recordings.h"
#include "commands/settings.h"
#include "session/signals.h"

#include "archive/archive.h"
#include "base/mem.h"
#include "base/output.h"
#include "report/campaign.h"

#include <stdio.h>
#include <string.h>

/* What the callbacks of a campaign need; several threads read it. */
typedef struct {
    const char *const *file;
    darc_session *session;
    darc_archive *archive;  /* NULL: none */
    darc_campaign campaign; /* for what is known so far */
} context;

static darc_status load_one(void *user, int i, darc_drift_data *data,
                            darc_err *err)
{
    const context *c = user;
    const darc_session *s = c->session;
    darc_archive *a = c->archive;
    if (a != NULL && a->entry[i].known)
        return a->entry[i].damage == NULL
                   ? darc_archive_fits(a, i, data->fit, err)
                   : darc_fail(err, DARC_DATA, "%s", a->entry[i].damage);
    size_t names = (size_t)darc_model_names(s->model)->count;
    darc_status status =
        darc_table_load(&data->table, c->file[i], &s->set.load, err);
    if (status != DARC_OK)
        return status;
    data->noise_sd = darc_calloc(names, sizeof *data->noise_sd);
    data->derived_error = darc_calloc(names, sizeof *data->derived_error);
    return darc_session_complete(s, data->table, data->noise_sd,
                                 data->derived_error, err);
}

static darc_status keep_one(void *user, int i, const darc_drift_fit *fit,
                            const char *damage, darc_err *err)
{
    const context *c = user;
    return darc_archive_keep(c->archive, i, fit, damage, err);
}

static void show_so_far(void *user, const darc_drift *drift)
{
    context *c = user;
    darc_text_t text;
    darc_text_init(text);
    c->campaign.drift = drift;
    darc_campaign_print(text, &c->campaign, false);
    darc_budget_partial(c->session->budget, text->s);
    darc_text_clear(text);
}

/* List the files, the baseline first if it stands apart; set *reference, -1
 * where none is named. */
static const char **list_files(int *files, int *reference,
                               const darc_options *o)
{
    const char *baseline = darc_option_text(o, DARC_OPT_BASELINE);
    const char **file = darc_calloc((size_t)o->operands, sizeof *file);
    *files = o->operands - 1;
    memcpy(file, o->operand + 1, (size_t)*files * sizeof *file);
    *reference = -1;
    for (int i = 0; baseline != NULL && i < *files && *reference < 0; i++)
        if (strcmp(file[i], baseline) == 0)
            *reference = i;
    if (*reference >= 0 || baseline == NULL)
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

static darc_status hold_campaign(darc_verdict *verdict, context *c,
                                 const darc_options *o, int files,
                                 int reference, darc_err *err)
{
    darc_status status;
    darc_session *s = c->session;
    int equations = s->io->count;
    darc_drift *drift = darc_calloc((size_t)equations, sizeof *drift);
    c->campaign = (darc_campaign){
        o->command_line, s->model, files,    c->file,
        equations,       NULL,     s->notes, (const char *const *)s->note};
    darc_drift_source source = {.recordings = files,
                                .reference = reference,
                                .threads = darc_session_threads(s),
                                .user = c,
                                .load = load_one,
                                .keep = c->archive != NULL ? keep_one : NULL,
                                .so_far = show_so_far};
    darc_weakcheck_options w;
    darc_session_decide(&w, s, 1);
    w.threads = source.threads / files; /* recordings come first */
    DARC_TRY(
        darc_drift_run(drift, s->model, s->io, &source, &w, s->budget, err));
    if (c->archive != NULL)
        DARC_TRY(darc_archive_settle(c->archive, err));
    c->campaign.drift = drift;
    *verdict = darc_campaign_verdict(&c->campaign);
    status = write_campaign(&c->campaign, o, err);
done:
    for (int e = 0; e < equations; e++)
        darc_drift_clear(&drift[e]);
    darc_free(drift);
    return status;
}

/* The same with the recordings of a database before and among the files. */
static darc_status hold_archive(darc_verdict *verdict, context *c,
                                const darc_options *o, int files, int reference,
                                darc_err *err)
{
    darc_archive a;
    const char **all = NULL;
    darc_status status = darc_archive_open(&a, darc_option_text(o, DARC_OPT_DB),
                                           c->session, err);
    if (status != DARC_OK)
        return status;
    DARC_TRY(darc_archive_arrange(&a, c->file, files, reference, err));
    all = darc_calloc((size_t)a.entries, sizeof *all);
    for (int i = 0; i < a.entries; i++)
        all[i] = a.entry[i].file;
    c->file = all;
    c->archive = &a;
    status = hold_campaign(verdict, c, o, a.entries, a.reference, err);
done:
    darc_archive_close(&a);
    darc_free((void *)all);
    return status;
}

static darc_status check_operands(const darc_options *o, darc_err *err)
{
    return o->operands > 2 || darc_option_given(o, DARC_OPT_DB)
               ? DARC_OK
               : darc_fail(err, DARC_USAGE,
                           "drift takes MODEL and two recordings or more; "
                           "usage: darc drift MODEL DATA DATA... [OPTIONS]");
}

int darc_cmd_drift(const darc_options *o, const darc_budget *budget)
{
    darc_err err;
    darc_err_init(&err);
    darc_verdict verdict = DARC_UNDECIDED;
    darc_run run = {0};
    int files, reference;
    const char **file = list_files(&files, &reference, o);
    darc_status status = check_operands(o, &err);
    if (status == DARC_OK)
        status = darc_run_open(&run, o->operand[0], o, budget, &err);
    context c = {.file = file, .session = run.session};
    if (status == DARC_OK)
        status = darc_option_given(o, DARC_OPT_DB)
                     ? hold_archive(&verdict, &c, o, files, reference, &err)
                     : hold_campaign(&verdict, &c, o, files,
                                     reference < 0 ? 0 : reference, &err);
    darc_run_close(&run);
    darc_free((void *)file);
    return status == DARC_OK ? darc_cli_exit_code(verdict)
                             : darc_cli_fail(&err);
}
