/* ratios.h - rational functions of the parameters, and the field F that they
 * generate. */
#pragma once

#include "algebra/dpoly.h"
#include "algebra/finite.h"

#include <stdbool.h>
#include <stddef.h>

/* Rational functions in the variables of a ring. */
typedef struct {
    const fmpz_mpoly_ctx_struct *ctx; /* not owned */
    slong count;
    fmpz_mpoly_struct *num, *den; /* in lowest terms */
} darc_ratios_struct;

typedef darc_ratios_struct darc_ratios_t[1];

void darc_ratios_init(darc_ratios_t f, const fmpz_mpoly_ctx_struct *ctx);
void darc_ratios_clear(darc_ratios_t f);

/* Return whether num/den is 0, or it or its inverse is one of them. */
bool darc_ratios_hold(const darc_ratios_t f, const fmpz_mpoly_t num,
                      const fmpz_mpoly_t den);

/* Append num/den in lowest terms; a number and what stands there already, or
 * its inverse, are left out.  Return whether it was appended. */
bool darc_ratios_append(darc_ratios_t f, const fmpz_mpoly_t num,
                        const fmpz_mpoly_t den);

/* Append variable v; all of `from`, in as many variables. */
bool darc_ratios_append_variable(darc_ratios_t f, slong v);
void darc_ratios_append_all(darc_ratios_t f, const darc_ratios_t from);

/* Exchange them, in rings that are alike; each keeps its own. */
void darc_ratios_swap(darc_ratios_t f, darc_ratios_t g);

/* Remove entry k; those behind it move up. */
void darc_ratios_remove(darc_ratios_t f, slong k);

/* Sort from k on: short ones of low degree first, among these those of
 * parameters declared earlier. */
void darc_ratios_sort(darc_ratios_t f, slong k);

/* Set m, of as many rows, to the gradients of all at x, each times den^2. */
void darc_ratios_gradients(nmod_mat_t m, const darc_ratios_t f, const ulong *x);

/* Return the rank of the Jacobian of f at a random point modulo a prime: the
 * transcendence degree of F. */
slong darc_ratios_rank(const darc_ratios_t f, ulong seed);

/* Append those of `from` that raise this rank, short ones first. */
void darc_ratios_raise(darc_ratios_t f, const darc_ratios_t from);

/* Mark variables that are algebraically independent over F: as many as a fibre
 * has dimensions. */
void darc_ratios_independent(bool *marked, const darc_ratios_t f);
