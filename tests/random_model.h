/* random_model.h - random models, ODEs and DAEs, some with functions, and what
 * darc says of them held against power series of their solutions. */
#ifndef DARC_TESTS_RANDOM_MODEL_H
#define DARC_TESTS_RANDOM_MODEL_H

#include "taylor.h"

#include <stdint.h>

#define RANDOM_STATES 4
#define RANDOM_PARAMS 4
#define RANDOM_OUTPUTS 2
#define RANDOM_LENGTH                                                          \
    18 /* of series: twice the states and parameters, and 2                    \
        */

typedef struct {
    uint64_t draws;
    int states, params, outputs;
    bool input, functions; /* transcendental ones */
    int p[RANDOM_PARAMS], x[RANDOM_STATES], u, y[RANDOM_OUTPUTS];
    int rate[RANDOM_STATES], seen[RANDOM_OUTPUTS]; /* nodes */
    int mixed, with; /* equation `mixed` holds the rate of `with`, too; -1 */
    int algebraic;   /* a node that is a state of its own; -1 */
    taylor_tape tape;
    char *text; /* in the model language */
} random_model;

void random_model_init(random_model *m, int seed);
void random_model_clear(random_model *m);

/* Set all series for random parameters, initial states and inputs; same
 * `seed`, same values.  To parameter or state v, parameters first, a tiny
 * number is added, none where v < 0; that is 2^-RANDOM_SHIFT. */
#define RANDOM_SHIFT 200
void random_model_run(random_model *m, int parameters, int experiment, int v);

/* What experiments show to first order. */
typedef struct {
    bool parameter[RANDOM_PARAMS], state[RANDOM_STATES]; /* locally */
    int rank;      /* of what experiments show of the parameters */
    int behaviour; /* states that show, the parameters being known */
} random_model_ranks;

void random_model_rank(random_model_ranks *r, random_model *m);

/* What came of holding darc's answers against the series. */
typedef struct {
    bool looked;     /* it was eliminated within the work given */
    int undecided;   /* statuses */
    char fault[400]; /* empty: none */
} random_model_answer;

void random_model_check(random_model_answer *a, int seed);

#endif
