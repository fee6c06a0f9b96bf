/* edges.h - errors of inputs whose times of change are not known.
 *
 * They are factors of white noise of variance 1 at the samples before a change
 * and at those after it (darc_regression.edge).
 */
#pragma once

#include "fit/regression.h"

/* Return, to be freed, those before and, table->samples later, those after the
 * changes of x, of noise n; NULL: there are none.  When between two samples it
 * jumps is not known: an error uniform over one step, half of it at either
 * sample.  Each step of a staircase is a jump. */
double *darc_edges_find(const darc_signalnoise *n, const darc_table *table,
                        const double *x);

/* The same of a held input that steps where rows are lost: at which of them is
 * not known, all are as likely.  x changes at sample t, what it acts on so many
 * samples later; absent NULL: none is lost. */
double *darc_edges_lost(const darc_table *table, const double *x,
                        const unsigned char *absent, long late);
