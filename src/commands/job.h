/* job.h - a command on its way: what it works on, and what commands on models
 * and recordings have in common.
 */
#pragma once

#include "commands/arguments.h"
#include "darc/session.h"
#include "data/part.h"

typedef struct {
    const darc_options *o;
    const darc_budget *budget;
    int models;
    darc_model *model[2];  /* that operands name; owned */
    darc_session *session; /* on the first; owned; NULL: none */
    int code;              /* of exit, unless the command fails */
} darc_job;

void darc_job_clear(darc_job *job);

/* A command prints its results, and sets the exit code where it is not 0. */
typedef darc_status darc_command_fn(darc_job *job, darc_err *err);

darc_command_fn darc_cmd_eliminate, darc_cmd_identify, darc_cmd_check,
    darc_cmd_values, darc_cmd_monitor, darc_cmd_plan, darc_cmd_isolate,
    darc_cmd_drift, darc_cmd_simulate, darc_cmd_compare, darc_cmd_credibility,
    darc_cmd_data, darc_cmd_model, darc_cmd_fulfil, darc_cmd_demo;

/* Append the model that the operand names; with --verbose show it on standard
 * error, if it was rewritten. */
DARC_STATUS darc_job_model(darc_job *job, int operand, darc_err *err);

/* The same, and open a session on it with the recordings of the operands behind
 * it. */
DARC_STATUS darc_job_open(darc_job *job, int operand, darc_err *err);

/* Append the recordings of the operands from the first on, by --each.
 * Fails: as darc_parts_add. */
DARC_STATUS darc_job_recordings(darc_parts *p, const darc_options *o,
                                darc_err *err);

/* Write the files that the options ask for, from what the command found (a
 * session, a campaign, ...), and print its text unless standard output is one
 * of them.
 * Fails: DARC_IO. */
DARC_STATUS darc_deliver(void *found, const darc_options *o, darc_err *err);
