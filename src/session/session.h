/* session.h - the three questions as calls: a model and recordings in, a
 * report out.  This is what `darc check` runs.
 *
 *     darc_session_settings set;
 *     darc_session_settings_init(&set);
 *     set.tolerance = 0.01;
 *     darc_model_parse(&model, text, strlen(text), "car", &err);
 *     darc_session_new(&s, model, &set, NULL, &err);
 *     darc_session_read(s, "run.csv", &err);
 *     darc_session_check(s, DARC_STRUCTURE, &err);
 *     puts(darc_verdict_text(darc_session_verdict(s)));
 *     darc_session_free(s);
 *     darc_model_free(model);
 *
 * Nothing prints and nothing ends the process, except for lack of memory
 * (base/mem.h).  Different sessions may run in different threads at a time,
 * on one model too; a session belongs to one thread.  The budget's function
 * `interrupted` is asked all along and ends a call with DARC_LIMIT.
 */
#ifndef DARC_SESSION_SESSION_H
#define DARC_SESSION_SESSION_H

#include "darc/budget.h"
#include "data/table.h"
#include "model/model.h"
#include "page/page.h"
#include "project/ioeq.h"
#include "relation/relation.h"
#include "report/isolation.h"
#include "report/report.h"

typedef struct darc_session darc_session;

typedef enum {
    DARC_METHOD_WEAK,
    DARC_METHOD_POINTWISE,
    DARC_METHOD_AUTO /* weak where it applies */
} darc_method;

/* How a model is held against recordings; strings may be NULL. */
typedef struct {
    darc_method method;
    double alpha;        /* false-alarm probability of one test */
    double tolerance;    /* defect that does not matter, a fraction */
    darc_engine engine;  /* of elimination */
    const char *ranking; /* "x1 x2 >> m c >> y"; NULL: the model's */
    const char *diff;    /* derivatives of the pointwise method */
    const char *changed; /* "m,c": what DARC_CHANGED lets differ */
    const char *against; /* "z^3,sign(z')": directed structure test */
    int noises;          /* known standard deviations, in the signals' unit */
    const char *const *noise_name;
    const double *noise_sd;
    const char *noise_file; /* recording at rest: the noise of its signals;
                               NULL: none */
    darc_load_options load; /* of files; what is wanted is set by the session */
    int threads;            /* 0: all cores */
    bool series;            /* keep the residual at every sample */
    bool verify;            /* recompute residuals with 256 bits, and say so */
} darc_session_settings;

/* Set o to the defaults: auto, alpha .01, tolerance 0, central4. */
void darc_session_settings_init(darc_session_settings *o);

/* Set *s to a session on the model, whose io-equations are derived now;
 * settings NULL: the defaults.  The
 * model, what the settings point to, and the budget (NULL: none) must stay
 * until darc_session_free.
 * Fails: DARC_USAGE when settings name what the model lacks; as
 * darc_ioeqs_init. */
DARC_CHECKED darc_status darc_session_new(darc_session **s,
                                          const darc_model *model,
                                          const darc_session_settings *settings,
                                          const darc_budget *budget,
                                          darc_err *err);
void darc_session_free(darc_session *s);

/* Add a recording: from a file; or a table, whose columns have the names of
 * the model, and which the session releases in any case.
 * Fails: as darc_table_load; DARC_DATA when the table lacks a signal; as
 * darc_derive. */
DARC_CHECKED darc_status darc_session_read(darc_session *s, const char *file,
                                           darc_err *err);
DARC_CHECKED darc_status darc_session_add_take(darc_session *s,
                                               darc_table *table,
                                               darc_err *err);

/* Drop the recordings, and the result of the last check. */
void darc_session_drop(darc_session *s);

/* Hold the model against the recordings: one for DARC_STRUCTURE, two for the
 * others.  May be called again, for another test.
 * Fails: DARC_USAGE for another number of recordings; as the steps do. */
DARC_CHECKED darc_status darc_session_check(darc_session *s, darc_test test,
                                            darc_err *err);

/* Find out which parameters changed between the two recordings.
 * Fails: DARC_USAGE for another number of recordings or the pointwise
 * method; as darc_isolate_run. */
DARC_CHECKED darc_status darc_session_isolate(darc_session *s, darc_err *err);

/* What the last isolation found; NULL if the last test was another. */
const darc_isolation *darc_session_isolation(const darc_session *s);

/* What the last check found; valid until the next one or the end of the
 * session.  The command line of the report is left empty. */
const darc_report *darc_session_report(const darc_session *s);
darc_verdict darc_session_verdict(const darc_session *s);

/* Return the report of the last check or isolation as JSON, "" if there was
 * none; valid as long as the report. */
const char *darc_session_json(darc_session *s);

/* Return the same as one HTML page, with the signals of the recordings, and
 * the residual where the settings kept its series.  page says how it was made
 * (NULL: the settings of the session); its tables are ignored. */
const char *darc_session_html(darc_session *s, const darc_page *page);

#endif
