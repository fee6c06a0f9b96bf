/* dae_relations.h - which differentiated equations make the io-equation of each
 * output, by the gradients at a random point. */
#pragma once

#include "eliminate/engine.h"
#include "modular/reconstruct.h"
#include "projection/mechanism.h"

/* An output, its io-equation, and the equations that make it. */
typedef struct {
    int j;               /* unknown[j] of the structure */
    int order;           /* of the io-equation */
    slong place;         /* of its leader among derivatives of outputs, the
                            highest first */
    bool *makes;         /* makes[r]: differentiated equation r; owned */
    bool *alone;         /* the same where leaders of others go; owned */
    bool *with;          /* with[i]: the lower leader of output i stays, so that
                            fewer make it; owned */
    slong degree;        /* in its leader, once that is known */
    darc_residues image; /* n 0: none */
    bool done;
} darc_dae_relation;

typedef struct {
    darc_mechanism m;
    const darc_dae_struct *x; /* its structure */
    int last;                 /* stage */
    slong rows; /* differentiated equations up to there, and bonds */
    int outputs;
    darc_dae_relation *of; /* of output o; owned */
} darc_dae_relations;

/* Set r, but what the io-equations are, to those of the model.
 * Fails: as darc_mechanism_init. */
DARC_STATUS darc_dae_relations_init(darc_dae_relations *r,
                                    const darc_model *model, flint_rand_t rand,
                                    darc_err *err);
void darc_dae_relations_clear(darc_dae_relations *r);

/* Find the orders of the io-equations under the ranking, and the equations that
 * make each, at the point s: of the combinations of gradients without states
 * those of lowest leaders.
 * Fails: DARC_DOMAIN where an output is bound by none. */
DARC_STATUS darc_dae_relations_find(darc_dae_relations *r,
                                    const darc_ranking_struct *ranking,
                                    const darc_solution_t s, darc_err *err);

/* Return the leader of output o, in the structure's unknowns. */
darc_deriv darc_dae_relations_leader(const darc_dae_relations *r, int o);
