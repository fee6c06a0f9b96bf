/* state.h - what a session holds: the model, its io-equations, the recordings,
 * the result; and what every part of a session asks of it.
 */
#pragma once

#include "darc/session.h"
#include "diagnose/values.h"
#include "identify/identify.h"
#include "identify/sensitivity.h"
#include "report/holding.h"
#include "session/settings.h"
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
    bool *until;               /* per unknown: samples are means of the time
                                  before; NULL: none; owned */
    double *held_noise;        /* the same, with what derived signals carry in
                                  the recordings; owned */
    darc_autoregress *resting; /* per unknown, from the recording at rest, no
                                  samples: none; NULL: there is none; owned */
    double *resting_variance;  /* per unknown, of its samples; owned */
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
    darc_report report;     /* of the last check; points into holding, or */
    char *told;             /* into this, where a child made it; owned */
    darc_report_data *data; /* of the recordings; owned */
    int values;             /* -1: there can be none */
    darc_estimate *value; /* what the last question told of parameters; owned */
    int profiles;         /* of parameters, by trajectories */
    darc_profile_curve *profile; /* owned */
    bool overlaid;               /* it was tried */
    int overlays;
    darc_overlay *overlay;    /* with these values; owned */
    darc_report_each *each;   /* of several recordings; NULL: none; owned */
    bool sought;              /* the next three */
    bool still;               /* the next has constants for inputs that are */
    double *fixed;            /* which, by unknown, NAN: not; owned */
    darc_model *integral;     /* with integrals for states whose rates are
                                 measured, NULL: none; owned */
    darc_session *integrated; /* of that model; owned */
    bool spoilt;              /* memory was short when it got the recording */
    darc_model *near;         /* linear in parameters of functions, of the last
                                 question; NULL: none; owned */
    darc_session *linear;     /* of that model; owned */
    darc_session *answer;     /* one of these, where the last result is its */
    bool has_isolation;       /* the last test was one */
    darc_isolate result;
    darc_isolation isolation; /* of the result */
    darc_text_t text;         /* darc_session_text */
};

/* As darc_session_open, with settings as numbers (NULL: the defaults).  What
 * they point to must stay until darc_session_free. */
DARC_STATUS darc_session_new(darc_session **s, const darc_model *model,
                             const darc_session_settings *settings,
                             const darc_budget *budget, darc_err *err);

/* As darc_session_add, with a table, which the session releases in any case. */
DARC_STATUS darc_session_add_take(darc_session *s, darc_table *table,
                                  darc_err *err);

/* The same with a copy of the arrays. */
DARC_STATUS darc_session_add_samples(darc_session *s,
                                     const darc_samples *samples,
                                     darc_err *err);

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

/* Refuse another number of recordings than that; trajectories take more. */
DARC_STATUS darc_session_count(const darc_session *s, int wanted,
                               darc_err *err);

/* Drop the result of the last question. */
void darc_session_forget(darc_session *s);

/* Return the threads of the settings, or the number of cores. */
int darc_session_threads(const darc_session *s);

/* Set c to what the settings say. */
void darc_session_criteria(darc_criteria *c, const darc_session *s);

/* Fails: DARC_USAGE where trajectories are asked for, or the model has doses.
 */
DARC_STATUS darc_session_needs_weak(const darc_session *s, darc_err *err);

/* Set s->io, and note what is not expanded: an equation of more terms than
 * can be fitted, unless that takes no time, an engine is forced, or the method
 * is the pointwise one; any equation whose expansion takes long.
 * Fails: DARC_USAGE for a wrong ranking; as darc_ioeqs_init. */
DARC_STATUS darc_session_derive(darc_session *s, darc_err *err);

/* Put the equations without parameters behind the others and out of their
 * count, or back. */
void darc_session_part(darc_session *s);
void darc_session_join(darc_session *s);

/* Add to s->holding, which is that of the structure, the stretches of the
 * recording, and make the verdict inconsistent where there are several; a note
 * says why there are none where the weak form does not apply.
 * Fails: DARC_USAGE where the method is pointwise; DARC_LIMIT. */
DARC_STATUS darc_hold_over_time(darc_session *s, darc_err *err);

/* Set s->holding: derive the relations of the test and hold them against the
 * recordings.  With several relations each is tested at alpha / count
 * (Bonferroni).
 * Fails: as the steps do. */
DARC_STATUS darc_hold_pointwise(darc_session *s, darc_test test, darc_err *err);

/* Derive the test's relations for display, where that takes no long work.
 * s->holding has no relations before.
 * Fails: on a spent budget. */
DARC_STATUS darc_hold_relations(darc_session *s, darc_test test, darc_err *err);

/* Set the relation of s->holding.report[e] to the first that comes from
 * io-equation e, if there is one. */
void darc_hold_show(darc_session *s, int e);

/* Set s->holding: judge all io-equations together; those of more coefficients
 * than are fitted one by one, each judgement at alpha over their number.
 * Fails: as the judgements do. */
DARC_STATUS darc_hold_weak(darc_session *s, darc_test test, darc_err *err);

/* Set s->holding by trajectories.  Fails: as darc_trajectory_init. */
DARC_STATUS darc_hold_trajectory(darc_session *s, darc_test test,
                                 darc_err *err);

/* Ask trajectories, where they may tell what the weak form, whose holding s
 * has, does not: it is undecided for what noise makes of it, or two recordings
 * are of a controller, whose command holds the noise of outputs at the same
 * sample; recordings are long, and inputs are known.  What they decide takes
 * the place of s->holding; named: terms are to be tested, which they do not.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_hold_long(darc_session *s, darc_test test, bool named,
                           darc_err *err);

/* Return whether trajectories may tell more of the recordings than differences,
 * which are short; named: terms are to be tested. */
bool darc_hold_trajectory_suits(const darc_session *s, bool named);

/* Set s->result, the parameters that differ, by trajectories.
 * Fails: as darc_trajectory_init. */
DARC_STATUS darc_hold_trajectory_isolate(darc_session *s, darc_err *err);

/* Set s->value by trajectories.
 * Fails: as darc_trajectory_init. */
DARC_STATUS darc_hold_trajectory_values(darc_session *s, darc_err *err);

/* Set *exact to it, with the recordings of s; NULL where nothing stands still
 * in all of them, and s needs no estimated derivative, no rate is measured, or
 * they do not allow it: one on even time without gaps.  It belongs to s.
 * Fails: as an attempt. */
DARC_STATUS darc_session_integrated(darc_session **exact, darc_session *s,
                                    darc_err *err);
void darc_session_integrated_free(darc_session *s);

/* Let it have no recordings. */
void darc_session_take_back(darc_session *s);

/* What is asked of a session whose last result is dropped; report or isolation
 * are set. */
typedef darc_status darc_asking(darc_session *s, darc_test test, darc_err *err);

/* Hold the structure against each of several recordings: the verdict is
 * inconsistent where one is at alpha over their number, consistent where all
 * are; each is asked by `check`.  Fails: as it does of the first. */
DARC_STATUS darc_session_check_each(darc_session *s, darc_asking *check,
                                    darc_err *err);

/* What is asked near values, and what tells of structure, and of values. */
typedef struct {
    darc_asking *ask, *check, *values;
} darc_askings;

/* Where a function of parameters, such as exp(-E/T), is known up to a constant:
 * ask again of the model that is linear around values that s told of these, or
 * that are sought, until it tells the same, and let that be the answer.
 * Nothing is done where that does not come about. */
void darc_session_ask_near(darc_session *s, const darc_askings *of,
                           darc_test test);

/* The same where times of delays are parameters: they are sought.
 * Fails: DARC_USAGE where settings do not allow it; DARC_DATA where none is
 * found. */
DARC_STATUS darc_session_ask_late(darc_session *s, const darc_askings *of,
                                  darc_test test, darc_err *err);

/* Measure noise in the recording at rest of the settings, if there is one.
 * Fails: as darc_table_load and darc_signalnoise_rest; DARC_USAGE for a
 * signal whose noise is a number as well. */
DARC_STATUS darc_session_rest(darc_session *s, darc_err *err);

/* Append derived signals to a table that becomes a recording of the session,
 * raise its noise to what the table says, and note large errors.
 * Fails: DARC_DATA when the table lacks a signal; as darc_derive. */
DARC_STATUS darc_session_prepare(darc_session *s, darc_table *table,
                                 darc_err *err);

/* The same for a table that does not.  May be called from several threads. */
DARC_STATUS darc_session_complete(const darc_session *s, darc_table *table,
                                  darc_err *err);

/* Listen to the estimates of a judgement (user: the session): set s->value to
 * the values of each recording, nothing where they are not known. */
void darc_session_listen(void *user, const darc_estimates *a,
                         const darc_estimates *b);

/* Find what the equations identify, once.
 * Fails: DARC_DOMAIN where they are too long; DARC_LIMIT. */
DARC_STATUS darc_session_identify(darc_session *s, darc_err *err);

/* Set x to the question about all equations: those without parameters, behind
 * the others, tell of these too; and by to the criteria.  Return their list, to
 * be freed after x. */
int *darc_session_ask(darc_question *x, const darc_session *s,
                      darc_criteria *by);

/* Return what function k of darc_values is called, to be freed; NULL where it
 * is a parameter, which stands among these. */
char *darc_session_function(const darc_session *s, int k);

/* Set s->value to what is known in a and, unless it is NULL, in b: parameters
 * in order of declaration, then functions. */
void darc_session_take_values(darc_session *s, const darc_values *a,
                              const darc_values *b);

/* Simulate recording i with values that all parameters have, if that is asked
 * for, and note how well its outputs are met, or why there is none. */
void darc_session_overlay(darc_session *s, const darc_values *v, int i);

/* Drop the values. */
void darc_session_forget_values(darc_session *s);
