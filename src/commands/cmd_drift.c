/* cmd_drift.c - darc drift: a campaign of recordings. */
#include "archive/archive.h"
#include "base/mem.h"
#include "cli/terminal.h"
#include "commands/command.h"
#include "commands/recordings.h"
#include "commands/results.h"
#include "report/campaign.h"

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
    DARC_NEED(darc_table_load(&data->table, c->file[i], &s->set.load, err));
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
    darc_status status;
    darc_page page;
    darc_text_t text;
    darc_text_init(text);
    darc_campaign_csv(text, c);
    DARC_TRY(darc_results_write(text, o, DARC_OPT_CSV, err));
    darc_campaign_json(text, c);
    DARC_TRY(darc_results_write(text, o, DARC_OPT_JSON, err));
    if (darc_results_page(&page, o)) {
        darc_page_campaign(text, c, &page);
        DARC_TRY(darc_results_html(text, &page, o, err));
    }
    if (darc_results_take_stdout(o))
        goto done;
    darc_campaign_print(text, c, darc_option_given(o, DARC_OPT_QUIET));
    darc_terminal_print(text);
done:
    darc_text_clear(text);
    return status;
}

static darc_status hold_campaign(int *code, context *c, const darc_options *o,
                                 int files, int reference, darc_err *err)
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
    *code = darc_cli_exit_code(darc_campaign_verdict(&c->campaign));
    status = write_campaign(&c->campaign, o, err);
done:
    for (int e = 0; e < equations; e++)
        darc_drift_clear(&drift[e]);
    darc_free(drift);
    return status;
}

/* The same with the recordings of a database before and among the files. */
static darc_status hold_archive(int *code, context *c, const darc_options *o,
                                int files, int reference, darc_err *err)
{
    darc_archive a;
    darc_status status;
    const char **all = NULL;
    DARC_NEED(darc_archive_open(&a, darc_option_text(o, DARC_OPT_DB),
                                c->session, err));
    DARC_TRY(darc_archive_arrange(&a, c->file, files, reference, err));
    all = darc_calloc((size_t)a.entries, sizeof *all);
    for (int i = 0; i < a.entries; i++)
        all[i] = a.entry[i].file;
    c->file = all;
    c->archive = &a;
    status = hold_campaign(code, c, o, a.entries, a.reference, err);
done:
    darc_archive_close(&a);
    darc_free((void *)all);
    return status;
}

darc_status darc_cmd_drift(int *code, const darc_options *o,
                           const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_run run = {0};
    int files, reference;
    bool kept = darc_option_given(o, DARC_OPT_DB);
    const char **file = list_files(&files, &reference, o);
    if (o->operands <= 2 && !kept)
        DARC_TRY(darc_fail(err, DARC_USAGE,
                           "drift takes MODEL and two recordings or more; "
                           "usage: darc drift MODEL DATA DATA... [OPTIONS]"));
    DARC_TRY(darc_run_open(&run, o->operand[0], o, budget, err));
    context c = {.file = file, .session = run.session};
    status = kept ? hold_archive(code, &c, o, files, reference, err)
                  : hold_campaign(code, &c, o, files,
                                  reference < 0 ? 0 : reference, err);
done:
    darc_run_close(&run);
    darc_free((void *)file);
    return status;
}
