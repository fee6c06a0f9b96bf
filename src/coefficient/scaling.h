/* scaling.h - a model without the scales that no signal shows.
 *
 * Where parameters and states may be multiplied by powers of a factor, and
 * every equation with them, while signals and time stay, no recording shows the
 * factor.  It is chosen such that a parameter becomes 1: then the others
 * stand for products of powers that no such factor changes.
 */
#ifndef DARC_COEFFICIENT_SCALING_H
#define DARC_COEFFICIENT_SCALING_H

#include "model/model.h"

typedef struct {
    int unknowns;
    bool *one;     /* of the model's unknowns: whether it is set to 1; owned */
    char **stands; /* what the others stand for, "c/m"; NULL: itself; owned */
    int count;     /* of those set to 1 */
    darc_model *model; /* with these as constants; NULL where count is 0 */
} darc_scaling;

/* Set s for model, count 0 where nothing may be scaled.
 * Fails: DARC_LIMIT. */
DARC_CHECKED darc_status darc_scaling_init(darc_scaling *s,
                                           const darc_model *model,
                                           darc_err *err);
void darc_scaling_clear(darc_scaling *s);

#endif
