/* wideside.h - one recording of an io-equation of many terms, and its columns.
 */
#ifndef DARC_DECIDE_WIDESIDE_H
#define DARC_DECIDE_WIDESIDE_H

#include "fit/nullity.h"
#include "fit/weakdoubt.h"

typedef struct {
    darc_weakfit fit; /* open */
    int *column;      /* of the table, by unknown; owned */
    darc_weakcolumns columns;
    bool idle; /* no signal moves */
} darc_wideside;

/* Set s to recording number `number`, at.table; at.f and at.column are set.
 * In any case s is to be cleared.
 * Fails: as darc_weakfit_open (DARC_DATA with s->idle where no signal moves)
 * and darc_weakcolumns_init. */
DARC_CHECKED darc_status darc_wideside_init(darc_wideside *s, int number,
                                            darc_weakdoubt at, darc_err *err);
void darc_wideside_clear(darc_wideside *s);

/* Return whether there are too many terms, for us (s NULL) or for the
 * recording; d says so then. */
bool darc_wideside_is_out_of_reach(darc_decision *d, int terms,
                                   const darc_wideside *s);

/* Return whether what is not known of the noise, or errors of derived signals,
 * may make what speaks against the model; d says so then. */
bool darc_wideside_is_doubtful(darc_decision *d, const darc_wideside *s,
                               const darc_weakcheck_options *o);

/* Set f to what the columns show at level alpha.
 * Fails: DARC_INTERNAL where LAPACK does. */
DARC_CHECKED darc_status darc_wideside_look(darc_nullity *f,
                                            const darc_weakcolumns *columns,
                                            double alpha, darc_err *err);

#endif
