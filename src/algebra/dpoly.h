/* dpoly.h - differential polynomials: FLINT polynomials in the variables of
 * a jet, and growing arrays of them.
 *
 * Ring operations are FLINT's own (fmpz_mpoly_add, ... with jet->ctx); this
 * module adds what differential algebra needs.  Functions that take a jet
 * expect every polynomial in that jet.
 */
#pragma once

#include "algebra/jet.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef fmpz_mpoly_struct darc_dpoly_struct;
typedef darc_dpoly_struct darc_dpoly_t[1];

void darc_dpoly_init(darc_dpoly_t p, const darc_jet_t jet);
void darc_dpoly_clear(darc_dpoly_t p, const darc_jet_t jet);

/* The same with all polynomials of a list that ends in NULL. */
#if defined(__GNUC__)
#define DARC_ENDS_IN_NULL __attribute__((sentinel))
#else
#define DARC_ENDS_IN_NULL
#endif
void darc_dpoly_inits(const fmpz_mpoly_ctx_t ctx, ...) DARC_ENDS_IN_NULL;
void darc_dpoly_clears(const fmpz_mpoly_ctx_t ctx, ...) DARC_ENDS_IN_NULL;

/* Set q to p without its integer content, the leading coefficient positive;
 * to 0 if p is 0. */
void darc_dpoly_primitive(darc_dpoly_t q, const darc_dpoly_t p,
                          const darc_jet_t jet);
void darc_dpoly_cut_content(fmpz_mpoly_t q, const fmpz_mpoly_t p,
                            const fmpz_mpoly_ctx_t ctx);

/* Set p to the derivative d; d lies in the frame. */
void darc_dpoly_set_deriv(darc_dpoly_t p, darc_deriv d, const darc_jet_t jet);

/* Return whether p contains only constants (parameters), or numbers. */
bool darc_dpoly_is_constant(const darc_dpoly_t p, const darc_jet_t jet);

/* Set *used[v] to whether variable v occurs in p, v = 0 .. jet->vars - 1. */
void darc_dpoly_used(int *used, const darc_dpoly_t p, const darc_jet_t jet);

/* Return the highest order of unknown u in p, -1 if it does not occur. */
int darc_dpoly_order(const darc_dpoly_t p, int u, const darc_jet_t jet);

/* Raise order[u] of every unknown u to that in p. */
void darc_dpoly_orders(int *order, const darc_dpoly_t p, const darc_jet_t jet);

/* Return the highest order of any unknown in p, 0 for a number. */
int darc_dpoly_highest_order(const darc_dpoly_t p, const darc_jet_t jet);

/* Set q, in the frame `to`, to p, in the frame `from`; unknowns are matched
 * by index: both frames have the same symbol table.  q and p differ.
 * Fails: DARC_LIMIT when a derivative of p lies outside `to`. */
DARC_STATUS darc_dpoly_move(darc_dpoly_t q, const darc_jet_t to,
                            const darc_dpoly_t p, const darc_jet_t from,
                            darc_err *err);

/* The same between different symbol tables: unknown u of `from` becomes
 * map[u] of `to` (-1: must not occur). */
DARC_STATUS darc_dpoly_map(darc_dpoly_t q, const darc_jet_t to,
                           const darc_dpoly_t p, const darc_jet_t from,
                           const int *map, darc_err *err);

/* ---- leader, rank, initial, separant ------------------------------------- */

/* Return the variable of the leader of p, the highest derivative (or
 * parameter) that occurs; -1 for a number. */
slong darc_dpoly_leader(const darc_dpoly_t p, const darc_jet_t jet);

/* Return the degree of p in variable v; -1 for p = 0. */
slong darc_dpoly_degree(const darc_dpoly_t p, slong v, const darc_jet_t jet);

/* Set q to the coefficient of v^d in p, v any variable. */
void darc_dpoly_coeff(darc_dpoly_t q, const darc_dpoly_t p, slong v, slong d,
                      const darc_jet_t jet);

/* Set q to the initial of p: the coefficient of the highest power of its
 * leader.  p has a leader. */
void darc_dpoly_initial(darc_dpoly_t q, const darc_dpoly_t p,
                        const darc_jet_t jet);

/* Set q to the separant of p: its derivative by its leader. */
void darc_dpoly_separant(darc_dpoly_t q, const darc_dpoly_t p,
                         const darc_jet_t jet);

/* Return -1, 0, 1 as the rank (leader, then degree in it) of p is lower
 * than, equal to, higher than that of q; constants have the lowest rank. */
int darc_dpoly_cmp_rank(const darc_dpoly_t p, const darc_dpoly_t q,
                        const darc_jet_t jet);

/* ---- derivation ---------------------------------------------------------- */

/* Set q to the derivative p' (parameters: 0, time: 1).
 * Fails: DARC_LIMIT when p' leaves the frame. */
DARC_STATUS darc_dpoly_diff(darc_dpoly_t q, const darc_dpoly_t p,
                            const darc_jet_t jet, darc_err *err);

/* Set q to the n-th derivative of p. */
DARC_STATUS darc_dpoly_diff_n(darc_dpoly_t q, const darc_dpoly_t p, int n,
                              const darc_jet_t jet, darc_err *err);

/* ---- dpoly_text: printing ---------------------------------------------- */

/* Append p in the model language: "m*a - c*z - d*z'"; terms in the order of
 * the ranking, highest first; derivatives as z', z'', z''', then der(z,4).
 * Reading it back gives p. */
void darc_dpoly_print(darc_text_t out, const darc_dpoly_t p,
                      const darc_jet_t jet);

/* Append the derivative d: "z''" or "der(z,5)". */
void darc_deriv_print(darc_text_t out, darc_deriv d, const darc_names_t names);

/* Append p in LaTeX: "m a - c z - d \dot{z}". */
void darc_dpoly_latex(darc_text_t out, const darc_dpoly_t p,
                      const darc_jet_t jet);

/* ---- arrays ------------------------------------------------------------- */

typedef struct {
    slong count;
    darc_dpoly_struct *p; /* count polynomials; owned */
} darc_dpolys_struct;

typedef darc_dpolys_struct darc_dpolys_t[1];

/* Make a empty: zeros, as in darc_dpolys_t a = {{0}}. */
void darc_dpolys_init(darc_dpolys_t a);
void darc_dpolys_clear(darc_dpolys_t a, const darc_jet_t jet);
void darc_dpolys_set(darc_dpolys_t a, const darc_dpolys_t b,
                     const darc_jet_t jet);

/* Append a copy of p. */
void darc_dpolys_append(darc_dpolys_t a, const darc_dpoly_t p,
                        const darc_jet_t jet);

/* Append p itself and set p to 0. */
void darc_dpolys_append_take(darc_dpolys_t a, darc_dpoly_t p,
                             const darc_jet_t jet);

/* Remove entry i; the last entry takes its place. */
void darc_dpolys_remove(darc_dpolys_t a, slong i, const darc_jet_t jet);

/* Append to q, in the frame `to`, the polynomials p, in the frame `from`.
 * Fails: DARC_LIMIT when a derivative lies outside `to`. */
DARC_STATUS darc_dpolys_move(darc_dpolys_t q, const darc_jet_t to,
                             const darc_dpolys_t p, const darc_jet_t from,
                             darc_err *err);

/* Raise order[u] of every unknown u to that in all of p. */
void darc_dpolys_orders(int *order, const darc_dpolys_t p,
                        const darc_jet_t jet);

/* Return whether p is in a. */
bool darc_dpolys_contains(const darc_dpolys_t a, const darc_dpoly_t p,
                          const darc_jet_t jet);

/* Set q, no entry of p, to sum_i c[i]*p[i]. */
void darc_dpolys_combine(darc_dpoly_t q, const fmpz *c, const darc_dpolys_t p,
                         const darc_jet_t jet);
