/* residual_inside.h - inside of darc_residual: what a thread needs for a block.
 */
#ifndef DARC_POINTWISE_RESIDUAL_INSIDE_H
#define DARC_POINTWISE_RESIDUAL_INSIDE_H

#include "pointwise/residual.h"
#include "pointwise/runs.h"
#include "program/functions.h"

#define DARC_RUNGS 3 /* the formula asked for, and two finer ones */

struct darc_residual {
    const darc_relation *relation;
    const darc_table *table[2];
    darc_functions f;
    int lead;              /* slot of the leading derivative */
    int unknowns;          /* of the relation's jet; length of the next */
    const double **column; /* samples of each unknown, NULL for uniform time;
                              owned */
    int *index;            /* its column in the table, or -1; owned */
    double *noise, *least; /* sd of each unknown, at least; owned */
    darc_differ *differ[2][DARC_RUNGS]; /* of each recording; owned */
    int half;                           /* of the widest formula */
    darc_blocks blocks;
};

/* Sums over the samples of a block, of one function. */
typedef struct {
    double value2, max, size2;
    double inner2, response2, rounding2; /* inner samples only; so below */
    double noise2, least2;               /* of variances */
    double noise4;                       /* of squared covariances */
    double coarse2, coarse_least2, next2, next_noise2, next_least2;
} darc_sums;

/* Columns of DARC_BLOCK samples. */
typedef struct {
    double **in[DARC_RUNGS];    /* derivatives; order 0: the table's own */
    double **store[DARC_RUNGS]; /* columns of the others */
    double **value[DARC_RUNGS];
    double **size, **bound, **spare, **slope;
    double **variance; /* of each function */
    double **part;     /* variance and least variance of something else */
    double **tap;      /* combined weights, from -half to half */
    double **lag;      /* covariance with the sample l later, l = 0 .. */
    double *time[2];   /* of each recording, uniform; with half samples more on
                          either side */
    double *weight;    /* 2 half + 1 */
    double *error;     /* of each slot: rounding error of its values */
} darc_residual_work;

void darc_residual_work_init(darc_residual_work *w, const darc_residual *r);
void darc_residual_work_clear(darc_residual_work *w);

/* Set w->in[rung] to the derivatives of the block, to be read only. */
void darc_residual_derive(const darc_residual *r, darc_residual_work *w,
                          const darc_block *block, int rung);

/* Function f by rung `plus`, less, unless it is negative, rung `minus`; the
 * slopes are those in w->slope. */
typedef struct {
    int f, plus, minus;
    bool lags; /* covariances are wanted too, in w->lag */
} darc_noisy;

/* Set variance[t] and least[t] to the variance by the noise, and by the
 * least noise there may be. */
void darc_residual_variance(const darc_residual *r, darc_residual_work *w,
                            const darc_block *block, darc_noisy what,
                            double *variance, double *least);

/* Set w->error to bounds of the rounding errors of w->in[0]. */
void darc_residual_input_errors(const darc_residual *r, darc_residual_work *w,
                                const darc_block *block);

/* Make room for n values, in a temporary file or in memory; put values there,
 * from several threads; then, once, map them, adding the truncation to the
 * bars of blocks that are not inner.
 * Fails: DARC_IO; s is fit to be cleared only. */
DARC_CHECKED darc_status darc_residual_series_open(darc_residual_series *s,
                                                   size_t n, bool spooled,
                                                   darc_err *err);
DARC_CHECKED darc_status darc_residual_series_put(darc_residual_series *s,
                                                  size_t at,
                                                  darc_residual_series *part,
                                                  size_t n, darc_err *err);
DARC_CHECKED darc_status darc_residual_series_close(darc_residual_series *s,
                                                    const darc_blocks *blocks,
                                                    double truncation,
                                                    darc_err *err);

/* Return the formulas of the slot's recording. */
const darc_differ *darc_residual_differ(const darc_residual *r, int slot,
                                        int rung);

#endif
