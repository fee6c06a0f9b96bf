/* widepair.h - two recordings of an io-equation of many terms.
 *
 * Coefficients that fit both recordings are a relation of the columns of both.
 * After a change of some parameters only those coefficients keep their ratios
 * that are in one class (classes.h): with each class K a vector must exist
 * that fits both recordings with one set of coefficients in K and with two
 * outside.  That is necessary: where none exists, others have changed; where
 * one does, nothing is shown.
 */
#ifndef DARC_DECIDE_WIDEPAIR_H
#define DARC_DECIDE_WIDEPAIR_H

#include "decide/nullity.h"
#include "decide/wideside.h"

typedef struct {
    darc_wideside side[2];
    const darc_question *x; /* of the equation alone; kept */
    int terms;
    int free[2];       /* directions that a recording leaves free; -1: not
                          known */
    bool settled;      /* nothing can be compared: */
    darc_decision why; /* what says so */
} darc_widepair;

/* Set p to two recordings of the only equation of x.
 * Fails: as darc_wideside_init, but for recordings in which nothing moves. */
DARC_CHECKED darc_status darc_widepair_init(darc_widepair *p,
                                            const darc_question *x,
                                            const darc_table *const table[2],
                                            darc_err *err);
void darc_widepair_clear(darc_widepair *p);

/* Decide whether all coefficients are the same.
 * Fails: as darc_nullity_find. */
DARC_CHECKED darc_status darc_widepair_equal(darc_decision *d,
                                             const darc_widepair *p,
                                             darc_err *err);

/* Decide whether coefficients keep their ratios inside the classes; entry
 * first + j of least is that of coefficient j, as darc_classes_find sets it.
 * Never consistent unless all are one class.
 * Fails: as darc_nullity_find; DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_widepair_changed(darc_decision *d,
                                               const darc_widepair *p,
                                               const slong *least, slong first,
                                               darc_err *err);

#endif
