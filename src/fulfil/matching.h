/* matching.h - when a model behaves as a target does: equations in parameters
 * (src/MATHEMATICS.md, 11, Meeting a target). */
#pragma once

#include "algebra/dpoly.h"
#include "algebra/nullstellensatz.h"
#include "projection/ioeq.h"

/* Of a model: its equations, and which of its parameters are sought. */
typedef struct {
    const darc_model *model;
    darc_ioeqs_struct *io; /* expanded */
    const bool *free;      /* of each unknown */
} darc_matching_side;

typedef struct {
    darc_jet_t jet; /* the parameters: name u is variable u */
    int own, free;  /* names 0 .. own-1 are the model's that are sought, then
                       up to free - 1 the target's; the others are given */
    darc_signs sign;
    bool *positive, *nonzero; /* owned */
    int *name[2];       /* of each unknown of model and target; -1; owned */
    darc_dpolys_t f;    /* what must vanish */
    darc_dpolys_t ineq; /* what must not: divisors and assumptions */
    int dropped;        /* orders of the model that the target has not */
    bool linear;        /* both, with one output */
    bool driven;        /* they have an input */
    darc_dpolys_t mode; /* then: coefficients of what they have in s, s^0 first,
                           where f vanishes */
    bool sure;          /* the model's equations hold whatever values the
                           parameters have; otherwise some may be special */
    bool whole;         /* the io-equations say all of both models */
} darc_matching;

/* Set m for model and target, whose signals are the same.
 * Fails: DARC_USAGE when they are not; DARC_LIMIT. */
DARC_STATUS darc_matching_init(darc_matching *m,
                               const darc_matching_side *model,
                               const darc_matching_side *target,
                               const darc_budget *budget, darc_err *err);
void darc_matching_clear(darc_matching *m);
