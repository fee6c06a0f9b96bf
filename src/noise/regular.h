/* regular.h - a signal of a patchy recording, moved to uniform times.
 *
 * Every place of a uniform grid gets the sample next to it, moved there along
 * the signal's own slope and curvature, which sixth differences of the moved
 * signal give: white noise stays white, and the signal keeps its band.  Places
 * without a sample get what a polynomial of those around has (stats/uneven.h).
 */
#pragma once

#include "data/table.h"

typedef struct {
    darc_table table; /* one signal, dt; its parts are owned */
    darc_signal signal;
    darc_table raw; /* the samples as they were measured, one after the other;
                       its parts are owned */
    darc_signal measured;
    double gain; /* variance of white noise in the table over that in the
                    samples */
} darc_regular;

/* Set r to what is measured of a signal of the table. */
void darc_regular_init(darc_regular *r, const darc_table *table, int signal);
void darc_regular_clear(darc_regular *r);
