/* values.h - values of identifiable functions in their units, for reports. */
#ifndef DARC_SESSION_VALUES_H
#define DARC_SESSION_VALUES_H

#include "diagnose/values.h"
#include "session/state.h"

/* Listen to the estimates of a judgement (user: the session): set s->value to
 * the values of each recording, nothing where they are not known. */
void darc_session_listen(void *user, const darc_estimates *a,
                         const darc_estimates *b);

/* Find what the equations identify, once.
 * Fails: DARC_DOMAIN where they are too long; DARC_LIMIT. */
DARC_CHECKED darc_status darc_session_identify(darc_session *s, darc_err *err);

/* Set x to the question about all equations: those without parameters, behind
 * the others, tell of these too.  Return their list, to be freed after x. */
int *darc_session_ask(darc_question *x, const darc_session *s,
                      const darc_criteria *by);

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

#endif
