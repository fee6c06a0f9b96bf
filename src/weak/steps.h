/* steps.h - signals that jump at known times, and what that makes of moments.
 *
 * A held input is constant from each sample to the next; an output that it
 * feeds through to jumps with it, and one that integrates it has kinks.  Where
 * the term N of an equation is N- before such a step and N+ behind it, both
 * smooth, a sum over samples of g N misses the integral by what is known of the
 * sum over the places j of g (N+ - N-) behind the step: with B the Bernoulli
 * numbers (B_1 = 1/2) and a step at place theta, 0 <= theta < 1,
 *   integral from theta of p = sum over j >= 1 of p(j) + sum_j e_j(theta) p(j),
 *   sum_j e_j(theta) j^m = (B_(m+1) - theta^(m+1)) / (m + 1), m = 0 .. 9,
 * j = -4 .. 5: exact for polynomials of degree 9 (Euler and Maclaurin at any
 * place of the lattice; Hurwitz's zeta function at -m).  Of a signal by itself
 * the powers of N+ - N- are weighed with g, by its derivatives at the step: no
 * series is continued over the samples around.  On uneven time what
 * jumps is taken off before samples are interpolated, and put back on the
 * lattice: a step may lie between two samples, of any rate.
 *
 * By how much outputs jump, the equations say: of (d/dt)^n of terms N, those
 * of the highest order that hold something which jumps add up to 0 in their
 * jumps; with the next order, in the jumps of their slopes; and so on: a pole
 * as fast as the sampling shows in higher derivatives.
 */
#pragma once

#include "weak/system.h"

/* Derivatives beyond the first whose jumps are known. */
enum { DARC_STEP_CURVES = 4 };

struct darc_steps {
    size_t count;
    double dt;   /* of samples, s */
    double *at;  /* s, ascending; owned */
    size_t *row; /* the first sample at or behind it; owned */
    int unknowns;
    double **from, **to; /* by unknown and step: a held signal before and
                            behind it; NULL: it is not held; owned */
    double **jump;       /* by unknown and step: of an output; NULL: it does
                            not; owned */
    double **kink;       /* the jump of its slope, 1/s; owned, with jump */
    double **curve;      /* by unknown and step DARC_STEP_CURVES of its higher
                            derivatives, where equations are linear in what
                            jumps and bends; else 0; owned */
    bool *curved;        /* by unknown: the curves are known; owned */
    bool *slight;        /* by unknown: neither it nor its slope jumps; owned */
    bool *before; /* by unknown: a sample at a step is of before it; owned */
};

/* Return the steps of the held signals among so many unknowns, a signal that is
 * late (darc_weak_signal) so much later; NULL: there are none. */
darc_steps *darc_steps_new(const darc_table *table,
                           const darc_weak_signal *signal, int unknowns);

/* Return steps of none: all is taken as smooth. */
darc_steps *darc_steps_none(int unknowns);
void darc_steps_free(darc_steps *steps);

/* Set which outputs jump or bend, and by how much, where coefficient j of
 * equation q is c[first[q] + j]; return whether there is one of either. */
bool darc_steps_follow(darc_steps *steps, const darc_weak_data *data,
                       const darc_total_struct *total, int equations,
                       const int *first, const double *c);

/* Return whether unknown u is an output that jumps with a held signal at a
 * sample of its own, so that it matters on which side that lies. */
bool darc_steps_has_side(const darc_steps *steps, const darc_weak_data *data,
                         const darc_total_struct *total, int equations, int u);

/* Return whether what follows steps outruns the samples: from one to the next
 * the highest derivative whose jump is known counts beside those below, and
 * others would, too; NULL: no. */
bool darc_steps_outrun(const darc_steps *steps);

enum { DARC_CROSSING_NODES = 4 };

/* When a signal passes 0, s, and by how much later with the value of sample
 * row - 2 + j, s. */
typedef struct {
    double at, slope[DARC_CROSSING_NODES];
} darc_crossing;

/* Set out to when signal x, unknown u, which bends at steps as they say, passes
 * 0 about step k.  The row of the step is the first behind it.  Return whether
 * two samples on either side show it. */
bool darc_steps_crossing(darc_crossing *out, const darc_steps *s, size_t k,
                         int u, const double *x, const darc_table *table);

/* ---- in a piece ---- */

enum {
    DARC_STEP_NODES = 10,
    DARC_STEP_LEFT = 4,
    DARC_STEP_POWERS = 2 + DARC_STEP_CURVES
};

/* A step as a piece sees it. */
typedef struct {
    size_t index; /* in the steps */
    double x;     /* places of the lattice */
    int place;    /* at or before it */
    int row;      /* of the piece, the first at or behind it */
    bool on;      /* it is at that sample */
    double weight[DARC_STEP_POWERS][DARC_STEP_NODES]; /* of place + j -
                       DARC_STEP_LEFT: e_j, and of (x - at)^power behind it */
} darc_weak_step;

/* Return whether a term of the group jumps or bends at steps. */
bool darc_weak_steps_touch(const darc_weak *weak, const darc_weak_group *group);

/* Return whether samples on both sides tell what the sum of a group misses. */
bool darc_weak_is_sided(const darc_weak *weak, const darc_weak_group *group);
