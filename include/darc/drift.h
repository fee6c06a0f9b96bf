/* drift.h - a campaign: when did which parameter move.
 *
 *     darc_campaign_open(&c, model, options, NULL, &err);
 *     darc_campaign_read(c, "monday.csv");
 *     darc_campaign_read(c, "tuesday.csv");
 *     darc_campaign_run(c, &err);
 *     puts(darc_campaign_text(c, "text"));
 *     darc_campaign_free(c);
 *
 * With the option "db" fits of recordings are kept in an SQLite database, and
 * those that are there already take part.
 */
#ifndef DARC_DRIFT_H
#define DARC_DRIFT_H

#include "darc/budget.h"
#include "darc/model.h"
#include "darc/options.h"
#include "darc/recording.h"
#include "darc/report.h"

DARC_BEGIN_DECLS

typedef struct {
    const char *file;
    const char *damage;     /* why it could not be used; NULL */
    darc_status fault;      /* DARC_IO, DARC_LIMIT, ...: a fault that passes (a
                               disk, memory) kept it from being read; DARC_OK */
    bool pending;           /* not looked at yet, in a partial result */
    darc_verdict verdict;   /* parameters equal to the baseline's */
    darc_verdict structure; /* the equations can produce it */
    double p_value;         /* of the verdict, after Holm where the campaign is
                               constant;         NAN: the baseline */
    const darc_change *change; /* of each function, less what covariates made;
                                  NULL: damaged, pending */
} darc_campaign_recording;

typedef struct {
    int function;    /* that moves */
    int recording;   /* the first one after the change */
    double relative; /* change of the mean, over the mean before */
    double sd;
} darc_change_point;

/* A function that goes along a line. */
typedef struct {
    int function;
    double per_recording; /* change from one to the next, over the value
                             before */
    double sd;
} darc_trend;

/* What goes with a covariate, beside all changes. */
typedef struct {
    int function;
    int covariate;
    double relative; /* change a unit of the covariate, over the value; NAN:
                        the recordings do not tell */
    double sd;
    int baseline; /* that of the recordings it is of */
} darc_covariate_slope;

/* What is a change, or the doing of covariates: it cannot be told. */
typedef struct {
    int function;
    int recording;   /* the first one after the change; -1: it is a trend */
    double relative; /* as in a point or trend, had covariates no effect */
    double sd;
    int baseline; /* that of the recordings it is of */
} darc_change_doubt;

/* The campaign; made by the library, more lies behind it: never copy it.
 * Empty until darc_campaign_run. */
typedef struct {
    const char *command_line; /* of the program; "" from the library */
    const char *model_name, *model_file;
    int recordings; /* in order of time */
    const darc_campaign_recording *recording;
    int baseline; /* index of it */
    int functions;
    const char *const *function; /* "c/m" */
    const int *relation;         /* of each function: io-equation 0, 1, ... */
    int relations;
    int points; /* of change, by function, then recording */
    const darc_change_point *point;
    int trends; /* by function */
    const darc_trend *trend;
    darc_verdict verdict; /* the worst of the recordings; inconsistent where
                             points or trends are found, undecided where else
                             all agree but for doubts */
    int notes;
    const char *const *note;
    const bool *detail;        /* of each note: of interest to experts */
    const int *held_against;   /* by recording: its baseline */
    const int *trend_baseline; /* by trend: that of the recordings it is of */
    const char *group_column;  /* option "group"; NULL: all are one group */
    const char *const *group;  /* by recording: what the column says; "":
                                  nothing;  NULL without a column */
    int covariates;            /* option "covariate" */
    const char *const *covariate; /* their columns */
    int slopes;                   /* by group, function, covariate */
    const darc_covariate_slope *slope;
    int doubts;
    const darc_change_doubt *doubt;
} darc_campaign;

/* Set *c to a campaign without recordings; options of "drift" (NULL: the
 * defaults).  As darc_session_open otherwise. */
DARC_CHECKED darc_status darc_campaign_open(darc_campaign **c,
                                            const darc_model *model,
                                            const darc_options *options,
                                            const darc_budget *budget,
                                            darc_err *err);
void darc_campaign_free(darc_campaign *c);

/* Add a recording behind the others: a file, which darc_campaign_run reads; one
 * in memory, which must stay until then and has no place in a database.  Where
 * memory lacks, here and in darc_campaign_tell, darc_campaign_run fails. */
void darc_campaign_read(darc_campaign *c, const char *file);
void darc_campaign_add(darc_campaign *c, const darc_recording *recording);

/* Tell of the recording added last what a column of a list would: a group, a
 * covariate ("20.5"). */
void darc_campaign_tell(darc_campaign *c, const char *column,
                        const char *value);

/* Hold the recordings against the baseline (option "baseline": a file, which
 * need not be among them; else the first, or that of the database).  What
 * cannot be used does not stop the campaign; a database keeps that it is
 * damaged only where its bytes prove it.  Recordings are fitted on "threads"
 * threads; the result does not depend on their number.
 * Fails: DARC_DATA when the baseline is damaged, there is no recording, or the
 * database is not darc's; DARC_USAGE for standard input or memory with a
 * database; DARC_IO when it cannot be written; DARC_LIMIT on a spent budget, or
 * for lack of memory: the work is done in a child (apart.h). */
DARC_CHECKED darc_status darc_campaign_run(darc_campaign *c, darc_err *err);

/* Return the result as "text", "json", "csv", "html" or "svg", NULL for another
 * format, or for lack of memory, "" before darc_campaign_run; valid until the
 * next call. */
const char *darc_campaign_text(darc_campaign *c, const char *format);

DARC_END_DECLS

#endif
