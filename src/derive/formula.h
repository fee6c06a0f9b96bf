/* formula.h - estimated derivatives in expressions, and their errors.
 *
 * The formula is that of a ladder of widths whose truncation (its difference
 * from the next finer one) and noise are least together.  Its error at a sample
 * is the noise that it lets through and its truncation around that sample.
 * Where what is differentiated has a kink, as a position has in its velocity
 * when dry friction turns round, the finer formula errs in the same sense: the
 * true error is `kink` times what the difference shows.
 */
#pragma once

#include "derive/differ.h"
#include "derive/strip.h"
#include "noise/noise.h"

enum { DARC_FORMULAS = 8 };

/* A row of weights on uniform time. */
typedef struct {
    int half;
    double *weight; /* 2 half + 1; NULL: the formula has no such derivative;
                       owned */
    double square;  /* sum of the squared weights */
} darc_weights;

/* A rung of the ladder: the formula, and what it and the next differ by. */
typedef struct {
    darc_weights formula, difference;
} darc_rung;

/* Derivatives of one order in one recording. */
typedef struct {
    int order;
    const darc_table *table;
    darc_rung rung[DARC_FORMULAS];
    int best;     /* rung; -1: none fits anywhere */
    double noise; /* sd of what is differentiated */
    double kink;  /* error at a kink over the RMS difference around it */
} darc_formula;

/* Sums over samples where a formula and the next finer one fit. */
typedef struct {
    double truncation[DARC_FORMULAS], gain[DARC_FORMULAS]; /* of squares */
    double count[DARC_FORMULAS];
    darc_noisesums noise; /* of what is differentiated */
} darc_formula_sums;

void darc_formula_init(darc_formula *f, int order, const darc_table *table);

/* Return the samples in `at` and those on both sides that values of the
 * derivative are made of; of errors too if so said. */
darc_segment darc_formula_reach(const darc_formula *f, darc_segment at,
                                bool errors);

/* Add to the sums what the samples in `at` say, which lie in the stretch. */
void darc_formula_try(darc_formula_sums *sums, const darc_formula *f,
                      const darc_stretch *v, darc_segment at);

/* Take the formula that is best for noise of the given sd. */
void darc_formula_choose(darc_formula *f, const darc_formula_sums *sums,
                         double noise);

/* Return how many samples it takes: errors of neighbouring values are one. */
double darc_formula_width(const darc_formula *f);

/* Set out[i - at.begin] to the derivative at sample i, NAN where the formula
 * does not fit. */
void darc_formula_values(const darc_formula *f, double *out,
                         const darc_stretch *v, darc_segment at);

/* Set sd, and switching unless NULL, to the sd of the error, switching to that
 * which kinks make of it. */
void darc_formula_errors(const darc_formula *f, double *sd, double *switching,
                         const darc_stretch *v, darc_segment at);
