/* regression.h - what is known of a recording before anything is fitted: the
 * equations in total derivatives, the signals, and their noise.
 */
#ifndef DARC_FIT_REGRESSION_H
#define DARC_FIT_REGRESSION_H

#include "data/table.h"
#include "fit/criteria.h"
#include "noise/signalnoise.h"
#include "weak/system.h"

/* Whether a signal is constant from each sample to the next. */
typedef enum {
    DARC_HELD_NOT,
    DARC_HELD_FOUND, /* an input that is a staircase */
    DARC_HELD_SAID   /* by the model or the user */
} darc_held;

typedef struct {
    int equations;
    darc_total_struct *total; /* of each; owned */
    bool *settled; /* of each: it holds no parameter, and is held as it is;
                      owned */
    int unknowns;
    int *column;                /* of the table, by unknown; -1: not measured;
                                   owned */
    darc_signalnoise *noise;    /* by unknown, of what is measured: used, or a
                                   derived one computed from it; of derived
                                   ones the bands alone; owned */
    darc_weak_signal *signal;   /* by unknown, with its sources; owned */
    darc_weak_channel *channel; /* owned */
    int channels;
    int coloured; /* an unknown whose noise is of any colour; -1: none */
    int sunk;     /* one that shows none, where no other shows any: a filter may
                     have left it inside the band alone; -1: none */
    int clipped;  /* a derived signal without a value at some samples; -1: none
                   */
    double **own; /* kernels of errors of derived signals; owned */
    int owns;
    darc_held *held;   /* by unknown; owned */
    double **straight; /* by unknown: the signal without what held ones bend in
                          it, NULL: as it is; owned */
    int *at; /* as column, also of what used signals are computed from; owned */
    int absents;
    unsigned char **absent; /* of derived signals; all owned */
    double **partial; /* by unknown: the factor of noise that grows with its
                         signal, NULL: none; owned */
    double **product; /* of these and slopes; owned */
    int products;
    bool idle; /* nothing can be fitted, because nothing excites the
                  equations */
} darc_regression;

/* Set r to what the question and table say; release it with
 * darc_regression_clear in any case.
 * Fails: DARC_DATA, with r->idle, where the recording does not excite an
 * equation or an order is beyond what recordings show; DARC_DOMAIN where a
 * signal is missing; as darc_total_init and darc_carriers_find. */
DARC_CHECKED darc_status darc_regression_init(darc_regression *r,
                                              const darc_question *x,
                                              const darc_table *table,
                                              darc_err *err);
void darc_regression_clear(darc_regression *r);

/* Return what is taken of the noise: "white" where it is shown, measured or
 * said to be, or may be of "any" colour; static. */
const char *darc_regression_noise(const darc_regression *r);

/* The coefficient of a term that is 0 may have any value.
 * Fails: DARC_DATA where a term of weak, which holds the equations of r, is 0
 * throughout; r->idle is set then. */
DARC_CHECKED darc_status darc_regression_vanishes(darc_regression *r,
                                                  const darc_weak *weak,
                                                  const darc_table *table,
                                                  darc_err *err);

/* Return whether the terms of coefficient j of a total hold a measured input.
 */
bool darc_regression_has_input(const darc_question *x,
                               const darc_total_struct *total, int j);

/* Return whether the signals of r agree sample by sample in both tables. */
bool darc_regression_are_copies(const darc_regression *r,
                                const darc_question *x,
                                const darc_table *const table[2]);

#endif
