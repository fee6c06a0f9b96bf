/* grading.h - weights of coefficients under the scalings of the parameters.
 *
 * Where parameters may be scaled so that every coefficient is multiplied by a
 * power of the scale (units of time, of a signal, of force), relations between
 * coefficients are sums of relations whose monomials all have the same weight:
 * those of one weight are sought alone, and are much fewer.
 */
#ifndef DARC_COEFFICIENT_GRADING_H
#define DARC_COEFFICIENT_GRADING_H

#include "coefficient/vectors.h"

typedef struct {
    slong count;   /* independent scalings */
    slong *weight; /* of column j under scaling i at j * count + i; owned */
} darc_grading;

/* Set w to all scalings of the vectors v; to none where these are not known as
 * polynomials.  Cost O(terms vars^2). */
void darc_grading_init(darc_grading *w, const darc_vectors_t v);
void darc_grading_clear(darc_grading *w);

#endif
