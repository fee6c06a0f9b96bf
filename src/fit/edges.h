/* edges.h - errors of signals between samples.
 *
 * They are factors of white noise of variance 1 at the samples before a change
 * and, table->samples later, at those after it: darc_regression.edge, which is
 * NULL where all are 0.
 */
#pragma once

#include "fit/regression.h"

/* Set r->edge[u] of a measured signal, of which it is known whether it is held
 * or a staircase: when it jumps, at which lost rows it steps, or what samples
 * miss of its pulses, as the question says. */
void darc_edges_find(darc_regression *r, const darc_question *x, int u,
                     const darc_table *table, bool staircase);

/* Set r->edge[u] of a held input that steps where rows are lost: at which of
 * them is not known, all are as likely.  It is v, which changes at sample t,
 * what it acts on so many samples later; absent NULL: none is lost. */
void darc_edges_lost(darc_regression *r, int u, const darc_table *table,
                     const double *v, const unsigned char *absent, long late);
