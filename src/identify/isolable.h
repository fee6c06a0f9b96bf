/* isolable.h - which change of parameters can pass for which other.
 *
 * S explains S' if every pair of recordings made by a change of the parameters
 * in S' can be made by a change in S as well (src/MATHEMATICS.md, 11).
 */
#pragma once

#include "identify/identify.h"
#include "identify/thresholds.h"

typedef struct {
    slong count;
    bool **set; /* set[i][v]: whether variable v is in set i; owned */
} darc_change_sets;

typedef struct {
    slong vars;           /* as in the identification */
    bool *seen;           /* whether a change of variable v shows */
    darc_change_sets *of; /* of[v]: minimal sets without v that
                             explain {v}; owned */
} darc_isolability_struct;

typedef darc_isolability_struct darc_isolability_t[1];

/* Set *explains to whether a change in s explains one in other; both have an
 * entry for each variable of f.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_isolable_explains(bool *explains,
                                   const darc_identification_t f, const bool *s,
                                   const bool *other, const darc_budget *budget,
                                   darc_err *err);

/* Set out to the table for single parameters; *known: DARC_ISOLABLE_WORK was
 * enough for that, otherwise there is none.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_isolability_init(darc_isolability_t out, bool *known,
                                  const darc_identification_t f,
                                  const darc_budget *budget, darc_err *err);
void darc_isolability_clear(darc_isolability_t t);

/* Set never[i * n + j], i and j < n, to whether every change of the parameter
 * that is unknown[i] can be one of unknown[j], so that no test tells them
 * apart, at whatever values; false where it is not known.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_isolability_never(bool *never, const int *unknown, int n,
                                   const darc_identification_t id,
                                   const darc_budget *budget, darc_err *err);
