/* vectors.h - coefficient vectors of one or two recordings at random
 * parameters, from polynomials or from a black box.
 */
#ifndef DARC_COEFFICIENT_VECTORS_H
#define DARC_COEFFICIENT_VECTORS_H

#include "coefficient/blackbox.h"

typedef struct {
    int vectors;                 /* as in coeffs.h: */
    int *recording, *equation;   /* owned */
    slong *first;                /* owned */
    slong vars;                  /* parameters, those that change twice */
    double cost;                 /* products of terms that a point takes */
    const darc_coeffs_struct *c; /* the polynomials; NULL: */
    darc_blackbox_struct *g;     /* their black box */
    slong *variable[2];          /* variable[r][p]: the variable that is
                                    parameter p of g in recording r; owned */
} darc_vectors_struct;

typedef darc_vectors_struct darc_vectors_t[1];

/* Set v to the vectors c, which it keeps. */
void darc_vectors_init_polynomials(darc_vectors_t v, const darc_coeffs_t c);

/* Set v to those of equation e (-1: all) of g, which it keeps: of one recording
 * if changed is NULL, else of two that differ in the parameters changed[u]. */
void darc_vectors_init_blackbox(darc_vectors_t v, darc_blackbox_t g, int e,
                                const bool *changed);
void darc_vectors_clear(darc_vectors_t v);

/* Set value (first[vectors] places) to all entries at a random point modulo
 * mod.n.
 * Fails: as darc_blackbox_at. */
DARC_CHECKED darc_status darc_vectors_sample(ulong *value,
                                             const darc_vectors_t v, nmod_t mod,
                                             flint_rand_t state, darc_err *err);

/* Weights of coefficients under the scalings of the parameters. */
typedef struct {
    slong count;   /* independent scalings */
    slong *weight; /* of column j under scaling i at j * count + i; owned */
} darc_grading;

/* Set w to all scalings of the vectors v; to none where these are not known as
 * polynomials.  Cost O(terms vars^2). */
void darc_grading_init(darc_grading *w, const darc_vectors_t v);
void darc_grading_clear(darc_grading *w);

#endif
