/* decision.h - making decisions (darc/report.h). */
#ifndef DARC_DECIDE_DECISION_H
#define DARC_DECIDE_DECISION_H

#include "darc/report.h"

/* Return an undecided decision of the weak form, without numbers. */
darc_decision darc_decision_none(double alpha, double tolerance);

/* Return 0 for consistent, 1 for undecided, 2 for inconsistent: of several
 * verdicts on parts the highest is that on all. */
int darc_verdict_rank(darc_verdict verdict);

/* Set the verdict of d, and its reason as printf does. */
void darc_decision_say(darc_decision *d, darc_verdict verdict,
                       const char *format, ...) DARC_PRINTF(3, 4);

/* Make d undecided where it is consistent: what was tested knows a function of
 * the model up to a constant only, and less than the model for that reason. */
void darc_decision_withhold(darc_decision *d);

/* Make d undecided where it is inconsistent: signals reach so near half the
 * sampling rate that sums over samples are no integrals of what the equations
 * say. */
void darc_decision_refuse_coarse(darc_decision *d);

/* The same where what was found, and what would have been, is at most
 * DARC_SUMS_ERROR of the largest term. */
void darc_decision_refuse_numeric(darc_decision *d, double most);

/* Make d undecided for two recordings that hold the same samples: one copy
 * says nothing of what the other does not. */
void darc_decision_refuse_copies(darc_decision *d);

#endif
