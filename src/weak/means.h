/* means.h - signals whose samples are means of the time since the one before.
 *
 * Meters, loggers and weather files write them.  The sums of such means, each
 * times its time, are the integral at the samples; the signal is its
 * derivative, by the polynomial through five of these: moments of it are those
 * of the integral, whatever the signal does in between.
 */
#pragma once

#include "weak/system.h"

/* Let s be what its means are of; return its samples, which the caller owns.
 * At the ends of segments the polynomial is of fewer samples. */
double *darc_means_undo(darc_weak_signal *s, const darc_table *table);

/* Let s be the mean, over the span before, of the column of the table, which is
 * held; return its samples, which the caller owns. */
double *darc_means_of_held(darc_weak_signal *s, const darc_table *table,
                           int column, double span);
