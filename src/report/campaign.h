/* campaign.h - the record of a campaign (darc/drift.h), and its writers. */
#pragma once

#include "base/carrier.h"
#include "base/text.h"
#include "darc/drift.h"
#include "diagnose/drift.h"

/* Set c, whose head, notes and number of relations stand there, from the drift
 * over the files and their groups (or NULL); all must stay.  Release
 * it with darc_campaign_clear, which leaves the head. */
void darc_campaign_set(darc_campaign *c, const darc_drift *drift,
                       const char *const *file, const char *const *group);
void darc_campaign_clear(darc_campaign *c);

/* Carry all that it points to but its head. */
void darc_carry_campaign(darc_carrier *c, darc_campaign *x);

/* Set the verdict of c by its recordings, and what was found. */
void darc_campaign_judge(darc_campaign *c);

/* Append the answer: "b/J moves by +4.04 % from run18.csv on; 2 of 9 recordings
 * differ from the baseline; 1 could not be used". */
void darc_campaign_say(darc_text_t out, const darc_campaign *c);

/* Append the campaign as JSON; as a table, a recording a line; as CSV, a
 * recording and a function a row. */
void darc_campaign_json(darc_text_t out, const darc_campaign *c);
void darc_campaign_print(darc_text_t out, const darc_campaign *c, bool quiet,
                         bool verbose);
void darc_campaign_csv(darc_text_t out, const darc_campaign *c);
