/* meeting.h - `darc fulfil` by equations: parameters with which those of the
 * model are those of the target. */
#pragma once

#include "chain/elim.h"
#include "darc/fulfil.h"
#include "fulfil/matching.h"

typedef struct {
    darc_fulfilled shown; /* first: what the caller sees */
    const darc_budget *budget;
    darc_model *model[2]; /* of which the numbers given are known; owned */
    bool *free[2];        /* of each unknown; owned */
    darc_ioeqs_t io[2];
    bool has_io[2], has_matching, has_components;
    darc_matching m;
    darc_decomposition_t d;
    darc_fulfilling *parameter;   /* owned */
    char **condition, **relation; /* owned */
    bool unstable; /* points were passed over, for what they cancel */
} darc_meeting;

/* Set verdict, reason and what goes with them; budget, model and free are
 * given.
 * Fails: as darc_fulfil. */
DARC_CHECKED darc_status darc_meeting_decide(darc_meeting *t, darc_err *err);

/* Free the parameters of t; all of it. */
void darc_meeting_forget(darc_meeting *t);
void darc_meeting_clear(darc_meeting *t);

/* ---- parameters as formulas, and proofs, as text */

/* Append what the equation p = 0 gives for its leader: a quotient in lowest
 * terms, "(a - b)/c", or "a zero of p"; return the sign that it has by those of
 * its variables, 0: not known. */
int darc_formula_print(darc_text_t out, const darc_dpoly_t p,
                       const darc_signs *sign, const darc_jet_t jet);

/* Append the polynomial sum c_i s^i. */
void darc_formula_print_modes(darc_text_t out, const darc_dpolys_t c,
                              const darc_jet_t jet);

/* Append the identity q_1*(f_1) + ... = m that r is, without the f_i where it
 * takes too much room. */
void darc_formula_print_proof(darc_text_t out, const darc_refutation *r,
                              const darc_dpolys_t f, const darc_jet_t jet);
