/* ring.h - systems of differential polynomials for tests, from text. */
#ifndef DARC_TEST_RING_H
#define DARC_TEST_RING_H

#include "algebra/dpoly.h"
#include "chain/elim.h"

typedef struct {
    darc_names_t names;
    darc_ranking_t ranking;
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
} ring;

/* Names by kind: "x1 x2|a b|y|u|t" (states, parameters, outputs, inputs,
 * time); ranking as in a model, NULL: the default; polynomials separated by
 * ';', with x_2 for the second derivative of x.  Orders up to `bound`. */
void ring_init(ring *r, const char *names, const char *ranking, int bound,
               const char *eq, const char *ineq);
void ring_clear(ring *r);

/* Set p, initialised, from text in the frame jet. */
void ring_read(darc_dpoly_t p, const char *text, const darc_jet_t jet);

/* Return whether p is the polynomial of the text, up to a factor -1. */
int ring_is(const darc_dpoly_t p, const char *text, const darc_jet_t jet);

/* Print a decomposition to standard output, for a person. */
void ring_show(const darc_decomposition_t d);

#endif
