/* offers.h - what an equation may lack, appended to it: candidates, with the
 * signals that they need besides those of the model.
 *
 * Behind the unknowns stand signals whose sign is taken, or columns of the
 * recording that the model does not use, with their own noise.
 */
#pragma once

#include "fit/fit.h"
#include "terms/candidate.h"
#include "terms/thresholds.h"

/* The candidates of an equation. */
typedef struct {
    darc_candidate list[DARC_CANDIDATES];
    int count;
    int coeff[DARC_CANDIDATES]; /* of the system; -1: not possible */
} darc_offer;

typedef struct {
    const darc_fit *f;
    const darc_question *x;
    const darc_table *table;
    const darc_table *all;    /* columns of it to try; NULL: terms of signals */
    int from;                 /* of these the first */
    darc_offer *offer;        /* by equation; owned */
    darc_total_struct *total; /* with the candidates behind; owned */
    darc_weak_signal *signal; /* by unknown, and what stands behind; owned */
    darc_weak_channel *channel; /* those of the fit, of columns behind; owned */
    int channels;
    double sd[DARC_MISSING_SIGNS];               /* of the noise of a column */
    darc_weak_source source[DARC_MISSING_SIGNS]; /* its noise */
    int signs;
    darc_candidate_factor sign[DARC_MISSING_SIGNS];
    double **difference; /* values of what a sign is taken of; owned */
} darc_offers;

/* Add candidates to the equations of s, of which the first five members are
 * set; release it with darc_offers_clear in any case.
 * Fails: DARC_USAGE for a term of the user that cannot be read, or needs a
 * derivative that no equation reaches. */
DARC_STATUS darc_offers_open(darc_offers *s, darc_err *err);
void darc_offers_clear(darc_offers *s);

/* Return the value at sample t of what a factor holds, without its order. */
double darc_offers_value(const darc_offers *s, const darc_candidate_factor *f,
                         size_t t);

/* Return the RMS of the noise of that value. */
double darc_offers_noise(const darc_offers *s, const darc_candidate_factor *f);

/* Return the signal that stands for a sign; -1: none does. */
int darc_offers_sign(const darc_offers *s, const darc_candidate_factor *f);
