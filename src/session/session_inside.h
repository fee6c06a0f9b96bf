/* session_inside.h - what is inside a session: the model, its io-equations, the
 * recordings, the result.
 */
#ifndef DARC_SESSION_SESSION_INSIDE_H
#define DARC_SESSION_SESSION_INSIDE_H

#include "session/holding.h"
#include "session/session.h"

#define DARC_SESSION_NOTES 16

struct darc_session {
    darc_session_settings set;
    const darc_budget *budget; /* not owned */
    const darc_model *model;   /* not owned */
    darc_ioeqs_t io;
    bool has_io;
    int free; /* equations behind those of io that hold no parameter: nothing
                 of them can be compared */
    bool *changed;            /* per unknown; owned */
    double *noise;            /* per unknown, NAN where not known; owned */
    darc_noisemodel *resting; /* per unknown, from the recording at rest;
                                 NULL: there is none; owned */
    double resting_dt;
    double *share;       /* per unknown: for derived signals with estimated
                            derivatives their error over their RMS; owned */
    bool *needed;        /* per unknown: enters the io-equations, directly or
                            through a derived signal; owned */
    const char **want;   /* columns to read; owned */
    darc_diff_spec diff; /* of set.diff */
    int recordings;
    darc_table **table; /* recordings tables; owned */
    int notes;
    char *note[DARC_SESSION_NOTES]; /* owned */
    int kept;                       /* notes that are not of a check */
    darc_holding holding;
    darc_report report;     /* of the last check; points into holding */
    darc_report_data *data; /* of the recordings; owned */
    bool has_isolation;     /* the last test was one */
    darc_isolate result;
    darc_isolation isolation; /* of the result */
    darc_text_t json, html;
};

/* Add a note for the report; past DARC_SESSION_NOTES it is dropped. */
void darc_session_note(darc_session *s, const char *format, ...)
    DARC_PRINTF(2, 3);

/* Set s->io, and note what is not expanded: an equation of more terms than
 * can be fitted, unless that takes no time, an engine is forced, or the method
 * is the pointwise one; any equation whose expansion takes long.
 * Fails: DARC_USAGE for a wrong ranking; as darc_ioeqs_init. */
DARC_CHECKED darc_status darc_session_derive(darc_session *s, darc_err *err);

/* Put the equations without parameters behind the others and out of their
 * count, or back. */
void darc_session_part(darc_session *s);
void darc_session_join(darc_session *s);

/* Measure noise in the recording at rest of the settings, if there is one.
 * Fails: as darc_table_load and darc_noisemodel_measure; DARC_USAGE for a
 * signal whose noise is a number as well. */
DARC_CHECKED darc_status darc_session_rest(darc_session *s, darc_err *err);

/* Fail with DARC_DATA unless the table has the rate of that recording. */
DARC_CHECKED darc_status darc_session_same_rate(const darc_session *s,
                                                const darc_table *table,
                                                darc_err *err);

/* Set w to what the settings say of each of so many tests. */
void darc_session_decide(darc_weakcheck_options *w, const darc_session *s,
                         int tests);

/* Drop the result of the last check. */
void darc_session_forget(darc_session *s);

/* Append derived signals to a table that does not become a recording of the
 * session, and set noise and share (by unknown) to those that hold for it.
 * May be called from several threads. */
DARC_CHECKED darc_status darc_session_complete(const darc_session *s,
                                               darc_table *table, double *noise,
                                               double *share, darc_err *err);

/* Return the threads of the settings, or the number of cores. */
int darc_session_threads(const darc_session *s);

#endif
