/* scaling.h - a model without the scales that no signal shows, and the weights
 * of scalings (src/MATHEMATICS.md, 11, Scales). */
#pragma once

#include "model/model.h"

/* Set w (initialised by the call), a row each, to independent weights of the
 * columns under which each of n polynomials is homogeneous; variable v has
 * column[v], -1: none (NULL: v). */
void darc_weights_find(fmpz_mat_t w, slong columns, const slong *column,
                       const fmpz_mpoly_struct *p, slong n,
                       const fmpz_mpoly_ctx_t ctx);

typedef struct {
    int unknowns;
    bool *one;     /* of the model's unknowns: whether it is set to 1; owned */
    char **stands; /* what the others stand for, "c/m"; NULL: itself; owned */
    int count;     /* of those set to 1 */
    darc_model *model; /* with these as constants; NULL where count is 0 */
} darc_scaling;

/* Set s for model, count 0 where nothing may be scaled.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_scaling_init(darc_scaling *s, const darc_model *model,
                              darc_err *err);
void darc_scaling_clear(darc_scaling *s);
