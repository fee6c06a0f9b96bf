/* decompose.h - examples of elimination: run, verified, looked into. */
#ifndef DARC_TEST_DECOMPOSE_H
#define DARC_TEST_DECOMPOSE_H

#include "ring.h"

#include "chain/chain.h"

/* A system and what is asked of its decomposition. */
typedef struct {
    const char *names, *ranking, *eq, *ineq;
} example;

/* Set d to the decomposition of x, r to its ring.  Checked: every equation of
 * the system belongs to every component, no inequation of one does. */
void decompose(darc_decomposition_t d, ring *r, const example *x,
               bool generic_only);
void verify(const darc_decomposition_t d, const ring *r);
void finish(darc_decomposition_t d, ring *r);

/* Return equation k of component i, which exist. */
const darc_dpoly_struct *equation(const darc_decomposition_t d, int i, slong k);

#endif
