/* circuits.h - small sets of terms whose coefficients depend on each other.
 *
 * Coefficients obey an algebraic relation where the columns of their Jacobian
 * at a random point depend on each other.  A set of terms is a circuit here if
 * it has more such dependences than it has without any one of them: then some
 * relation holds coefficients of all its terms.  Such relations have few
 * variables, so that they are found by interpolation where those of all
 * coefficients together are too many.
 */
#ifndef DARC_COEFFICIENT_CIRCUITS_H
#define DARC_COEFFICIENT_CIRCUITS_H

#include "coefficient/thresholds.h"
#include "coefficient/vectors.h"

typedef struct {
    const darc_vectors_struct *v;
    const nmod_mat_struct *jacobian;
    slong terms;        /* of all equations */
    slong (*column)[2]; /* of term t, in both recordings (or -1); owned */
    slong size;         /* terms of the set in hand; 0 before the first */
    slong term[DARC_MAX_CIRCUIT];
    slong excess; /* dependences between the columns of the set */
} darc_circuits;

/* Start the search among the coefficients v, whose Jacobian is given; s keeps
 * both. */
void darc_circuits_init(darc_circuits *s, const darc_vectors_t v,
                        const nmod_mat_t jacobian);
void darc_circuits_clear(darc_circuits *s);

/* Step to the next circuit, small ones first; return whether there is one.
 * Sizes of which there are more than some thousand sets are left out. */
bool darc_circuits_next(darc_circuits *s);

/* Set marked[j] to whether column j of v belongs to the set in hand. */
void darc_circuits_mark(bool *marked, const darc_circuits *s);

#endif
