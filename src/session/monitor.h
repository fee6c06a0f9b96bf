/* monitor.h - a stream of samples held against a baseline, window by window. */
#pragma once

#include "diagnose/watch.h"
#include "session/state.h"

typedef struct darc_monitor darc_monitor;

/* Set *m to a monitor that has read the baseline, of so many false alarms a day
 * where nothing changes; the session must stay.
 * Fails: DARC_DATA where the baseline does not obey the model, its noise is not
 * white, or it is too short; DARC_DOMAIN where nothing can be watched. */
DARC_STATUS darc_monitor_open(darc_monitor **m, darc_session *s,
                              const char *baseline, double per_day,
                              darc_err *err);
void darc_monitor_free(darc_monitor *m);

typedef struct {
    size_t samples; /* of a window */
    size_t overlap; /* of these, those that the window before ends with */
    double step;    /* s between them */
} darc_monitor_window;

darc_monitor_window darc_monitor_windows(const darc_monitor *m);

/* Take a window of signals by name, which ends at time `at`, and append a line
 * of JSON on it; so many of its first samples ended the window before.  NAN are
 * gaps.  A window that tells nothing is passed over, and its line says why.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_monitor_take(darc_text_t line, darc_monitor *m,
                              const darc_samples *window, size_t told,
                              double at, darc_err *err);

/* Append what the monitor knows of the stream, and take it back.
 * Fails: DARC_DATA for the state of another baseline, or none. */
void darc_monitor_save(darc_text_t out, const darc_monitor *m);
DARC_STATUS darc_monitor_restore(darc_monitor *m, const char *text,
                                 darc_err *err);
