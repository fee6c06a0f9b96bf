/* isolate.h - which parameters changed between two recordings.
 *
 * Closed testing: if the recordings may have equal parameters there is
 * nothing to explain.  Otherwise every set S of one parameter is tested by
 * `changed S`; those not rejected are the diagnosis.  If all are rejected,
 * sets of two follow, and so on, up to 500 sets in all.  A true set is rejected
 * with probability alpha at most.  Equations need not be expanded; wide ones
 * (wide.h) are tested each for itself, beside all others together, and of them
 * no set is more than not rejected.
 */
#pragma once

#include "decide/pair.h"

typedef struct {
    int count;
    int *parameter; /* unknowns of the model, ascending; owned */
} darc_parameter_set;

typedef struct {
    darc_parameter_set changed;
    darc_decision decision; /* that all others are the same */
    bool free;              /* explains any pair: nothing is tested */
    int equivalents;        /* other sets, of at most one parameter more, that
                               are shown to make every pair that this one
                               makes, so that no recording rules them out */
    darc_parameter_set *equivalent; /* owned */
} darc_isolate_candidate;

typedef struct {
    darc_decision equal; /* verdict on equal parameters; its reason says what
                            was found */
    int candidates;
    darc_isolate_candidate *candidate; /* consistent first, then undecided,
                                          then rejected ones, each by size and
                                          p-value; owned */
    int diagnosis;                     /* the first `diagnosis` candidates */
    int unseen;                        /* parameters that no equation shows */
    int *unseen_parameter;             /* owned */
    size_t used[2];                    /* samples, of each recording */
    int estimates;                     /* of ratios of coefficients */
    darc_estimate *estimate;           /* of all equations; owned */
} darc_isolate;

/* Told, with the user of the question, what is known as the search goes on: the
 * sets tested so far, in the order of the result, and a reason that says so. */
typedef void darc_isolate_so_far(void *user, const darc_isolate *known);

/* Set out for two recordings; release it with darc_isolate_clear.  The question
 * names the equations that are fitted, if any; where its io holds wide ones
 * besides nothing is consistent.  Sets have up to three parameters.  so_far may
 * be NULL.
 * Fails: as darc_judge_pair; DARC_DOMAIN when the model has no parameters. */
DARC_STATUS darc_isolate_run(darc_isolate *out, const darc_question *x,
                             const darc_table *const table[2],
                             darc_isolate_so_far *so_far, darc_err *err);
void darc_isolate_clear(darc_isolate *out);

/* Test that all parameters but those that changed (NULL: none), by unknown, are
 * the same; *free: nothing is to be tested. It is one of so many tests. */
typedef darc_status darc_isolate_tester(darc_decision *d, bool *free,
                                        void *user, const bool *changed,
                                        double of, darc_err *err);

/* A search by closed testing. */
typedef struct {
    const darc_names_struct *names;
    int parameters;
    const int *parameter; /* that may have changed; not owned */
    darc_isolate_tester *test;
    void *user;
    const darc_budget *budget;
    darc_isolate_so_far *so_far; /* NULL: nobody listens */
    void *listener;
    double told; /* when it was told, s; 0 */
} darc_isolate_search;

/* Set the candidates of out, which is empty, in their order, and the reason
 * that says what was found.
 * Fails: as the tester; DARC_LIMIT. */
DARC_STATUS darc_isolate_find(darc_isolate *out, darc_isolate_search *s,
                              darc_err *err);

/* Append "{m, c}". */
void darc_parameter_set_print(darc_text_t out, const darc_parameter_set *s,
                              const darc_names_t names);
