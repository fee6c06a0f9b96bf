/* events.h - changes of held inputs, and which of them come at one time.
 *
 * Where most changes of an input are at the samples of another's, one switch
 * makes both: they share a time.
 */
#pragma once

#include "fit/fit.h"

/* A change of one held input, or of several at one time. */
typedef struct {
    int unknown;        /* the first of them */
    size_t at;          /* the first sample of the new value */
    int batch;          /* moved together with others, far from it */
    double least, most; /* samples before that one */
} darc_event;

typedef struct {
    const darc_table *table;
    const darc_regression *r; /* of the fit whose inputs they are */
    darc_event *list;
    int count;
    int *with; /* by unknown: that which it changes with; itself; -1: it is not
                  held */
} darc_events;

/* List the changes of what f takes for staircases.  `shown`: an output jumps
 * with them.  Return whether there are any, and their times can be told; the
 * caller clears them in any case, and keeps f. */
bool darc_events_list(darc_events *e, const darc_fit *f,
                      const darc_table *table, bool shown);
void darc_events_clear(darc_events *e);

/* Return whether unknown u changes at the event. */
bool darc_event_moves(const darc_events *e, const darc_event *c, int u);

/* Let each event come so early in early[u], for each unknown u that changes
 * then. */
void darc_event_set(double *const *early, const darc_events *e,
                    const darc_event *c, double to);
