/* ritt.h - Ritt reduction of a differential polynomial by a triangular set.
 *
 * Partial reduction removes the proper derivatives of all leaders (it
 * multiplies by separants only); full reduction then lowers the degrees in
 * the leaders below those of the equations (initials).  Derivatives are
 * removed from the highest down, so that one pass suffices.
 */
#pragma once

#include "algebra/dpoly.h"
#include "base/budget.h"
#include "chain/autored.h"

/* ---- certificates of differential reduction: H*f = sum q_i + C*r
 *
 * Each q_i is a multiple of a derivative of an equation.  The certificate
 * is kept as the steps of the reduction, f = f_0, f_1, ..., f_n = r with
 *     h_j * f_j = q_j * delta^k_j g_j + c_j * f_{j+1},
 * so it costs no more to replay than the reduction did; H is the product of
 * the h_j (initials and separants), C that of the c_j (known factors that
 * were cancelled). */

typedef struct {
    darc_dpoly_t h, q, c;
    int unknown; /* g_j: the equation whose leader is a derivative of it */
    int order;   /* k_j */
} darc_cert_step;

typedef struct {
    slong count;
    darc_cert_step *step; /* owned */
} darc_cert_struct;

typedef darc_cert_struct darc_cert_t[1];

void darc_cert_init(darc_cert_t cert);
void darc_cert_clear(darc_cert_t cert, const darc_jet_t jet);

/* Append a step with h, c = 1, q = 0 and return it. */
darc_cert_step *darc_cert_append(darc_cert_t cert, int unknown, int order,
                                 const darc_jet_t jet);

/* Return whether the steps lead from f to r by the equations of a.  By
 * multiplication and exact division; derivatives are computed anew. */
bool darc_cert_replay(const darc_cert_t cert, const darc_dpoly_t f,
                      const darc_dpoly_t r, const darc_autored_t a,
                      const darc_jet_t jet);

/* ---- reduction -------------------------------------------------- */

typedef struct {
    bool partial;                    /* stop after partial reduction */
    slong max_terms;                 /* give up beyond; 0: never */
    const darc_dpolys_struct *known; /* factors to cancel on the way; NULL */
    darc_cert_struct *cert;          /* receives the steps; NULL: not wanted */
    const darc_budget *budget;
} darc_ritt_options;

/* Set r to the remainder of f by a.  Debug builds replay the certificate.
 * Fails: DARC_LIMIT on a spent budget, past max_terms, or when a derivative
 * leaves the frame; r is then unchanged. */
DARC_STATUS darc_ritt_reduce(darc_dpoly_t r, const darc_dpoly_t f,
                             darc_autored_t a, const darc_ritt_options *options,
                             const darc_jet_t jet, darc_err *err);

/* Return whether full reduction by a leaves p as it is. */
bool darc_ritt_is_reduced(const darc_dpoly_t p, const darc_autored_t a,
                          const darc_jet_t jet);
