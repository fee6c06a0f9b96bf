/* cmd_drift.c - darc drift: a campaign of recordings. */
#include "archive/archive.h"
#include "commands/job.h"
#include "darc/drift.h"
#include "data/listing.h"
#include "library/recording.h"

#include <string.h>

/* The recordings, and the baseline where it is not one of them. */
static int count_recordings(const darc_listing *files, const darc_options *o)
{
    const char *baseline = darc_option_text(o, DARC_OPT_BASELINE);
    bool among = baseline == NULL;
    for (int i = 0; i < files->files && !among; i++)
        among = strcmp(files->file[i], baseline) == 0;
    return files->files + (files->files > 0 && !among);
}

static darc_status hold_campaign(darc_campaign **c, const darc_model *model,
                                 const darc_options *o,
                                 const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_listing files = {.files = 0};
    DARC_NEED(darc_campaign_open(c, model, o, budget, err));
    if (darc_fleet_fits()) {
        darc_campaign_fit(*c);
        return DARC_OK;
    }
    for (int i = 1; i < o->operands; i++) /* files, folders, patterns */
        DARC_TRY(darc_listing_collect(&files, o->operand[i], err));
    for (int i = 0; i < files.passed; i++)
        darc_cli_say("darc: %s: passed over: no rows of numbers, or a table of "
                     "recordings; name it to have it read\n",
                     files.over[i]);
    if (count_recordings(&files, o) < 2 && !darc_option_given(o, DARC_OPT_DB) &&
        !darc_option_given(o, DARC_OPT_LIST) &&
        !(darc_option_given(o, DARC_OPT_EACH) && files.files > 0))
        DARC_TRY(darc_fail(err, DARC_USAGE,
                           "drift takes MODEL and two recordings or more, "
                           "counting that of --baseline; usage: darc drift "
                           "MODEL DATA DATA... [OPTIONS]"));
    for (int i = 0; i < files.files; i++)
        darc_campaign_read(*c, files.file[i]);
    darc_fleet *fleet = darc_fleet_open();
    darc_campaign_deal(*c, fleet);
    status = darc_campaign_run(*c, err);
    darc_fleet_close(fleet);
done:
    darc_listing_clear(&files);
    return status;
}

/* Say which recordings a fault kept from being read; return the first. */
static darc_status say_faults(const darc_campaign *c, darc_err *err)
{
    for (int i = 0; i < c->recordings; i++) {
        const darc_campaign_recording *r = &c->recording[i];
        if (r->fault == DARC_OK)
            continue;
        if (err->status != DARC_OK)
            darc_cli_say("darc: %s\n", err->message);
        darc_err_init(err);
        darc_fail(err, r->fault, "%s: not read: %s", r->file, r->damage);
    }
    return err->status;
}

static darc_status merge(const darc_options *o, darc_err *err)
{
    const char *out = darc_option_text(o, DARC_OPT_MERGED);
    if (darc_fleet_fits()) /* the dealer does it */
        return DARC_OK;
    return out != NULL
               ? darc_archive_merge(out, o->operand, o->operands, err)
               : darc_fail(err, DARC_USAGE,
                           "--merge makes a database: name it, -o OUT.sqlite");
}

darc_status darc_cmd_drift(darc_job *job, darc_err *err)
{
    darc_campaign *c = NULL;
    darc_status status;
    if (darc_option_given(job->o, DARC_OPT_MERGE))
        return merge(job->o, err);
    DARC_NEED(darc_job_model(job, 0, err));
    DARC_TRY(hold_campaign(&c, job->model[0], job->o, job->budget, err));
    if (!darc_fleet_fits())
        DARC_TRY(darc_deliver(c, job->o, err));
    job->code = darc_cli_exit_code(c->verdict);
    status = say_faults(c, err);
done:
    darc_campaign_free(c);
    return status;
}
