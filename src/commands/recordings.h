/* recordings.h - what every command that holds a model against recordings
 * prepares: model and settings from the command line, a session on them.
 */
#ifndef DARC_COMMANDS_RECORDINGS_H
#define DARC_COMMANDS_RECORDINGS_H

#include "cli/options.h"
#include "session/state.h"

typedef struct {
    darc_model *model;
    darc_session *session;
    darc_session_settings
        set; /* points into what follows, and the command line */
    darc_pairs maps, scales, noises;
    double *factor, *sd; /* of scales, noises; owned */
} darc_run;

/* Read the model, set the session from the command line.
 * Fails: DARC_USAGE when --map, --scale, --noise or --changed name what the
 * model lacks, a value is no number, or --from lies behind --to; as
 * darc_model_read and darc_session_new. */
DARC_CHECKED darc_status darc_run_open(darc_run *run, const char *model_file,
                                       const darc_options *o,
                                       const darc_budget *budget,
                                       darc_err *err);
/* Set only what loading recordings needs, without a model.
 * Fails: DARC_USAGE as above. */
DARC_CHECKED darc_status darc_run_load(darc_run *run, const darc_options *o,
                                       darc_err *err);
void darc_run_close(darc_run *run);

/* Return how many bytes of a recording stay in memory: a quarter of --memory,
 * at most DARC_TABLE_MEMORY. */
size_t darc_recordings_memory(const darc_options *o);

#endif
