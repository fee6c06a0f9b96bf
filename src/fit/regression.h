/* regression.h - what is known of a recording before anything is fitted: the
 * equations in total derivatives, the signals, and their noise.
 */
#pragma once

#include "base/budget.h"
#include "data/table.h"
#include "noise/signalnoise.h"
#include "projection/ioeq.h"
#include "weak/system.h"

/* What is assumed of noise that no recording at rest shows. */
typedef enum {
    DARC_ASSUME_AUTO,  /* white where the spectrum shows it to be */
    DARC_ASSUME_WHITE, /* white */
    DARC_ASSUME_ANY    /* of any colour */
} darc_assumption;

typedef struct {
    double alpha;                  /* 0.01 */
    double tolerance;              /* a fraction, 0 */
    const double *noise_sd;        /* by unknown of the model, in its unit; NAN:
                                      estimated; NULL: all estimated */
    const darc_signalnoise *known; /* by unknown: noise and bands are those of
                                      another recording; NULL: read */
    bool level; /* known is read where jumps of outputs are taken off: samples
                   do not show whether it grows */
    const darc_autoregress *rest; /* by unknown: noise measured at rest, at the
                                     rate of the recordings; no samples: none;
                                     NULL: none at all */
    const bool *held;             /* by unknown: it is constant from each sample
                                     to the next; NULL: none is said to be */
    bool edges; /* staircases count as held only where that is said: else their
                   edges may lie anywhere between two samples, and likewise
                   jumps */
    const double *const *early; /* by unknown and sample: a change of an input
                                   found to be held came so many samples
                                   before; NULL, also of one: at samples */
    bool pulses;                /* what samples miss of pulses is their error */
    bool glance;       /* other readings of inputs are not looked for */
    double shift;      /* inputs found to be held act so many samples later */
    const bool *until; /* by unknown: samples are of the time since the one
                          before, held or means of it; NULL: none */
    const bool *jumps; /* by unknown: an input that jumps; NULL: none */
    const bool *small; /* by unknown: an input of small steps is a staircase,
                          and not rounded; NULL: none */
    darc_assumption colour; /* of noise that is not */
    int support;            /* samples of the test functions; 0: chosen */
    const darc_weak *like;  /* whose they are; NULL: its own */
    int against;            /* directed test against these terms */
    const char *const *against_term; /* "z^3", "sign(z')" */
    int threads; /* the result does not depend on it; 0: one */
} darc_criteria;

/* Set c to the defaults. */
void darc_criteria_init(darc_criteria *c);

struct darc_estimates;

/* What is asked of recordings: whether equations of a model hold.  Nothing is
 * owned. */
typedef struct {
    const darc_model *model;
    const darc_ioeqs_struct *io;
    int equations;
    const int *equation; /* indices of those of io that are held together; past
                            io->count: without parameters */
    bool lost;           /* they know less of the parameters than the model */
    const darc_criteria *by;
    const darc_budget *budget;
    /* Called with the estimates of recordings a and b (NULL: there is one) that
     * a judgement lists; NULL: nobody listens. */
    void (*listen)(void *user, const struct darc_estimates *a,
                   const struct darc_estimates *b);
    /* Return all columns of the only recording, those too that the model does
     * not use; NULL, also in its place: they are not known. */
    const darc_table *(*beside)(void *user);
    void *user;
} darc_question;

/* Return io-equation q of the question. */
const darc_ioeq *darc_question_equation(const darc_question *x, int q);

/* Whether a signal is constant from each sample to the next. */
typedef enum {
    DARC_HELD_NOT,
    DARC_HELD_FOUND, /* an input that is a staircase */
    DARC_HELD_SAID   /* by the model or the user */
} darc_held;

/* A derived signal that steps where another passes 0. */
typedef struct {
    int of;        /* that one; -1: it is computed */
    double *early; /* by sample: how early a step comes, as in darc_weak_signal;
                      NULL: it is no such signal; kept */
    double *own;   /* by sample: the sd of its own errors; behind it, by node of
                      a crossing and sample, what the noise there makes of a
                      step */
} darc_switched;

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
    darc_steps *steps; /* of held signals, and outputs that follow; owned; NULL:
                          what weak moments find */
    int coloured;      /* an unknown whose noise is of any colour; -1: none */
    int clipped; /* a derived signal without a value at some samples; -1: none
                  */
    darc_held *held; /* by unknown; owned */
    bool *until;     /* samples are of the time since the one before; owned */
    double **early;  /* by unknown: as in the criteria, its own; NULL */
    darc_switched *switched; /* by unknown; owned */
    int *at; /* as column, also of what used signals are computed from; owned */
    double **edge; /* by unknown, NULL: none: factors of the errors of steps at
                      the samples before them, and at those after */
    void **own;    /* arrays that these point to; all owned */
    int owns;
    bool idle; /* nothing can be fitted, because nothing excites the
                  equations */
} darc_regression;

/* Set r to what the question and table say; release it with
 * darc_regression_clear in any case.
 * Fails: DARC_DATA, with r->idle, where the recording does not excite an
 * equation or an order is beyond what recordings show; DARC_DOMAIN where a
 * signal is missing; as darc_total_init and darc_carriers_find. */
DARC_STATUS darc_regression_init(darc_regression *r, const darc_question *x,
                                 const darc_table *table, darc_err *err);
void darc_regression_clear(darc_regression *r);

/* The coefficient of a term that is 0 may have any value.
 * Fails: DARC_DATA where a term of weak, which holds the equations of r, is 0
 * throughout; r->idle is set then. */
DARC_STATUS darc_regression_vanishes(darc_regression *r, const darc_weak *weak,
                                     const darc_question *x,
                                     const darc_table *table, darc_err *err);

/* Return whether terms of coefficient j of a total hold a measured input. */
bool darc_regression_has_input(const darc_question *x,
                               const darc_total_struct *total, int j);

/* Return whether unknown u has noise of its own that counts: where another
 * shows some, what shows next to none has none. */
bool darc_regression_is_noisy(const darc_regression *r, const darc_question *x,
                              int u);

/* Return whether the signals of r agree sample by sample in both tables. */
bool darc_regression_are_copies(const darc_regression *r,
                                const darc_question *x,
                                const darc_table *const table[2]);

/* Every measured signal has a channel of noise (weak/system.h): what its
 * spectrum, the user or a recording at rest says of it (signalnoise.h).  A
 * derived signal carries the noise of those that it is computed from, times
 * its slopes, so that y and sqrt(y) share one noise; and besides, where it has
 * one, an error of its own: sd(t) times the moving mean of white noise over
 * the samples along which that stays the same, which is the plainest noise of
 * that variance and correlation.
 */

/* Set noise, signal, source and channel of r, whose columns are known.
 * Fails: DARC_DOMAIN where a signal that a derived one is computed from is
 * missing; as darc_signalnoise_read. */
DARC_STATUS darc_carriers_find(darc_regression *r, const darc_question *x,
                               const darc_table *table, darc_err *err);

/* Let r own p, and return it. */
void *darc_regression_keep(darc_regression *r, void *p);
