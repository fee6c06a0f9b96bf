/* evidence.h - what a recording says of a structure: the fit to it, and the
 * tests that share the level alpha.
 *
 *   residual   Q of all equations is chi-square under the model.
 *   relations  what the model makes the coefficients obey adds little to Q.
 *   missing    no candidate term takes away more of Q than chance does.
 * Each of the last two gets DARC_SIDE_SHARE of alpha, the first the rest; where
 * the user names the terms, the first and the last change places.  Where noise
 * is estimated with the equations, the place of the residual is taken by
 *   past       what is left does not go with what inputs did before.
 * That gets DARC_SIDE_SHARE then, and terms the rest.
 */
#pragma once

#include "decide/bindings.h"
#include "fit/estimates.h"
#include "stats/constraint.h"
#include "terms/missing.h"

typedef struct {
    const darc_question *x;
    darc_fit fit;
    darc_estimates est;
    darc_bindings bind;
    darc_constraint bound; /* estimates under the relations */
    darc_missings missing;
    char (*where)[128];   /* " in the equation of y", "" where there is but one;
                             owned */
    char unsearched[256]; /* why missing terms were not looked for; "" */
    double
        p_value; /* the smallest of the tests, each over its share of alpha */
    double p_residual, p_relations, p_missing, p_past; /* likewise; 1: no test
                                                        */
    bool bounded; /* one of these is not small but for what rests */
    bool sure;    /* the residual decides: the spectrum of all noise is known */
    bool refused; /* a test says that the equations leave more than noise */
    double level_missing; /* the share that missing terms are tested at */
    double level; /* the share of alpha that the residual is tested at */
} darc_evidence;

/* Set the fit, the missing terms and the estimates of e to what table says;
 * where nothing says that it is more, what the equations leave is noise of the
 * colour that it shows (fit/errors.h).
 * Fails: as darc_fit_init, and, for terms that the user names,
 * darc_missing_find. */
DARC_STATUS darc_evidence_take(darc_evidence *e, const darc_question *x,
                               const darc_table *table, darc_err *err);

/* The same, and what relations say, all tests together.
 * Fails: as darc_evidence_take, and darc_bindings_init. */
DARC_STATUS darc_evidence_init(darc_evidence *e, const darc_question *x,
                               const darc_table *table, darc_err *err);
void darc_evidence_clear(darc_evidence *e);

/* Return whether more binds the coefficients than was tested: equations that
 * are not expanded do so unless each ratio is free, and so do relations that do
 * not hold where smoothing may have made that. */
bool darc_evidence_is_wanting(const darc_evidence *s);

/* Return the share of the largest term of equation q that the tests would have
 * found with a probability of .9. */
double darc_evidence_detectable(const darc_evidence *e, int q);

/* Return whether any columns of the signals would have done as well as those of
 * equation q: what they leave is little beside what is called consistent, and
 * beside what the equation leaves or the tests would have found. */
bool darc_evidence_is_simple(const darc_evidence *e, int q);

/* Add columns of the recording that the model does not use to the terms that
 * may be missing: once a verdict is made, for they only name what explains a
 * defect. */
void darc_evidence_look_beside(darc_evidence *e, const darc_table *table);

/* Return the missing term that explains most of equation q and is significant;
 * NULL: there is none.  A term that would be larger than the largest of the
 * model, all but cancelled by others (u^3 where u takes two values), is none.
 * *low gets the share of the largest term that it makes
 * for certain. */
const darc_missing *darc_evidence_term(const darc_evidence *e, int q,
                                       double *low);

/* Return whether equation q has something to show for it where the tests of all
 * equations together reject them: a defect for certain, a term that it lacks;
 * where none has, the largest defect over what noise may make of it. */
bool darc_evidence_is_blamed(const darc_evidence *s, int q);
