/* session.h - what every command that holds a model against recordings
 * prepares: the model, its io-equations, the recordings.
 */
#ifndef DARC_CLI_SESSION_H
#define DARC_CLI_SESSION_H

#include "cli/options.h"
#include "darc/ioeq.h"
#include "darc/model.h"
#include "darc/relation.h"
#include "darc/table.h"

#define DARC_SESSION_NOTES 16

typedef struct {
    const darc_options *options; /* not owned */
    const darc_budget *budget;   /* not owned */
    darc_model *model;
    darc_ioeqs_t io;
    bool has_io;
    bool *changed; /* per unknown: --changed; owned */
    double *noise; /* per unknown: --noise, NAN; owned */
    double *share; /* per unknown: for derived signals with estimated
                      derivatives their error over their RMS; owned */
    int recordings;
    darc_table **table; /* recordings tables, NULL until loaded; owned */
    int notes;
    char *note[DARC_SESSION_NOTES]; /* owned */
} darc_session;

/* Read the model and derive its io-equations.
 * Fails: as the steps do. */
DARC_CHECKED darc_status darc_session_open(darc_session *s,
                                           const char *model_file,
                                           const darc_options *o,
                                           const darc_budget *budget,
                                           darc_err *err);
void darc_session_close(darc_session *s);

/* Load recording files with the signals of the io-equations. */
DARC_CHECKED darc_status darc_session_load(darc_session *s, int recordings,
                                           const char *const *file,
                                           darc_err *err);

/* Add a note for the report; past DARC_SESSION_NOTES it is dropped. */
void darc_session_note(darc_session *s, const char *format, ...)
    DARC_PRINTF(2, 3);

/* Set needed[u] to whether unknown u enters the io-equations, directly or
 * through a derived signal, and measured[u] to whether it is to be read. */
void darc_session_signals(bool *measured, bool *needed, const darc_session *s);

/* Return --tolerance, or more where derived signals are not known well enough
 * (noted then).  The recordings are loaded. */
double darc_session_tolerance(darc_session *s);

/* Return the number of cores, for --threads. */
int darc_session_threads(void);

#endif
