/* candidate.h - terms that a model may lack.
 *
 * A term is a product of powers of derivatives of signals and of differences of
 * two signals, or the sign of one: z^3, (zb - zw)^3, v'^2*v'', sign(zb' - zw').
 * Besides, what a sensor may do: a lag of a signal adds T times the derivative
 * of all that the signal stands in; an origin inside a nonlinear term, its
 * derivative by the signal; and what was recorded besides: columns that the
 * model does not use.
 */
#pragma once

#include "projection/ioeq.h"
#include "weak/total.h"

enum { DARC_CANDIDATE_FACTORS = 4, DARC_CANDIDATES = 60 };

typedef struct {
    darc_deriv d;
    int other; /* signal whose derivative of that order is taken off; -1: none
                */
    int power;
    bool sign; /* sign instead of a power */
} darc_candidate_factor;

typedef enum {
    DARC_CANDIDATE_TERM,
    DARC_CANDIDATE_LAG,   /* of f[0].d.unknown */
    DARC_CANDIDATE_ORIGIN /* likewise */
} darc_candidate_kind;

typedef struct {
    darc_candidate_kind kind;
    int count;
    darc_candidate_factor f[DARC_CANDIDATE_FACTORS]; /* none: an offset */
    int order;          /* of the total derivative of all factors together */
    const char *column; /* of the recording, that the model does not use, in
                           place of factors; NULL: none */
} darc_candidate;

/* Whether it is a constant. */
static inline bool darc_candidate_is_constant(const darc_candidate *c)
{
    return c->kind == DARC_CANDIDATE_TERM && c->count == 0 && c->column == NULL;
}

/* Append "z^3", "(zb - zw)^3", "sign(z')", "der(z^3, 2)", "1", "lag(z)",
 * "origin(z)". */
void darc_candidate_print(darc_text_t out, const darc_candidate *c,
                          const darc_names_t names);

/* Append words: "a cubic term in z", "dry friction in z", "an offset". */
void darc_candidate_say(darc_text_t out, const darc_candidate *c,
                        const darc_names_t names);

/* Read what darc_candidate_print writes, and "offset".
 * Fails: DARC_USAGE for an unknown name or another shape. */
DARC_STATUS darc_candidate_parse(darc_candidate *c, const char *text,
                                 const darc_names_t names, darc_err *err);

/* Set list to candidates for an equation and its total: derivatives of its
 * signals up to one more than occurs, squares, cubes and products of signals
 * and derivatives, second derivatives of squares and cubes (what a state that
 * was eliminated has of them), friction, an offset, the same of differences
 * that stand in the equation, lags and origins; none that a part already is.
 * skip[u] excludes signals (derived ones).  Returns their number. */
int darc_candidates_list(darc_candidate *list, const darc_total_t total,
                         const bool *skip, const darc_ioeq *eq,
                         const darc_jet_t jet);

/* The terms that a model has itself: the first ones of its total. */
typedef struct {
    int terms;
    const double *c; /* by coefficient of these */
} darc_model_terms;

/* Append the candidate to total, which begins with the model's own terms, as
 * one more coefficient; return its index, -1 (and nothing done) where it needs
 * a derivative outside the frame of total.  sign: the variable of total that
 * stands for its sign or column; -1: it has none. */
int darc_candidate_append(darc_total_t total, const darc_candidate *cand,
                          const darc_model_terms *own, int sign);

/* Return the factor that is a sign; NULL: there is none. */
const darc_candidate_factor *darc_candidate_sign(const darc_candidate *c);
