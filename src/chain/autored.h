/* autored.h - triangular sets: at most one equation per unknown.
 *
 * The equation of unknown u is the one whose leader is a derivative of u.
 * Its derivatives are kept once they have been computed.  The set becomes
 * autoreduced only at the end (regular.h): doing so at every step lets the
 * equations grow for nothing.
 */
#pragma once

#include "algebra/dpoly.h"

typedef struct {
    int unknowns;
    darc_dpolys_struct *of; /* of[u].p[k] is the k-th derivative of the
                               equation of u; of[u].count 0: none */
} darc_autored_struct;

typedef darc_autored_struct darc_autored_t[1];

void darc_autored_init(darc_autored_t a, const darc_jet_t jet);
void darc_autored_clear(darc_autored_t a, const darc_jet_t jet);

/* Return the equation of unknown u, or NULL. */
darc_dpoly_struct *darc_autored_get(const darc_autored_t a, int u);

/* Return the order of the leader of the equation of u, -1 without one. */
int darc_autored_order(const darc_autored_t a, int u, const darc_jet_t jet);

/* Insert p, which has a leader whose unknown has no equation. */
void darc_autored_insert(darc_autored_t a, const darc_dpoly_t p,
                         const darc_jet_t jet);

/* Remove the equation of u. */
void darc_autored_remove(darc_autored_t a, int u, const darc_jet_t jet);

/* Set *g to the k-th derivative of the equation of u, which exists; it lives
 * until a changes.  Fails: DARC_LIMIT when it leaves the frame. */
DARC_STATUS darc_autored_diff(const darc_dpoly_struct **g, darc_autored_t a,
                              int u, int k, const darc_jet_t jet,
                              darc_err *err);

/* Set unknown[0 .. n-1] to the unknowns that have an equation, lowest rank
 * first, and return n. */
int darc_autored_sorted(int *unknown, const darc_autored_t a,
                        const darc_jet_t jet);

/* Return whether every entry's leader is a derivative of its unknown. */
bool darc_autored_is_canonical(const darc_autored_t a, const darc_jet_t jet);
