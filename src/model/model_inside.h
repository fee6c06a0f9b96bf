/* model_inside.h - a model from the inside. */
#ifndef DARC_MODEL_MODEL_INSIDE_H
#define DARC_MODEL_MODEL_INSIDE_H

#include "model/model.h"
#include "model/rewrite.h"

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

/* ---- check: names ------------------------------------------------------- */

/* Set model->names and ->declared (both empty before) from its syntax, bind
 * every name of its expressions, evaluate its constants.
 * Fails: DARC_MODEL. */
DARC_CHECKED darc_status darc_check_names(darc_model *model,
                                          const darc_source *source,
                                          darc_err *err);

/* Set model->order to the orders that the trees of equations and
 * assumptions reach.
 * Fails: DARC_LIMIT past DARC_MAX_ORDER. */
DARC_CHECKED darc_status darc_check_orders(darc_model *model,
                                           const darc_source *source,
                                           darc_err *err);

/* Set the initialised model->ranking.
 * Fails: DARC_MODEL when the section names what is no unknown, or twice. */
DARC_CHECKED darc_status darc_check_ranking(darc_model *model,
                                            const darc_source *source,
                                            darc_err *err);

/* ---- build: polynomials ------------------------------------------------- */

/* Append the polynomials of the model to its eq and ineq, in its jet.
 * Fails: as darc_model_equations. */
DARC_CHECKED darc_status darc_build_equations(darc_model *model,
                                              const darc_source *source,
                                              darc_err *err);

#endif
