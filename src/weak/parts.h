/* parts.h - what a weak system consists of, for the files of this room. */
#ifndef DARC_WEAK_PARTS_H
#define DARC_WEAK_PARTS_H

#include "weak/laurent.h"
#include "weak/system.h"
#include "weak/thresholds.h"

enum {
    DARC_WEAK_ORDERS = DARC_WEAK_MAX_ORDER + 1,
    DARC_WEAK_RATES = 6, /* of signals, and those that are there together */
    DARC_WEAK_SHAPES = DARC_WEAK_ORDERS * DARC_WEAK_RATES
};

/* out(t) = sum_i tap[i] in(t + first + i), i < count. */
typedef struct {
    int first, count;
    double *tap; /* owned */
    bool flat;   /* many, all the same: a sum that slides */
} darc_weak_filter;

/* How noise of a channel z comes into a variable: through its kernel, `post`,
 * times partial, then through `pre` (the weights of a derivative). */
typedef struct {
    int channel;
    darc_weak_filter pre, post;
    const double *partial; /* by sample of the table; NULL: 1 */
    double mean, rms;      /* of partial */
} darc_weak_path;

/* A power of a held signal, or the logarithm of its absolute value. */
typedef struct {
    const double *value;
    int exponent; /* 0: the logarithm */
} darc_weak_factor;

/* A signal, or an estimated derivative of it, or what held signals are in a
 * term (held.h). */
typedef struct {
    darc_deriv deriv;
    const double *value; /* of the signal; NULL: time */
    int factors;         /* of held signals; 0: it is none */
    bool alone;          /* one of them, as it is */
    darc_weak_factor factor[2 * DARC_LAURENT_VARS];
    int half;       /* derivative = sum_s weight[s + half] y(t + s) */
    double *weight; /* NULL for order 0; owned */
    double *sign;   /* weights of the derivative whose sign is taken, half
                       DARC_WEAK_SIGN_HALF; NULL: no sign; owned */
    int paths;
    darc_weak_path *path; /* owned */
} darc_weak_var;

/* All terms of coefficient `coeff` under (d/dt)^order, and the partial
 * derivatives by each variable. */
typedef struct {
    int coeff, equation, order;
    int rate; /* of stamps.h */
    darc_laurent g;
    darc_laurent by[DARC_LAURENT_VARS];
    bool noisy[DARC_LAURENT_VARS]; /* by[v] is not 0 and v carries noise */
} darc_weak_group;

/* Noise of second order: g_vw n_v n_w, less its mean, as white noise of a
 * channel of its own that has the same density at low frequencies. */
typedef struct {
    int v, w;
    double sd;
} darc_weak_pair;

/* Noise of so many samples before and after one reaches it at most. */
typedef struct {
    int left, right;
} darc_weak_reach;

typedef struct {
    size_t begin, end; /* samples */
    int functions;
} darc_weak_piece;

typedef struct darc_weak_stamps darc_weak_stamps; /* stamps.h */
typedef struct darc_weak_bands darc_weak_bands;   /* toeplitz.h */

struct darc_weak {
    const darc_table *table;
    int equations, coeffs;
    int *first; /* equations + 1; owned */
    int vars;
    darc_weak_var var[DARC_LAURENT_VARS];
    int channels;           /* of first order */
    double *dof;            /* of the noise variance of a channel; owned */
    darc_weak_reach *reach; /* of a channel; those of pairs reach no further
                               than the sample itself; owned */
    double raise;           /* the most of all channels, 1 or more */
    double *red, *pole;     /* of a channel, as in darc_weak_channel; owned */
    bool reddens;           /* one of red is more than 0 */
    int groups;
    darc_weak_group *group; /* owned */
    int pairs;
    darc_weak_pair *pair; /* owned */
    int orders;           /* highest order of a total derivative + 1 */
    int degree, step, support;
    double dt;     /* between samples, or usual, s */
    int shapes;    /* orders, of each rate of stamps */
    int wide;      /* samples that a test function sees, at most */
    double folded; /* share of what signals carry at most that sampling adds */
    darc_weak_stamps *stamps; /* NULL: all samples are evenly there; owned */
    double *phi[DARC_WEAK_ORDERS]; /* (-1)^d dt phi^(d), support + 1 values;
                                      owned */
    int margin;                    /* largest half-width of a derivative */
    int left, right;               /* the largest reach of all channels */
    int pieces;
    size_t piece_alloc;
    darc_weak_piece *piece; /* owned */
    size_t functions;
    int threads;
    double **kept; /* moments of pieces that were loaded, rows x coeffs, where
                      all take little enough room; NULL: none; owned */
    bool linear;   /* all partial derivatives are numbers: the covariance is
                      the same everywhere, or nearly so within a piece */
    darc_weak_bands *bands; /* NULL where it is not linear; owned */
};

/* Return the number of functions of the piece that has most. */
int darc_weak_most_functions(const darc_weak *weak);

/* ---- paths: noise -------------------------------------------------------- */

/* Add to a variable, whose weights are known, the ways by which the noise of
 * the signal s reaches it, and extend the reach of their channels. */
void darc_weak_add_paths(darc_weak *weak, darc_weak_var *var,
                         const darc_weak_signal *s, const darc_weak_data *data);

/* Take off the bias that noise gives to the groups; set their partial
 * derivatives, pairs and linear. */
void darc_weak_differentiate(darc_weak *weak, const darc_weak_data *data);

/* ---- functions: the test functions --------------------------------------- */

/* Return the highest frequency at which two signals carry power, Hz; 0: none is
 * known.  What one alone carries beyond (edges and noise of an input that
 * nothing follows), no relation accounts for. */
double darc_weak_band(const darc_weak *weak, const darc_weak_data *data,
                      const darc_total_struct *const *total);

/* Set orders, degree, step, support and phi: splines of a support twice the
 * shortest period that matters, of a degree so high that what sampling adds
 * to their integrals lies below the noise of the noisiest signal, or 8 above
 * the least that the order of the equations needs. */
void darc_weak_set_functions(darc_weak *weak, const darc_weak_data *data,
                             const darc_total_struct *const *total,
                             size_t longest);

#endif
