/* campaign.h - the report of a campaign: when did which parameter move. */
#ifndef DARC_REPORT_CAMPAIGN_H
#define DARC_REPORT_CAMPAIGN_H

#include "base/text.h"
#include "diagnose/drift.h"

/* What the writers need; nothing is owned. */
typedef struct {
    const char *command_line;
    const darc_model *model;
    int files; /* in order of time */
    const char *const *file;
    int equations;           /* one campaign per io-equation */
    const darc_drift *drift; /* of each, all with the same recordings */
    int notes;
    const char *const *note;
} darc_campaign;

/* Return the verdict on recording i over all equations: inconsistent if a
 * parameter differs from the reference, undecided if that cannot be told or
 * the file is damaged. */
darc_verdict darc_campaign_of(const darc_campaign *c, int i);

/* Return the verdict on the campaign: the worst of its recordings. */
darc_verdict darc_campaign_verdict(const darc_campaign *c);

/* Append the campaign as JSON; as a table, a recording a line; as CSV, a
 * recording and a function a row. */
void darc_campaign_json(darc_text_t out, const darc_campaign *c);
void darc_campaign_print(darc_text_t out, const darc_campaign *c, bool quiet);
void darc_campaign_csv(darc_text_t out, const darc_campaign *c);

#endif
