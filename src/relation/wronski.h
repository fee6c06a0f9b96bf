/* wronski.h - determinants of differential polynomials, by minors that are
 * kept: the k-rowed minors of the first k rows for every set of columns. */
#ifndef DARC_RELATION_WRONSKI_H
#define DARC_RELATION_WRONSKI_H

#include "relation/relation.h"

/* Columns beyond which the minors, one for each set of columns, are too
 * many. */
#define DARC_MAX_MINOR_COLUMNS 14

/* The products on the way to an expanded relation may have this many times
 * the terms that the relation itself may have. */
#define DARC_EXPAND_FACTOR 50.0

/* Set p to sum_j last[j] * c_j. */
DARC_CHECKED darc_status darc_wronski_determinant(darc_dpoly_t p,
                                                  const darc_relation *r,
                                                  slong max_terms,
                                                  const darc_budget *budget,
                                                  darc_err *err);

/* Append the c_j = (-1)^j det(matrix without column j) to c. */
DARC_CHECKED darc_status darc_wronski_cofactors(darc_dpolys_t c,
                                                const darc_relation *r,
                                                slong max_terms,
                                                const darc_budget *budget,
                                                darc_err *err);

/* Record that the expanded relation is too large. */
darc_status darc_fail_expansion(darc_err *err, slong columns, slong max_terms);

#endif
