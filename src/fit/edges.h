/* edges.h - errors of signals between samples.
 *
 * They are factors of white noise of variance 1 at the samples before a change
 * and, table->samples later, at those after it (darc_regression.edge), to be
 * freed; NULL where all are 0.
 */
#pragma once

#include "fit/regression.h"

/* Return those of a measured signal, as r and the question say: when it jumps,
 * at which lost rows it steps, or what samples miss of its pulses. */
double *darc_edges_find(const darc_regression *r, const darc_question *x, int u,
                        const darc_table *table, bool staircase);

/* Return those of a held input that steps where rows are lost: at which of them
 * is not known, all are as likely.  It is v, which changes at sample t, what it
 * acts on so many samples later; absent NULL: none is lost. */
double *darc_edges_lost(const darc_table *table, const double *v,
                        const unsigned char *absent, long late);
