/* session.h - the questions to recordings as calls: can the equations produce
 * them, were two made with the same parameters, which parameter changed.
 *
 *     darc_model_read(&model, "car.darc", &err);
 *     darc_options_new(&o, "check", &err);
 *     darc_options_set(o, "tolerance", "0.01", &err);
 *     darc_session_open(&s, model, o, NULL, &err);
 *     darc_session_read(s, "a.csv", &err);
 *     darc_session_read(s, "b.csv", &err);
 *     darc_session_check(s, DARC_EQUAL, &err);
 *     puts(darc_verdict_text(darc_session_verdict(s)));
 *     darc_session_free(s);
 *     darc_options_free(o);
 *     darc_model_free(model);
 *
 * Nothing prints and nothing ends the process; lack of memory is DARC_LIMIT,
 * but for what apart.h says. Different sessions may run in different threads at
 * a time, on one model too; a session belongs to one thread.  The budget's
 * function `interrupted` is asked all along and ends a call with DARC_LIMIT.
 */
#ifndef DARC_SESSION_H
#define DARC_SESSION_H

#include "darc/budget.h"
#include "darc/model.h"
#include "darc/options.h"
#include "darc/recording.h"
#include "darc/report.h"

DARC_BEGIN_DECLS

typedef struct darc_session darc_session;

/* Set *s to a session on the model, whose io-equations are derived now (that
 * may take long; everything else depends on the recordings).  options: of
 * "check", which isolations take too; NULL: the defaults.  The model and the
 * budget (NULL: none) must stay until darc_session_free, the options need not.
 * Fails: DARC_USAGE when an option names what the model lacks or does not
 * apply; DARC_DOMAIN when the model leaves no relation between its signals;
 * DARC_LIMIT on a spent budget, or for lack of memory: the elimination is done
 * in a child (apart.h); as darc_recording_read for "noise-from". */
DARC_CHECKED darc_status darc_session_open(darc_session **s,
                                           const darc_model *model,
                                           const darc_options *options,
                                           const darc_budget *budget,
                                           darc_err *err);
void darc_session_free(darc_session *s);

/* Add a recording: from a file, of which the columns are read that the
 * equations need; a copy of one in memory, whose signals have the names of
 * the model (options of reading do not count there).
 * Fails: as darc_recording_read; DARC_DATA when a signal is missing. */
DARC_CHECKED darc_status darc_session_read(darc_session *s, const char *file,
                                           darc_err *err);
DARC_CHECKED darc_status darc_session_add(darc_session *s,
                                          const darc_recording *recording,
                                          darc_err *err);

/* Drop the recordings, and what was found: the next ones may come. */
void darc_session_drop(darc_session *s);

/* Say whether reports are to hold the residual at every sample; questions are
 * then not asked in a child. */
void darc_session_keep_series(darc_session *s, bool keep);

/* Hold the model against the recordings: one for DARC_STRUCTURE, two for the
 * others.  May be called again, for another test.
 * Fails: DARC_USAGE for another number of recordings, or DARC_CHANGED without
 * the option "changed"; DARC_DATA or DARC_DOMAIN when no method applies;
 * DARC_LIMIT on a spent budget, or for lack of memory: this, too, is done in a
 * child (apart.h). */
DARC_CHECKED darc_status darc_session_check(darc_session *s, darc_test test,
                                            darc_err *err);

/* Find out which parameters changed between the two recordings.
 * Fails: DARC_USAGE for another number of recordings or the pointwise method;
 * DARC_DOMAIN when the model has no parameters; as darc_session_check. */
DARC_CHECKED darc_status darc_session_isolate(darc_session *s, darc_err *err);

/* Find the values of the parameters, and of functions of them, that all
 * recordings together tell: report->value then.
 * Fails: DARC_DOMAIN where the equations are too long, or recordings tell
 * nothing; as darc_session_check. */
DARC_CHECKED darc_status darc_session_values(darc_session *s, darc_err *err);

/* Return what the last question found: the verdict (DARC_UNDECIDED if there
 * was none); the report of a check (without relations if there was none); the
 * isolation, NULL if it was a check.  Valid until the next question. */
darc_verdict darc_session_verdict(const darc_session *s);
const darc_report *darc_session_report(const darc_session *s);
const darc_isolation *darc_session_isolation(const darc_session *s);

/* Return the same as "text", "json", "html" or "svg" (a page with the signals,
 * and the residual where its series was kept); "" if there was no question,
 * NULL for another format, or for lack of memory.  Valid until the next call.
 */
const char *darc_session_text(darc_session *s, const char *format);

DARC_END_DECLS

#endif
