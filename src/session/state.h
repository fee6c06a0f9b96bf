/* state.h - what a session holds: the model, its io-equations, the recordings,
 * the result; and what every part of a session asks of it.
 */
#ifndef DARC_SESSION_STATE_H
#define DARC_SESSION_STATE_H

#include "identify/identify.h"
#include "identify/sensitivity.h"
#include "session/holding.h"
#include "session/session.h"
#include "session/thresholds.h"

struct darc_session {
    darc_asked *asked; /* what set points to; NULL: the caller's; owned */
    darc_session_settings set;
    const darc_budget *budget; /* not owned */
    const darc_model *model;   /* not owned */
    darc_ioeqs_t io;
    bool has_io;
    darc_identification_t id; /* what its coefficients tell */
    bool has_id;
    darc_lost lost; /* what io-equations know less than the model */
    int free; /* equations behind those of io that hold no parameter: nothing
                 of them can be compared */
    bool *changed;             /* per unknown; owned */
    double *noise;             /* per unknown, NAN where not known; owned */
    bool *hold;                /* per unknown: constant from each sample to the
                                  next; owned */
    double *held_noise;        /* the same, with what derived signals carry in
                                  the recordings; owned */
    darc_autoregress *resting; /* per unknown, from the recording at rest, no
                                  samples: none; NULL: there is none; owned */
    double resting_dt;
    bool *needed; /* per unknown: enters the io-equations, directly or
                     through a derived signal; owned */
    const char **want, **unit; /* columns to read, their units; owned */
    darc_diff_spec diff;       /* of set.diff */
    int recordings;
    darc_table **table; /* recordings tables; owned */
    darc_table *beside; /* all columns of the first; NULL: not read; owned */
    int notes;
    char *note[DARC_SESSION_NOTES];  /* owned */
    bool detail[DARC_SESSION_NOTES]; /* of each note: one for experts */
    int own;  /* notes that are of no recording and no check */
    int kept; /* notes that are of no check */
    darc_holding holding;
    darc_report report;     /* of the last check; points into holding */
    darc_report_data *data; /* of the recordings; owned */
    int values;             /* -1: there can be none */
    darc_estimate *value; /* what the last question told of parameters; owned */
    bool overlaid;        /* it was tried */
    int overlays;
    darc_overlay *overlay;    /* with these values; owned */
    bool sought;              /* the next two */
    darc_model *integral;     /* with integrals for states whose rates are
                                 measured, NULL: none; owned */
    darc_session *integrated; /* of that model; owned */
    darc_session *answer;     /* that, where the last result is its */
    bool has_isolation;       /* the last test was one */
    darc_isolate result;
    darc_isolation isolation; /* of the result */
    darc_text_t text;         /* darc_session_text */
};

/* Add a note for the report, or one that is a detail; past DARC_SESSION_NOTES
 * it is dropped. */
void darc_session_note(darc_session *s, const char *format, ...)
    DARC_PRINTF(2, 3);
void darc_session_detail(darc_session *s, const char *format, ...)
    DARC_PRINTF(2, 3);

/* Return a copy of text with functions as the model has them, owned by the
 * caller; let estimates be called so. */
char *darc_session_say(const darc_session *s, const char *text);
void darc_session_say_estimates(const darc_session *s, darc_estimate *e, int n);

/* Drop the result of the last question; describe the recordings. */
void darc_session_forget(darc_session *s);
void darc_session_fill_data(darc_session *s);

/* Return the threads of the settings, or the number of cores. */
int darc_session_threads(const darc_session *s);

/* Set c to what the settings say. */
void darc_session_criteria(darc_criteria *c, const darc_session *s);

#endif
