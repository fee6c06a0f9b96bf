/* residual_inside.h - inside of darc_residual: what a thread needs. */
#pragma once

#include "pointwise/residual.h"
#include "relation/functions.h"

#define DARC_RUNGS 3 /* the formula asked for, and two finer ones */
#define DARC_BLOCK 128

/* n consecutive samples from start[a] of recording a. */
typedef struct {
    size_t start[2];
    size_t n;
    size_t at;  /* samples used before it */
    bool inner; /* wide formulas fit as well */
} darc_block;

/* Consecutive blocks, all full but the last, all inner or none. */
typedef struct {
    darc_block all; /* the samples of all of them */
    size_t first;   /* number of the first block */
} darc_run_of_blocks;

typedef struct {
    size_t count; /* blocks */
    size_t runs;
    darc_run_of_blocks *run; /* owned */
    size_t used, inner;      /* samples in all blocks, in inner ones */
} darc_blocks;

struct darc_residual {
    const darc_relation *relation;
    const darc_table *table[2];
    darc_functions f;
    int lead;              /* slot of the leading derivative */
    int unknowns;          /* of the relation's jet; length of the next */
    const double **column; /* samples of each unknown, NULL for uniform time;
                              owned */
    int *index;            /* its column in the table, or -1; owned */
    double *noise, *least; /* sd of each unknown, at least; owned together */
    darc_differ *differ[2][DARC_RUNGS]; /* of each recording; owned */
    int half;                           /* of the widest formula */
    darc_blocks blocks;
};

/* Columns of DARC_BLOCK samples. */
typedef struct {
    double **all;            /* columns of all but `in` */
    double **in[DARC_RUNGS]; /* derivatives; order 0: the table's own */
    double **store[DARC_RUNGS], **value[DARC_RUNGS];
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

/* Return block number i < b->count.  Cost O(log runs). */
darc_block darc_blocks_at(const darc_blocks *b, size_t i);

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

/* Return the formulas of the slot's recording. */
const darc_differ *darc_residual_differ(const darc_residual *r, int slot,
                                        int rung);
