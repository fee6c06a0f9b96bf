/* ioeq.h - input-output equations: the states eliminated.
 *
 * E = sum_k coeff[k](theta) * part[k](y, u): a differential polynomial in
 * measured signals of minimal order, irreducible, primitive over the
 * integers; the coeff are linearly independent over Q.
 */
#ifndef DARC_IOEQ_H
#define DARC_IOEQ_H

#include "darc/budget.h"
#include "darc/dpoly.h"
#include "darc/model.h"

typedef struct {
    darc_dpoly_t poly;   /* E */
    darc_deriv leader;   /* its leader among the outputs */
    darc_dpolys_t coeff; /* in the parameters alone */
    darc_dpolys_t part;  /* in signals and their derivatives alone */
    const char *engine;  /* "general", "projection", "linear", "model" (an
                            equation of the model as it stands); static */
    double cpu_s;        /* CPU seconds it took */
} darc_ioeq;

typedef struct {
    darc_jet_t jet; /* names as in the model; states absent from E */
    int count;
    darc_ioeq *eq;             /* owned */
    darc_dpolys_t inequations; /* of the model and the elimination */
} darc_ioeqs_struct;

typedef darc_ioeqs_struct darc_ioeqs_t[1];

typedef enum {
    DARC_ENGINE_AUTO,
    DARC_ENGINE_GENERAL,
    DARC_ENGINE_PROJECT,
    DARC_ENGINE_LINEAR
} darc_engine;

/* Set out to the input-output equations of model, one per output that the
 * equations bind, under ranking (NULL: the model's).
 * Fails: DARC_DOMAIN when the forced engine does not apply, or the model
 * leaves no relation between its signals; DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_ioeqs_init(darc_ioeqs_t out,
                                         const darc_model *model,
                                         const darc_ranking_struct *ranking,
                                         darc_engine engine,
                                         const darc_budget *budget,
                                         darc_err *err);
void darc_ioeqs_clear(darc_ioeqs_t e);

/* Split eq->poly into coeff and part (both empty before). */
void darc_ioeq_group(darc_ioeq *eq, const darc_jet_t jet);

#endif
