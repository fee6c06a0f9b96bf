/* candidate.h - terms that a model may lack, as text and as exponents. */
#ifndef DARC_FIT_CANDIDATE_H
#define DARC_FIT_CANDIDATE_H

#include "algebra/names.h"
#include "weak/total.h"

enum { DARC_CANDIDATE_FACTORS = 4, DARC_CANDIDATES = 48 };

typedef struct {
    darc_deriv d;
    int power;
    bool sign; /* sign of the derivative instead of a power */
} darc_candidate_factor;

typedef struct {
    int count;
    darc_candidate_factor f[DARC_CANDIDATE_FACTORS]; /* none: an offset */
} darc_candidate;

/* Append "z^3", "z*z'", "sign(z')", "1". */
void darc_candidate_print(darc_text_t out, const darc_candidate *c,
                          const darc_names_t names);

/* Append words: "a cubic term in z", "dry friction in z", "an offset". */
void darc_candidate_say(darc_text_t out, const darc_candidate *c,
                        const darc_names_t names);

/* Read what darc_candidate_print writes, and "offset".
 * Fails: DARC_DOMAIN for an unknown name or another shape. */
DARC_CHECKED darc_status darc_candidate_parse(darc_candidate *c,
                                              const char *text,
                                              const darc_names_t names,
                                              darc_err *err);

/* Set list to candidates for the equation of total: derivatives of its
 * signals up to one more than occurs, squares, cubes and products of signals
 * and first derivatives, friction, an offset; none that a part already is.
 * plain[u] excludes signals (derived ones).  Returns their number. */
int darc_candidates_list(darc_candidate *list, const darc_total_t total,
                         const bool *skip, const darc_ioeq *eq,
                         const darc_jet_t jet);

#endif
