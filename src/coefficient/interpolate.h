/* interpolate.h - polynomial relations between coefficient vectors, found by
 * interpolation: the monomials of one multidegree are evaluated at random
 * parameters modulo a prime, and linear dependences between them are
 * relations.
 */
#pragma once

#include "coefficient/blackbox.h"
#include "coefficient/thresholds.h"

/* ---- coefficient vectors of one or two recordings at random parameters, from
 * polynomials or from a black box */

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

/* Set v to those of equation e (-1: all) of g, which it keeps: of one recording
 * if changed is NULL, else of two that differ in the parameters changed[u]. */
void darc_vectors_init_blackbox(darc_vectors_t v, darc_blackbox_t g, int e,
                                const bool *changed);
void darc_vectors_clear(darc_vectors_t v);

/* Set value (first[vectors] places) to all entries at a random point modulo
 * mod.n.
 * Fails: as darc_blackbox_at. */
DARC_STATUS darc_vectors_sample(ulong *value, const darc_vectors_t v,
                                nmod_t mod, flint_rand_t state, darc_err *err);

/* Weights of coefficients under the scalings of the parameters. */
typedef struct {
    slong count;   /* independent scalings */
    slong *weight; /* of column j under scaling i at j * count + i; owned */
} darc_grading;

/* ---- interpolation */

/* Random points of the variety of the vectors. */
typedef struct {
    const darc_vectors_struct *v;
    nmod_t mod;
    slong columns;
    slong count;
    ulong *value; /* value[i * columns + j]: entry j at point i; owned */
    flint_rand_t state;
} darc_sampling;

void darc_sampling_init(darc_sampling *s, const darc_vectors_t v, ulong seed);
void darc_sampling_clear(darc_sampling *s);

/* Make points up to number n - 1.
 * Fails: as darc_vectors_sample. */
DARC_STATUS darc_sampling_fill(darc_sampling *s, slong n, darc_err *err);

/* Return the values of all entries at point i, which is there. */
const ulong *darc_sampling_at(const darc_sampling *s, slong i);

/* The monomials of one multidegree: products of `degree` columns each,
 * monomial i is col[i * degree + .], grouped by their weights. */
typedef struct {
    slong count;
    slong degree;
    slong *col; /* owned */
    slong groups;
    slong *first;  /* group i: monomials first[i] .. first[i + 1] - 1; owned */
    slong largest; /* monomials of the largest group; -1: far too many */
    double products; /* about what interpolation takes, modulo a prime */
} darc_ansatz;

/* Set m to the monomials of degree[i] in vector i of v. */
void darc_ansatz_init(darc_ansatz *m, const darc_vectors_t v, const int *degree,
                      const darc_grading *weights);

/* A growing list of polynomials. */
typedef struct {
    const fmpz_mpoly_ctx_struct *ctx; /* not owned */
    slong count;
    fmpz_mpoly_struct *p; /* owned */
} darc_poly_list;

/* Append to h, whose variable j is column j, a basis of the relations of the
 * monomials modulo the prime of s, sparse ones first, lifted to the integers:
 * to be checked modulo another prime.  Those whose coefficients exceed about
 * 2^29 are left out.
 * Fails: as darc_sampling_fill. */
DARC_STATUS darc_interpolate(darc_poly_list *h, darc_sampling *s,
                             const darc_ansatz *m, darc_err *err);
