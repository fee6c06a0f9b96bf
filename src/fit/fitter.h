/* fitter.h - a fit on its way (gls.h), and where it starts. */
#ifndef DARC_FIT_FITTER_H
#define DARC_FIT_FITTER_H

#include "fit/gls.h"

/* State of a fit between passes. */
typedef struct {
    const darc_gls_task *task;
    const darc_weak *weak;
    darc_sums sums;
    int *reference;        /* by equation */
    int draws;             /* of the last pass */
    int every, draw_every; /* pieces in use, and with noise */
    int *index;            /* the free ones */
    int free;
    double *c;
    bool current; /* sums are those at c */
} darc_fitter;

/* Set the coefficients to where the fit starts, and index to the free ones:
 * from another fit, or by least squares without a reference. Fails: DARC_DATA
 * where moments leave the range of numbers. */
DARC_CHECKED darc_status darc_fitter_start(darc_fitter *f, darc_err *err);

/* Fail for that reason. */
DARC_CHECKED darc_status darc_fitter_out_of_range(const darc_weak *weak,
                                                  darc_err *err);

#endif
