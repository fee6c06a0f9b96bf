/* fit.h - one recording held against the io-equations of a model.
 *
 * The noise of every measured signal is found, the coefficients of all
 * equations are fitted together, and what is left is measured.  Where it is
 * more than noise makes, the fit is one to a misfit (gls.h).
 */
#ifndef DARC_FIT_FIT_H
#define DARC_FIT_FIT_H

#include "data/table.h"
#include "fit/criteria.h"
#include "fit/yardstick.h"

typedef struct {
    int equations;
    darc_total_struct *total; /* of each; owned */
    bool *settled; /* of each: it holds no parameter, and is held as it is;
                      owned */
    int unknowns;
    int *column;            /* of the table, by unknown; -1: not measured;
                               owned */
    darc_noisemodel *noise; /* by unknown; kernel NULL where not measured;
                               owned */
    darc_weak_signal *signal; /* by unknown; owned */
    darc_weak_source *source; /* of these; owned */
    darc_weak_channel *channel; /* owned */
    int channels;
    darc_weak *weak;
    darc_gls white;       /* the fit to noise alone, whose Q is tested */
    darc_gls fit;         /* of the coefficients: the same, or of a misfit */
    darc_metric metric;
    darc_yardstick *y;    /* of each equation; owned */
    double *rho;          /* of each; owned */
    bool misfit;          /* Q is more than noise makes */
    bool idle;            /* nothing could be fitted, because nothing excites
                             the equations */
    size_t used;          /* samples */
} darc_fit;

/* Set f to the fit of table, Q tested at level alpha.
 * Fails: DARC_DATA, with f->idle, where the recording does not excite an
 * equation; DARC_DATA, DARC_LIMIT as darc_weak_new and darc_gls_fit;
 * DARC_DOMAIN where a signal is missing. */
DARC_CHECKED darc_status darc_fit_init(darc_fit *f, const darc_question *x,
                                       const darc_table *table, double alpha,
                                       darc_err *err);
void darc_fit_clear(darc_fit *f);

/* Return whether the signals of f agree sample by sample in both tables. */
bool darc_fit_are_copies(const darc_fit *f, const darc_question *x,
                         const darc_table *const table[2]);

#endif
