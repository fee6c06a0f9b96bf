/* weakpair.h - two recordings of one io-equation, fitted. */
#ifndef DARC_DECIDE_WEAKPAIR_H
#define DARC_DECIDE_WEAKPAIR_H

#include "coefficient/blackbox.h"
#include "decide/contrast.h"

typedef struct {
    const darc_model *model;
    const darc_ioeqs_struct *io;
    int e;
    darc_weakcheck_options options;
    darc_weakfit a, b;
    double structure; /* larger lower end of the defects of structure */
    bool fails;       /* it exceeds the tolerance */
    double tolerance; /* of changes: at least what the structure leaves and
                         what errors of derived signals make */
    bool copies;      /* both hold the same samples */
    darc_blackbox_struct *program; /* of all equations where this one is
                                          not expanded; not owned */
    double work; /* products of terms that points of the program may take */
} darc_weakpair;

DARC_CHECKED darc_status darc_weakpair_init(
    darc_weakpair *p, const darc_model *model, const darc_ioeqs_t io, int e,
    const darc_table *a, const darc_table *b, const darc_weakcheck_options *o,
    const darc_budget *budget, darc_err *err);
void darc_weakpair_clear(darc_weakpair *p);

/* Whether the signals of the equation of f agree sample by sample. */
bool darc_weakfit_are_copies(const darc_weakfit *f,
                             const darc_names_struct *names,
                             const darc_table *const table[2]);

/* Set c to the relations of the pairs that a change of `changed` can make;
 * NULL: to the differences of all ratios. */
DARC_CHECKED darc_status darc_weakpair_contrast(darc_contrast *c,
                                                const darc_weakpair *p,
                                                const bool *changed,
                                                const darc_budget *budget,
                                                darc_err *err);

/* Append the ratios of coefficients of both recordings to *list, *count of
 * them; list and the names of functions are owned by the caller. */
void darc_weakpair_estimates(darc_estimate **list, int *count,
                             const darc_weakpair *p);

/* Set d to the decision that nothing but `changed` (NULL: nothing) changed;
 * *untested: a change of these can make any pair.  Where more binds the
 * recordings than the relations known, `consistent` takes parameters that make
 * both.
 * Fails: as darc_weakpair_contrast. */
DARC_CHECKED darc_status darc_weakpair_test(darc_decision *d, bool *untested,
                                            const darc_weakpair *p,
                                            const bool *changed,
                                            const darc_budget *budget,
                                            darc_err *err);

#endif
