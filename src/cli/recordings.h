/* recordings.h - loads the recordings of a command as its options say. */
#ifndef DARC_CLI_RECORDINGS_H
#define DARC_CLI_RECORDINGS_H

#include "cli/options.h"
#include "darc/names.h"
#include "darc/table.h"

/* Load options made from the command line; opaque pairs kept alive. */
typedef struct {
    darc_load_options load;
    darc_pairs maps, scales;
    double *factor;    /* of scale i; owned */
    const char **want; /* names of the signals needed; owned */
} darc_recording_options;

/* Set r from the command line; needed[u] says whether unknown u of names is
 * to be read.
 * Fails: DARC_USAGE when --map or --scale name what the model lacks or a
 * factor is no number, or --from lies behind --to. */
DARC_CHECKED darc_status darc_recording_options_init(
    darc_recording_options *r, const darc_options *o,
    const darc_names_struct *names, const bool *needed, darc_err *err);
void darc_recording_options_clear(darc_recording_options *r);

/* Set sd[u] to the noise given by --noise NAME=SD, NAN where not given.
 * Fails: DARC_USAGE for a name the model lacks or a value below 0. */
DARC_CHECKED darc_status darc_recording_noise(double *sd, const darc_options *o,
                                              const darc_names_struct *names,
                                              darc_err *err);

#endif
