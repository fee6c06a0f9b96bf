/* partial.h - what an elimination has reached, for a user who ends it.
 *
 * Outputs that are done, with their io-equations, and for the rest a
 * triangular set: one equation for each leader, which every solution of the
 * model satisfies.  Engines hand it to darc_budget_reached as they go.
 */
#pragma once

#include "algebra/dpoly.h"
#include "algebra/thresholds.h"

typedef enum {
    DARC_ITEM_EQUATION,  /* poly = 0 */
    DARC_ITEM_MONOMIALS, /* poly is the sum of the monomials (in all but the
                            parameters); coefficients are not known */
    DARC_ITEM_SIZE       /* the number of terms alone is known */
} darc_item_kind;

typedef enum {
    DARC_ITEM_IO,        /* an io-equation, done unless without coefficients */
    DARC_ITEM_COMPONENT, /* of a component that is found */
    DARC_ITEM_CHAIN      /* of the triangular set */
} darc_item_place;

typedef struct {
    darc_item_kind kind;
    darc_item_place place;
    darc_deriv leader;
    long terms;
    int component; /* number of the component, from 0 */
    darc_dpoly_t poly;
} darc_item;

typedef struct darc_partial_struct {
    darc_jet_t jet; /* frame of every polynomial here */
    int count;
    darc_item *item;       /* owned */
    long done, steps;      /* of the elimination; steps 0: unknown */
    const void *relations; /* a darc_relations_struct with those that are
                              done, expanded or not; NULL: none; not owned */
} darc_partial_struct;

typedef darc_partial_struct darc_partial_t[1];

/* Set p to nothing, in the frame with these names, ranking and bounds. */
void darc_partial_init(darc_partial_t p, const darc_names_t names,
                       const darc_ranking_t ranking, const int *bound);
void darc_partial_clear(darc_partial_t p);

/* Append an item without poly and return it; the pointer is valid until the
 * next is appended. */
darc_item *darc_partial_add(darc_partial_t p, darc_item_place place,
                            darc_item_kind kind, darc_deriv leader, long terms);
