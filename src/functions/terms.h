/* terms.h - expressions as sums of terms, each with a rational factor. */
#pragma once

#include "syntax/expr.h"

typedef struct {
    fmpq_t factor;
    darc_expr *of; /* owned; NULL: 1 */
} darc_term;

typedef struct {
    int count;
    darc_term *item; /* owned */
} darc_terms;

/* Append the terms of by*e: products of sums are expanded while they are few,
 * logarithms of products are sums. */
void darc_terms_append(darc_terms *l, const darc_expr *e, const fmpq_t by);
void darc_terms_clear(darc_terms *l);

/* Return the call of f. */
darc_expr *darc_call_take(darc_function f, darc_expr *argument);
