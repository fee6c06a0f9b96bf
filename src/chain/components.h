/* components.h - one decomposition: the loop of rosenfeld in a frame that
 * grows, then components made canonical, measured, sorted, and thinned. */
#pragma once

#include "algebra/solution.h"
#include "chain/elim.h"

/* What is asked: a system in its frame, how far to go. */
typedef struct {
    const darc_dpolys_struct *eq, *ineq;
    const darc_jet_struct *jet;
    bool generic_only;
    const darc_budget *budget;
    long max_steps;  /* then DARC_LIMIT; 0: no bound; so, too, when a */
    slong max_terms; /* remainder has more terms; 0: no bound */

    /* A prime component of the system, a linear chain in a frame of its own;
     * only this one is followed (see rosenfeld.h); NULL: all. */
    const darc_dpolys_struct *prime;
    const darc_jet_struct *prime_jet;
} darc_request;

/* Set out to the decomposition asked for, out->jet has the ranking of q->jet.
 * Fails: DARC_LIMIT as darc_elim; DARC_DOMAIN when no random point of the
 * prime component is found. */
DARC_STATUS darc_components_init(darc_decomposition_t out,
                                 const darc_request *q, darc_err *err);

/* Set s to random point number 1, 2, ... of a prime component, the linear chain
 * in frame `from`, with all derivatives of the frame jet.
 * Fails: DARC_DOMAIN; s is then cleared. */
DARC_STATUS darc_components_point(darc_solution_t s, const darc_dpolys_t chain,
                                  const darc_jet_t from, const darc_jet_t jet,
                                  int number, darc_err *err);

/* Return -1, 0, 1 as the dimension of a is smaller than, equal to (or not
 * comparable with), greater than that of b. */
int darc_components_cmp(const darc_component *a, const darc_component *b,
                        const darc_jet_t jet);

/* ---- seeing that an ideal is prime, before eliminating
 *
 * Most systems come in solved form: under a ranking that suits them (outputs
 * over states over inputs, say) they decompose at once, into a single chain
 * whose equations are linear in their leaders.  The ideal of such a chain is
 * prime, being the kernel of a substitution; so under any other ranking it
 * has one component too, and random points of it tell which factors,
 * initials and separants vanish on it: elimination needs no splitting
 * (Boulier, Lemaire, Moreno Maza, PARDI!, ISSAC 2001). */

typedef struct {
    bool found;             /* else nothing below is set */
    bool whole;             /* the chain is all of the system; else the one
                               component of greatest dimension */
    darc_decomposition_t d; /* component 0 is the linear chain */
} darc_prime_struct;

typedef darc_prime_struct darc_prime_t[1];

/* Try to find a linear chain for the system of q, under rankings of its own.
 * Fails: DARC_LIMIT when q->budget is spent. */
DARC_STATUS darc_prime_init(darc_prime_t p, const darc_request *q,
                            darc_err *err);
void darc_prime_clear(darc_prime_t p);
