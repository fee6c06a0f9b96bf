/* plan.h - the plan of one relation: its columns and its rows.
 *
 * A row is a derivative of the io-equation on one recording, written as a
 * linear form in the columns, which are polynomials in the parameters,
 * linearly independent over Q: E_r^(k) = sum_i entry(r, i)^(k) * column_i.
 */
#pragma once

#include "algebra/solution.h"
#include "projection/coeffs.h"
#include "relation/relation.h"

typedef struct {
    const darc_ioeqs_struct *io;
    int equation;
    const bool *changed; /* NULL: one recording */
    int first, last;     /* recordings that give rows */
    darc_coeffs_t vec;   /* coefficients of these recordings */
    darc_coeffs_t col;   /* one vector: the columns */
    fmpq_mat_t q;        /* vec->b[k] = sum_i q_ki * col->b[i], integral
                            after the columns are divided by scale */
    fmpz *scale;         /* column i stands for col->b[i] / scale[i] */
    slong n;             /* columns */
    slong dimension;     /* of the variety of the column vector */
    int *row_recording;  /* n rows; the last closes the determinant */
    int *row_order;
    bool closes;      /* the determinant of the n rows is not 0 for
                         arbitrary signals */
    bool determinant; /* the relation is that determinant: use the last
                         row (set by the caller; init: whether the
                         columns are algebraically independent) */
    bool reduced;     /* columns were left out: the parts obey further
                         linear relations with constant coefficients */
} darc_plan_struct;

typedef darc_plan_struct darc_plan_t[1];

/* Make the plan of p, of which io to last are set, and nothing else.
 * Fails: DARC_DOMAIN when the equation is not expanded or no rows determine
 * the coefficients; DARC_LIMIT on a spent budget. */
DARC_STATUS darc_plan_init(darc_plan_t p, const darc_budget *budget,
                           darc_err *err);
void darc_plan_clear(darc_plan_t p);

/* Set s[0 .. last - first] to solutions of the equations modulo a prime whose
 * parameters differ where changed; on failure none is left. */
DARC_STATUS darc_plan_solve(darc_solution_struct *s, const darc_plan_t p,
                            slong length, ulong prime, flint_rand_t state,
                            darc_err *err);

/* Return f, in the frame of r, at 0 of the solutions s of the recordings from
 * `first` on. */
ulong darc_relation_value(const darc_dpoly_t f, const darc_relation *r,
                          int first, const darc_solution_struct *s);

/* Set r->poly to the irreducible factor of the determinant (or of h of the
 * minors) that vanishes on the solutions of p, and r->inequations to what
 * must not vanish: the factors of its initial and separant, and of the
 * entries in the columns that belong to one recording alone.
 * Fails: DARC_LIMIT past max_terms terms or on a spent budget. */
DARC_STATUS darc_expand(darc_relation *r, const darc_plan_t p, slong max_terms,
                        const darc_budget *budget, darc_err *err);

/* Record that the expanded relation is too large. */
darc_status darc_fail_expansion(darc_err *err, slong columns, slong max_terms);
