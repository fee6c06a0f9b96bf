/* edges.h - errors of inputs whose steps lie between samples, nobody knows
 * when.
 */
#pragma once

#include "data/table.h"
#include "noise/signalnoise.h"

/* When between two samples an input x jumps is not known: an error
 * uniform over one step, half of it at either sample.  Each step of a staircase
 * is a jump.  Return factors at the samples before them, and behind these at
 * those after, which the caller owns; NULL: there is none. */
double *darc_edges_find(const darc_table *table, const darc_signalnoise *n,
                        const double *x);

/* Of a held input that steps where rows are lost it is not known at which of
 * them: all are as likely.  x changes at sample t, late by so many samples; it
 * was not measured where it is absent (NULL: measured at all).  Return the
 * same. */
double *darc_edges_find_lost(const darc_table *table, const double *x,
                             const unsigned char *absent, long late);
