/* bridge.h - short holes in a recording, which sums over its samples step
 * over.
 *
 * Recorders lose rows, write signals at several rates into one table (empty
 * cells between), or stamp their rows unevenly.  Such holes do not end a
 * segment: the cells are marked as absent and hold a value on the line between
 * their neighbours, so that there is a number, and nothing is said about the
 * signal there.  The weak form gives absent cells the weight 0.
 */
#ifndef DARC_DATA_BRIDGE_H
#define DARC_DATA_BRIDGE_H

#include "data/table.h"

/* Mark the absent cells of holes of up to DARC_BRIDGE_REACH times the usual
 * spacing of a signal's samples, and join the segments that they part.  Where
 * segments are long as they are, and where columns are in a temporary file,
 * holes stay gaps.  On uneven time longer pauses end segments too.  Does
 * nothing to a table that was bridged before. */
void darc_table_bridge(darc_table *table);

/* Return whether sums over the samples of the table need their times: time is
 * uneven, or cells are absent. */
bool darc_table_is_patchy(const darc_table *table);

/* Return which samples of a signal are absent; NULL: none. */
const unsigned char *darc_table_absent(const darc_table *table, int signal);

/* Return dt, or the usual spacing of uneven times, s. */
double darc_table_step(const darc_table *table);

/* Return the usual spacing of the samples that a signal (-1: the rows) has, s.
 */
double darc_table_spacing(const darc_table *table, int signal);

#endif
