/* piece.h - one piece of a weak system in memory: moments, their partial
 * derivatives, what noise makes of them.
 */
#pragma once

#include "stats/uneven.h"
#include "weak/steps.h"
#include "weak/system.h"

/* The samples of the piece that a test function sees. */
typedef struct {
    int first, count;
} darc_weak_window;

typedef struct {
    const darc_weak *weak;
    darc_weak_window *window; /* by function, with weak->stamps alone; owned */
    darc_uneven lattice[DARC_WEAK_RATES]; /* likewise */
    double *place;        /* room for a value a place of it; owned */
    darc_weak_step *step; /* of the piece; owned */
    int steps;
    size_t step_room;
    double *behind, *smooth; /* room for a value a sample; owned */
    bool placed;             /* window and lattice are those of the piece */
    int piece;               /* whose moments are loaded; -1: none */
    int partial;             /* whose partial derivatives are; -1: none */
    int samples;             /* of the piece */
    int functions, rows;     /* rows = functions * equations */
    size_t capacity;         /* samples */
    const double *x[DARC_LAURENT_VARS]; /* variables */
    double *own[DARC_LAURENT_VARS];     /* room for those that are computed */
    double *calm[DARC_LAURENT_VARS];    /* denoised variables; NULL where the
                                           system is linear */
    const double *w;                    /* moments: rows x coeffs, by columns */
    double *room;    /* for them; NULL: they are kept by the system; owned */
    double **by;     /* by[g*vars + v]: partial derivative; NULL: number */
    double *number;  /* number[g*vars + v] */
    double **second; /* second[g*pairs + p]; NULL: 0 */
    double **s;      /* s[(q*vars + v)*shapes + d]: sum_j c_j by, of equation,
                        variable and order; NULL: 0 */
    double **s2;     /* s2[(q*pairs + p)*shapes + d] */
    double *acc[DARC_WEAK_SHAPES]; /* sum_k x_k phi_k^(d) */
    double **z; /* noise of a channel, weak->left values before the piece and
                   weak->right behind; channels of pairs behind */
    double *scratch; /* three times a noise field */
    int band;        /* of the covariance */
    double *ab;      /* lower band, (band + 1) x rows */
    bool sided;      /* forward counts the noise of samples at steps too */
} darc_weak_work;

darc_weak_work *darc_weak_work_new(const darc_weak *weak);
void darc_weak_work_free(darc_weak_work *work);

/* Set weak->wide, once pieces are known, and make room for gains of stamps. */
void darc_weak_widen(darc_weak *weak);

/* Load the moments of a piece: w. */
void darc_weak_load(darc_weak_work *work, int piece);

/* Load its partial derivatives besides, at denoised signals; needed by the
 * calls below. */
void darc_weak_load_partials(darc_weak_work *work);

/* Set the sensitivities s and s2 to those at c; needed by the calls below. */
void darc_weak_at(darc_weak_work *work, const double *c);

/* Set the noise fields z of all channels to A' x, x of `rows` values. */
void darc_weak_adjoint(darc_weak_work *work, const double *x);

/* Set out (rows x coeffs) to the first-order effect of the fields z on the
 * moments. */
void darc_weak_forward(darc_weak_work *work, double *out);

/* Set row to the response of row k*equations + q to unit white noise of the
 * channel (those of pairs behind), from weak->left samples before the support
 * of phi_k to weak->right behind it. */
void darc_weak_row(darc_weak_work *work, int channel, int k, int q,
                   double *row);

/* Add to row the response of the moments of a coefficient to a channel, in a
 * linear system on even time. */
void darc_weak_unit_row(const darc_weak *weak, int coeff, int channel,
                        double *row);

/* Add to out[k*equations], k < functions, the sum of a shape of phi_k and f. */
void darc_weak_project(darc_weak_work *work, double *out, int shape,
                       const double *f);

/* Load the steps of the piece. */
void darc_weak_steps_load(darc_weak_work *work);

/* Make of f, noise of a group by sample of the piece, what the correction of
 * sums at steps makes of it. */
void darc_weak_steps_noise(darc_weak_work *work, const darc_weak_group *group,
                           double *f);

/* Return what f, the samples of a group, is at the places of the lattice, so
 * that a sum over them is the integral; good until the next call. */
const double *darc_weak_values(darc_weak_work *work,
                               const darc_weak_group *group, const double *f);

/* Return where the moments of a group begin in a rows x coeffs array. */
double *darc_weak_moments_of(const darc_weak_work *work, double *w,
                             const darc_weak_group *group);

/* Return the band of V(c). */
int darc_weak_band_of(const darc_weak *weak);

/* Set ab to V(c). */
void darc_weak_covariance(darc_weak_work *work);

/* Return the shape of the derivative d of the functions on the samples of a
 * group; of darc_weak_project. */
int darc_weak_shape(const darc_weak *weak, const darc_weak_group *group, int d);

/* Return the length of a noise field of the piece that is loaded. */
size_t darc_weak_field(const darc_weak_work *work);

/* Return the number of channels, those of pairs included. */
int darc_weak_channels(const darc_weak *weak);

typedef struct {
    double *e;      /* whitened residual L^-1 e */
    double *x;      /* V^-1 e */
    double *raw;    /* L^-1 W */
    double *reg;    /* L^-1 W~ */
    double *hold;   /* noise fields, all channels */
    double *factor; /* L, lower band; not owned */
} darc_columns_room;

/* a = L^-1 a (trans 'T': L^-T a) for r columns. */
void darc_columns_whiten(const darc_weak_work *work, const darc_columns_room *b,
                         double *a, int r, char trans);

/* Set out to sum_j c_j column j of w. */
void darc_columns_combine(const darc_weak_work *work, double *out,
                          const double *w, const double *c);

/* h += weight a' a, a of k rows. */
void darc_columns_gram(double *h, double weight, const double *a, size_t k,
                       int coeffs);

/* Return the moments of all pieces, column by column: functions * equations
 * rows; the caller frees them. */
double *darc_columns_all(const darc_weak *weak);
