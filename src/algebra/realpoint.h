/* realpoint.h - real zeros of triangular equations, in boxes of rationals.
 *
 * What has no equation gets a simple value; every equation is then one of one
 * unknown: solved where it is linear, otherwise a change of sign is enclosed.
 * Arithmetic is that of intervals of rational numbers: the box holds a zero,
 * and what is said of signs holds in all of it.
 */
#pragma once

#include "algebra/dpoly.h"

typedef struct {
    fmpq_t low, high;
} darc_range;

typedef struct {
    slong vars;
    darc_range *at; /* of each variable; owned */
    bool exact;     /* all have no width */
} darc_realpoint;

/* Set p to a zero of the equations, whose leaders differ, rank ascending, that
 * try number `attempt` finds; values of variables that are positive are sought
 * above 0.  Return false, and p is cleared, where it finds none. */
bool darc_realpoint_init(darc_realpoint *p, const darc_dpolys_t equations,
                         const darc_jet_t jet, const bool *positive,
                         int attempt);
void darc_realpoint_clear(darc_realpoint *p);

/* Return the sign of f at p: -1, 1; 0: it is 0, or not known. */
int darc_realpoint_sign(const darc_realpoint *p, const darc_dpoly_t f,
                        const darc_jet_t jet);

/* Return whether all zeros of sum c_i s^i, not constant, at p lie left of the
 * imaginary axis (Routh and Hurwitz). */
bool darc_realpoint_is_stable(const darc_realpoint *p, const darc_dpolys_t c,
                              const darc_jet_t jet);
