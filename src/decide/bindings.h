/* bindings.h - what a model makes coefficients obey, in one recording or
 * between two, for all equations that are held together.
 */
#pragma once

#include "coefficient/coeffrel.h"
#include "fit/estimates.h"
#include "projection/ioeq.h"
#include "stats/constraint.h"

typedef struct {
    int parts;
    darc_coeffrel_struct *part; /* owned */
    int count;                  /* relations in use */
    int *in, *which; /* of relation k: part, and index there; owned */
    int **place;   /* place[p][v]: variable of the constraint that variable v of
                      part p is; owned */
    int variables; /* recordings times coefficients */
    bool complete; /* all there is is known */
    bool wanting;  /* more binds the coefficients than is known */
} darc_bindings;

/* Set b to the relations among the coefficients of one recording (changed
 * NULL), or to those that involve two of which the parameters changed[u]
 * differ.  g: the coefficients as programs, for equations that are not
 * expanded (NULL: these bind nothing, and are wanting); work: products of terms
 * that points of them may take.
 * Fails: DARC_LIMIT on a spent budget; as darc_coeffrel_init_blackbox. */
DARC_STATUS darc_bindings_init(darc_bindings *b, const darc_question *x,
                               const bool *changed, darc_blackbox_struct *g,
                               double work, darc_err *err);
void darc_bindings_clear(darc_bindings *b);

/* The relations and their Jacobian, as darc_constraint asks for them; user is
 * the bindings. */
void darc_bindings_evaluate(const void *user, const double *x, double *h,
                            double *jac);

/* Impose relations of one recording on its estimates: what maximum likelihood
 * makes of them.  Where a model would be refused for them at level alpha
 * (DARC_SIDE_SHARE of it is theirs), the estimates stay as they are. */
void darc_bindings_impose(const darc_bindings *b, darc_estimates *e,
                          double alpha);

/* Append "c0*c3-c1^2 = 0, ...": c1(y) is that of the equation of y where there
 * are several, cA1, cB1 those of two recordings. */
void darc_bindings_print(darc_text_t out, const darc_bindings *b,
                         const darc_question *x);

/* Coefficients that depend on fewer parameters than there are ratios of them
 * obey relations, which a fit of free coefficients does not test.
 */

/* Return whether the ratios of the coefficients of equation e are certain to
 * be algebraically independent.  model NULL: the equation is expanded. */
bool darc_freedom_is_full(const darc_model *model, const darc_ioeqs_t io, int e,
                          const darc_budget *budget);
