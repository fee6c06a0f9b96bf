/* excitation.h - recordings that cannot answer: nothing moves in them, a term
 * of the equation is 0 throughout, or its order is too high. */
#ifndef DARC_FIT_EXCITATION_H
#define DARC_FIT_EXCITATION_H

#include "fit/weakfit.h"

/* Constants solve every equation that has a place for them: they are no
 * evidence.  Unknown u stands in column[u] (-1: none).
 * Fails: DARC_DATA where all signals are constant; f->idle is set then. */
DARC_CHECKED darc_status darc_excitation_of_signals(darc_weakfit *f,
                                                    const darc_table *table,
                                                    const int *column,
                                                    darc_err *err);

/* Derivatives of high orders are beyond the weak form, as they are beyond what
 * recordings show.
 * Fails: DARC_DATA where f->total has one; f->idle is set then. */
DARC_CHECKED darc_status darc_excitation_of_orders(darc_weakfit *f,
                                                   darc_err *err);

/* The coefficient of a term that is 0 may have any value.
 * Fails: DARC_DATA where a term of f->weak is; f->idle is set then. */
DARC_CHECKED darc_status darc_excitation_of_terms(darc_weakfit *f,
                                                  const darc_table *table,
                                                  const int *column,
                                                  darc_err *err);

/* Set out to undecided for that reason.
 * Fails: as darc_total_init. */
DARC_CHECKED darc_status darc_excitation_decide(darc_weakcheck *out,
                                                const darc_ioeqs_t io, int e,
                                                const darc_weakcheck_options *o,
                                                const char *reason,
                                                darc_err *err);

#endif
