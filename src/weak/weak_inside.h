/* weak_inside.h - the parts of a weak relation, shared by weak*.c and gls*.c.
 */
#ifndef DARC_WEAK_WEAK_INSIDE_H
#define DARC_WEAK_WEAK_INSIDE_H

#include "weak/laurent.h"
#include "weak/weak.h"

enum {
    DARC_WEAK_MAX_COEFFS = 64,
    DARC_WEAK_MAX_ORDER = 9,
    DARC_WEAK_MAX_PAIRS = 136,
    DARC_WEAK_SIGN_HALF = 12
};

/* A signal, or an estimated derivative of it. */
typedef struct {
    darc_deriv deriv;
    const double *value; /* of the signal; NULL: time */
    int half;            /* derivative = sum_s weight[s + half] y(t + s) */
    double *weight;      /* NULL for order 0; owned */
    double *sign;        /* weights of the derivative whose sign is taken, half
                            DARC_WEAK_SIGN_HALF; NULL: no sign; owned */
    int channel;         /* which noise it carries; -1: exact */
    int reach;           /* its noise = sum_s response[s + reach] z(t + s) */
    double *response;    /* z white of unit variance; owned */
    double times;        /* factor of its variance in covariances, which
                            response holds: darc_weak_signal */
    double real;         /* share of the variance in response that biases
                            powers of the variable */
} darc_weak_var;

/* All terms of coefficient `coeff` under (d/dt)^order, and the partial
 * derivatives by each variable. */
typedef struct {
    int coeff, order;
    darc_laurent g;
    darc_laurent by[DARC_LAURENT_VARS];
    bool noisy[DARC_LAURENT_VARS]; /* by[v] is not 0 and v carries noise */
} darc_weak_group;

/* Second derivatives by variables v <= w: noise of second order. */
typedef struct {
    int v, w;
    int lags;    /* covariance of the product of noises up to this lag */
    double *rho; /* lags + 1 values; owned */
} darc_weak_pair;

typedef struct {
    size_t begin, end; /* samples */
    int functions;
} darc_weak_piece;

struct darc_weak {
    const darc_table *table;
    int coeffs;
    int vars;
    darc_weak_var var[DARC_LAURENT_VARS];
    int channels;
    int unknown[DARC_LAURENT_VARS]; /* of each channel */
    double dof[DARC_LAURENT_VARS];  /* of the noise variance of a channel */
    int groups;
    darc_weak_group *group; /* owned */
    int pairs;
    darc_weak_pair *pair; /* owned */
    int orders;           /* highest order of a total derivative + 1 */
    int degree, step, support;
    double *phi[12]; /* (-1)^d dt phi^(d), support + 1 values; owned */
    int margin;      /* largest half-width of a derivative */
    int pad;         /* largest reach of noise */
    int pieces;
    size_t piece_alloc;
    darc_weak_piece *piece; /* owned */
    size_t functions;
    int threads;
    bool linear; /* all partial derivatives are numbers: the covariance is
                    the same everywhere */
};

/* ---- weak_spline: the test functions -------------------------------------
 */

/* Return the standard deviation of the noise of a signal, 0 where exact. */
double darc_weak_noise_sd(const darc_weak_signal *s);

/* Return whether a term of total holds variable v. */
bool darc_weak_uses(const darc_total_t total, int v);

/* Set orders, degree, step, support and phi: splines of a support twice the
 * shortest period that matters, of a degree so high that what sampling adds
 * to their integrals lies below the noise of the noisiest signal, or 8 above
 * the least that the order of total needs. */
void darc_weak_set_functions(darc_weak *weak, const darc_weak_data *data,
                             const darc_total_t total, size_t longest);

/* Return a coefficient < coeffs whose moments are all 0 but for rounding; -1:
 * there is none. */
int darc_weak_vanishing(const darc_weak *weak, int coeffs);

/* ---- weak_piece: one piece in memory ------------------------------------ */

typedef struct {
    const darc_weak *weak;
    int piece;   /* whose moments are loaded; -1: none */
    int partial; /* whose partial derivatives are; -1: none */
    int samples; /* of the piece */
    int functions;
    size_t capacity;                    /* samples */
    const double *x[DARC_LAURENT_VARS]; /* variables */
    double *own[DARC_LAURENT_VARS];     /* room for those that are computed, or
                                           kept for partial derivatives */
    double *w;       /* moments: functions x coeffs, by columns */
    double **by;     /* by[g*vars + v]: partial derivative; NULL: number */
    double *number;  /* number[g*vars + v] */
    double **second; /* second[g*pairs + p]; NULL: 0 */
    double *s[DARC_LAURENT_VARS][12]; /* sum_j c_j by, of variable and order */
    double *s2[12];                   /* the same for one pair */
    double *acc[12];              /* sum_k x_k phi_k^(d) of darc_weak_adjoint */
    double *z[DARC_LAURENT_VARS]; /* noise of a channel, with pads */
    double *scratch;
    int band;   /* of the covariance */
    double *ab; /* lower band, (band + 1) x functions */
} darc_weak_work;

darc_weak_work *darc_weak_work_new(const darc_weak *weak);
void darc_weak_work_free(darc_weak_work *work);

/* Load the moments of a piece: w. */
void darc_weak_load(darc_weak_work *work, int piece);

/* Load its partial derivatives besides; needed by the calls below. */
void darc_weak_load_partials(darc_weak_work *work);

/* Set the sensitivities s to those at c; needed by the calls below. */
void darc_weak_at(darc_weak_work *work, const double *c);

/* Set the noise fields z to A' x. */
void darc_weak_adjoint(darc_weak_work *work, const double *x);

/* Set out (functions x coeffs) to the first-order effect of the fields z on
 * the moments. */
void darc_weak_forward(darc_weak_work *work, double *out);

/* Add to out (functions x coeffs) what the second-order part of V adds to the
 * regressors; follows darc_weak_adjoint at V^-1 e. */
void darc_weak_add_second(darc_weak_work *work, const double *c, double *out);

/* Set row to the response of e_k to unit white noise of the channel, from
 * `pad` samples before the support of phi_k to as many behind it; b is room for
 * support + 1 values. */
void darc_weak_row(const darc_weak_work *work, int channel, int k, double *row,
                   double *b);

/* Add to out[k] the sum of phi_k^(d) f, k < functions. */
void darc_weak_project(const darc_weak_work *work, double *out, int d,
                       const double *f);

/* Set ab to V(c). */
void darc_weak_covariance(darc_weak_work *work, const double *c,
                          bool second_order);

#endif
