/* solving.h - the steps that bring a model into solved form.
 *
 * Auxiliary unknowns, outputs and states that are never differentiated, are
 * first replaced by an equation that defines them; then the equations left
 * are solved for the highest derivatives of the other unknowns; then the
 * highest derivatives in what was defined are replaced.
 */
#ifndef DARC_MODEL_SOLVING_H
#define DARC_MODEL_SOLVING_H

#include "model/fraction.h"
#include "model/model.h"

#include <stdbool.h>

typedef struct {
    const darc_names_struct *names;
    darc_jet_t jet;   /* wide: room for every derivative on the way */
    int *order;       /* order[u] in the model */
    darc_dpolys_t eq; /* the equations left */
    darc_dpolys_t ineq;
    bool *auxiliary; /* u is to be defined */
    bool *absent;    /* no equation holds u: a derived signal stands for it */
    bool *defined;   /* u = value[u] */
    int *top;        /* u is dynamic: (u, top[u]) = value[u]; -1: it is not */
    darc_fraction_struct *value;
    bool dynamic; /* outputs that are differentiated are not defined by highest
                     derivatives: x in x' = w, m*w' + k*x = u */
} darc_solving;

/* Read the equations of model into w. */
DARC_CHECKED darc_status darc_solving_init(darc_solving *w,
                                           const darc_model *model,
                                           bool dynamic, darc_err *err);
void darc_solving_clear(darc_solving *w);

/* Replace (u, from), (u, from + 1), ... wherever they occur by value[u] and its
 * derivatives.
 * Fails: DARC_DOMAIN when an inequation or a denominator vanishes; DARC_LIMIT.
 */
DARC_CHECKED darc_status darc_solving_eliminate(darc_solving *w, int u,
                                                int from, darc_err *err);

/* Define auxiliary unknowns while an equation does it. */
DARC_CHECKED darc_status darc_solving_define(darc_solving *w, darc_err *err);

/* Solve the equations left for the highest derivatives. */
DARC_CHECKED darc_status darc_solving_highest(darc_solving *w, darc_err *err);

#endif
