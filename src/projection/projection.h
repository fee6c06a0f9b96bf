/* projection.h - a model in solved form modulo a prime, its states eliminated
 * one by one, by projections [DGHP23].
 *
 * Invariant: with r the alive states, c_j = order[j] and Y all y_i^(k) with
 * k < c_i, every alive state has a relation between r', the alive states, Y
 * and the inputs, and every output one between y_j^(c_j) and the same; Y and
 * the alive states are algebraically independent.  A step takes an output j
 * whose relation Q_j contains a state x, differentiates Q_j, and eliminates x
 * by Q_j from everything: c_j grows by one, and x is gone.
 */
#pragma once

#include "model/solved.h"
#include "modular/reconstruct.h"
#include "modular/ring.h"
#include "projection/ioeq.h"
#include "projection/point.h"

/* ---- an elimination to be done: a model in solved form, and the orders that
 * its io-equations have
 *
 * The order of every io-equation is known before any elimination, by the rank
 * of the Jacobian of the Lie derivatives at a random point. */

typedef struct {
    darc_solved_t s;
    int *order;   /* order[j] of the io-equation of output j; owned */
    int *bound;   /* of a frame for the io-equations, by unknown; owned */
    slong length; /* of the power series of a point for that frame */
    const darc_budget *budget;
    flint_rand_t rand;
} darc_problem_struct;

typedef darc_problem_struct darc_problem_t[1];

/* Set p to the elimination for model under ranking; p keeps budget.
 * Fails: DARC_DOMAIN when the model has no solved form, or no outputs. */
DARC_STATUS darc_problem_init(darc_problem_t p, const darc_model *model,
                              const darc_ranking_struct *ranking,
                              const darc_budget *budget, darc_err *err);
void darc_problem_clear(darc_problem_t p);

/* Set the orders to those under another ranking: order[j] is the lowest k for
 * which the k-th derivative of output j depends on lower derivatives of the
 * outputs, by the rank of the Jacobian of the Lie derivatives with respect to
 * the states. */
void darc_problem_rank(darc_problem_t p, const darc_ranking_struct *ranking);

/* ---- projections */

/* A change of the coordinate of a state: z = a*w + b took the name of w. */
typedef struct {
    int state;
    nmod_mpoly_t a, b;
} darc_coordinate;

typedef struct {
    const darc_solved_struct *s;
    bool numeric; /* whether parameters are put in */
    darc_ring_t ring;
    darc_deriv *deriv; /* meaning of ring variable v; owned */
    slong *next;       /* next[v]: variable of v', -1: v' = 0, -2: v' = 1,
                          -3: outside the ring; owned */
    slong *x, *dx;     /* variables of state i and its derivative; owned */
    slong spare;       /* two variables for changes of coordinates */
    bool *alive;       /* states not yet eliminated; owned */
    darc_mpoly *E;     /* relation of state i; owned */
    int *order;        /* c_j; owned */
    const int *target; /* the orders to reach */
    slong **y;         /* y[j][k]: variable of y_j^(k), k <= target[j] */
    darc_mpoly *Q;     /* relation of output j; owned */
    long steps, total;

    darc_mpoly *pivot; /* pivot[i]: by what state i went; 0 while it is alive,
                          or where nobody is told of the steps; owned */
    bool keeps_coordinates; /* no change of coordinates is made */
    int changes;
    darc_coordinate *change; /* of coordinates, in that order; owned */
} darc_projection_struct;

typedef darc_projection_struct darc_projection_t[1];

/* Set proj to p at the point pt, whose parameters are put in if numeric; proj
 * keeps p. */
void darc_projection_init(darc_projection_t proj, const darc_problem_t p,
                          const darc_point_t pt, bool numeric);
void darc_projection_clear(darc_projection_t proj);

/* Set d to the derivative of f along the solutions, the derivatives of alive
 * states being variables. */
void darc_projection_derive(darc_mpoly *d, const darc_mpoly *f,
                            const darc_projection_t proj);

/* Set q, in the frame jet, to the polynomial with the monomials of f and the
 * coefficients coeff (NULL: 1); variable v of the ring is deriv[v], those of f
 * lie in the frame. */
void darc_projection_carry(darc_dpoly_t q, const darc_jet_t jet,
                           const fmpz *coeff, const darc_mpoly *f,
                           const darc_deriv *deriv, const darc_ring_t ring);

/* Take in f, the image of a polynomial over the integers modulo one more prime,
 * but one that lost terms; return whether the images tell the polynomial, to
 * which q is set then, as above, primitive.  image->n is 0 at first. */
bool darc_projection_join(darc_dpoly_t q, const darc_jet_t jet,
                          darc_residues *image, const darc_mpoly *f,
                          const darc_deriv *deriv, const darc_ring_t ring);

/* ---- another coordinate for a state, before it becomes a divisor
 *
 * Eliminating x by B*x + A = 0 divides by B.  Where B = c*(a*w + b) with one
 * state w, the coordinate z = a*w + b in place of w makes the divisor a
 * monomial: what follows stays shorter by orders of magnitude. */

/* Change a coordinate of proj, if that helps, before state i is eliminated by
 * Q_j. */
DARC_STATUS darc_coordinate_change(darc_projection_t proj, int j, int i,
                                   darc_err *err);

/* Set g to f in the coordinates that the states had at first. */
void darc_coordinate_restore(darc_mpoly *g, const darc_mpoly *f,
                             const darc_projection_t proj);
