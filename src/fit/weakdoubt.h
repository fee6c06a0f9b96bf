/* weakdoubt.h - a residual larger than white noise: misfit, or noise of
 * another spectrum?
 *
 * Noise whose size inside the band of the signals is not known may make a
 * residual of any size.  Three things tell a misfit from it.  A missing term:
 * it correlates with the residual, whatever the noise.  But noise enters the
 * candidates as well as the residual, and makes such correlations of its own;
 * they depend on which signal carries the noise.  A term counts only if it is
 * missing whichever signal that is, and with one sign; a signal whose spectrum
 * just above its band is far too low for it is left out.  The size: noise seen
 * above the band of every signal continues below it; if the residual is that
 * large it is noise, and if it is far larger it is none.
 */
#ifndef DARC_FIT_WEAKDOUBT_H
#define DARC_FIT_WEAKDOUBT_H

#include "fit/weakfit.h"

/* A fit whose residual is larger than its noise, and where it comes from. */
typedef struct {
    darc_weakfit *f;
    const darc_model *model;
    const darc_ioeqs_struct *io;
    int e;
    const darc_table *table;
    const int *column; /* of the table, by unknown; -1: not measured */
    const darc_weakcheck_options *o;
    const darc_budget *budget;
} darc_weakdoubt;

/* Set suspect, open, coloured and misfit of d->f; its fit is robust then, or
 * by coloured noise.
 * Fails: as the steps do. */
DARC_CHECKED darc_status darc_weakfit_doubt(const darc_weakdoubt *d,
                                            darc_err *err);

/* Set d->f->suspect of a fit that is open: whether its noise may be of another
 * spectrum, and of any size in the band of the signals.
 * Fails: as darc_weakfit_noise. */
DARC_CHECKED darc_status darc_weakfit_suspect(const darc_weakdoubt *d,
                                              darc_err *err);

#endif
