/* definite.h - a proof that quadratic forms are nowhere all >= 0, but where
 * everything is 0: weights > 0 with which they add up to a form that is
 * negative everywhere else (src/MATHEMATICS.md, 11, Meeting a target).
 */
#pragma once

#include "base/budget.h"
#include "base/flint.h"

#include <stdbool.h>

/* Symmetric matrices of one size. */
typedef struct {
    int size, count;
    fmpz_mat_struct *form; /* owned */
} darc_forms;

/* Return a new form of f, all 0. */
fmpz_mat_struct *darc_forms_append(darc_forms *f);
void darc_forms_clear(darc_forms *f);

/* Return whether there are such weights, and set used[i] (count) to whether
 * that of form i is not 0.  They are sought in doubles, as the inner points of
 * a linear matrix inequality, and checked exactly. */
bool darc_forms_exclude(bool *used, const darc_forms *f,
                        const darc_budget *budget);
