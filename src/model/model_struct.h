/* model_struct.h - what a model consists of. */
#ifndef DARC_MODEL_MODEL_STRUCT_H
#define DARC_MODEL_MODEL_STRUCT_H

#include "model/model.h"
#include "model/rewriter.h"

struct darc_model {
    char *file;          /* name for messages; owned */
    darc_syntax syntax;  /* names bound, functions rewritten */
    bool rewritten;      /* else `written` is empty */
    darc_syntax written; /* as it stands in the file */
    darc_adjoineds adjoined;
    darc_names_t names;
    int *declared; /* declared[u]: declaration of unknown u; -1: time */
    int *order;    /* highest order of u in eq and ineq */
    bool framed;   /* the fields below are set */
    darc_ranking_t ranking;
    darc_jet_t jet; /* the frame of eq and ineq */
    darc_dpolys_t eq, ineq;
};

/* Return the declaration of unknown u, NULL for time. */
const darc_declaration *darc_model_declaration(const darc_model *model, int u);

/* Append a model in its own language. */
void darc_model_print_syntax(darc_text_t out, const darc_syntax *s);

/* ---- the steps of reading a model -----------------------------------------
 */

/* Set model->names and ->declared (both empty before) from its syntax, bind
 * every name of its expressions, evaluate its constants.
 * Fails: DARC_MODEL. */
DARC_CHECKED darc_status darc_check_names(darc_model *model,
                                          const darc_script *script);

/* Do the units that a model declares fit its equations?  Terms of a sum, both
 * sides of an equation, what min, max and if choose from must be of one
 * dimension, arguments of sin, exp and their like of none.  What has no unit,
 * or one that is not known, takes what the equations need, which parameters and
 * states without a unit keep; so do numbers that stand as terms.  rad is 1.
 * Fails: DARC_MODEL, at the term that differs from most of the others. */
DARC_CHECKED darc_status darc_check_dimensions(darc_model *model,
                                               const darc_script *script);

/* Functions in equations become unknowns with equations.
 *
 * A function of measured signals alone becomes a derived signal, one of
 * parameters alone a parameter, any other a state w with a differential
 * equation: w = exp(a) gives w' = w*a' with w != 0.  Such an equation
 * determines w up to a constant of integration only: what is concluded from
 * it is necessary.  sin and cos come from t = tan(a/2), sinh and cosh from
 * exp(a): what binds them is kept.
 * A root r = a^(1/n) is exact: r^n = a, solved for an unknown of a where that
 * can be done, so that this unknown is replaced everywhere. */

/* Return whether an equation or assumption contains a function. */
bool darc_rewrite_needed(const darc_syntax *syntax);

/* Rewrite all functions in syntax, whose names are bound, and list what stands
 * for them; for a simulation every smooth function by a differential equation.
 * Fails: DARC_MODEL for a function that has no differential equation and
 * whose arguments are not measured; DARC_LIMIT past DARC_MAX_UNKNOWNS. */
DARC_CHECKED darc_status darc_rewrite(darc_syntax *syntax,
                                      darc_adjoineds *adjoined,
                                      const darc_script *script,
                                      bool simulation);

/* Set model->order to the orders that the trees of equations and
 * assumptions reach.
 * Fails: DARC_LIMIT past DARC_MAX_ORDER. */
DARC_CHECKED darc_status darc_check_orders(darc_model *model,
                                           const darc_script *script);

/* Set the initialised model->ranking.
 * Fails: DARC_MODEL when the section names what is no unknown, or twice. */
DARC_CHECKED darc_status darc_check_ranking(darc_model *model,
                                            const darc_script *script);

/* Append the polynomials of the model to its eq and ineq, in its jet.
 * Fails: as darc_model_equations. */
DARC_CHECKED darc_status darc_build_equations(darc_model *model,
                                              const darc_script *script);

#endif
