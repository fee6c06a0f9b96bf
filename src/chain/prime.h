/* prime.h - seeing that an ideal is prime, before eliminating.
 *
 * Most systems come in solved form: under a ranking that suits them (outputs
 * over states over inputs, say) they decompose at once, into a single chain
 * whose equations are linear in their leaders.  The ideal of such a chain is
 * prime, being the kernel of a substitution; so under any other ranking it
 * has one component too, and random points of it tell which factors,
 * initials and separants vanish on it: elimination needs no splitting
 * (Boulier, Lemaire, Moreno Maza, PARDI!, ISSAC 2001).
 */
#ifndef DARC_CHAIN_PRIME_H
#define DARC_CHAIN_PRIME_H

#include "chain/components.h"

typedef struct {
    bool found;             /* else nothing below is set */
    bool whole;             /* the chain is all of the system; else the one
                               component of greatest dimension */
    darc_decomposition_t d; /* component 0 is the linear chain */
} darc_prime_struct;

typedef darc_prime_struct darc_prime_t[1];

/* Try to find a linear chain for the system of q, under rankings of its own.
 * Fails: DARC_LIMIT when q->budget is spent. */
DARC_CHECKED darc_status darc_prime_init(darc_prime_t p, const darc_request *q,
                                         darc_err *err);
void darc_prime_clear(darc_prime_t p);

#endif
