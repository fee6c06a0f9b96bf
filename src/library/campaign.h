/* campaign.h - a campaign behind what darc/drift.h shows of it. */
#pragma once

#include "archive/archive.h"
#include "data/listing.h"
#include "diagnose/drift.h"
#include "session/state.h"

/* A campaign, its session and what runs need; several threads read it. */
typedef struct {
    darc_campaign shown; /* first: what the caller sees */
    darc_session *session;
    darc_archive archive;
    bool archived;       /* there is one */
    darc_listing files;  /* in order of time; held: recordings
                            in memory */
    bool read;           /* those of the option "list" are there */
    int parted;          /* files in front that are no long tables any more */
    const char **listed; /* with those of the archive; owned */
    int count;           /* of those listed */
    char **group;        /* of those listed; NULL: not asked for; owned */
    int groups, *of;     /* their number; the group of each; owned */
    darc_pairs columns;  /* the covariates */
    double *covariate;   /* of those listed; NAN: not told; owned */
    int reference;
    bool compared; /* the run has come to its end */
    bool drifted;  /* here: */
    darc_drift drift;
    char *told; /* by a child; NULL */
    bool lacks; /* recordings, for want of memory */
    darc_text_t text;
    darc_fleet *fleet; /* that fits; NULL: this process */
} campaign;

/* Find the group, and the covariates, of each of n recordings.
 * Fails: DARC_USAGE, DARC_DATA by what the lists tell, or do not. */
DARC_STATUS darc_campaign_groups(campaign *c, int n, darc_err *err);
DARC_STATUS darc_campaign_covariates(campaign *c, int n, darc_err *err);

/* Note which covariates tell nothing, and where one hides changes most. */
void darc_campaign_note(darc_session *s, const darc_campaign *c,
                        const darc_drift *d);

/* Set c->drift by the method that is asked for; `auto` takes trajectories where
 * the weak form does not apply to recordings that all are short.
 * Fails: DARC_USAGE for trajectories with a database or a fleet; as
 * darc_drift_run, darc_drift_trajectory. */
DARC_STATUS darc_campaign_follow(campaign *c, const darc_question *x,
                                 const darc_drift_source *source,
                                 darc_err *err);
