/* cert.h - certificates of differential reduction: H*f = sum q_i + C*r.
 *
 * Each q_i is a multiple of a derivative of an equation.  The certificate
 * is kept as the steps of the reduction, f = f_0, f_1, ..., f_n = r with
 *     h_j * f_j = q_j * delta^k_j g_j + c_j * f_{j+1},
 * so it costs no more to replay than the reduction did; H is the product of
 * the h_j (initials and separants), C that of the c_j (known factors that
 * were cancelled).
 */
#ifndef DARC_CHAIN_CERT_H
#define DARC_CHAIN_CERT_H

#include "algebra/dpoly.h"

typedef struct {
    darc_dpoly_t h, q, c;
    int unknown; /* g_j: the equation whose leader is a derivative of it */
    int order;   /* k_j */
} darc_cert_step;

typedef struct {
    slong count;
    size_t alloc;
    darc_cert_step *step; /* owned */
} darc_cert_struct;

typedef darc_cert_struct darc_cert_t[1];

void darc_cert_init(darc_cert_t cert);
void darc_cert_clear(darc_cert_t cert, const darc_jet_t jet);

/* Append a step with h, c = 1, q = 0 and return it. */
darc_cert_step *darc_cert_append(darc_cert_t cert, int unknown, int order,
                                 const darc_jet_t jet);

/* Return whether the steps lead from f to r; equation[u] is the g with
 * leader u (entries that no step names may be NULL).  By multiplication and
 * exact division; derivatives are computed anew. */
bool darc_cert_replay(const darc_cert_t cert, const darc_dpoly_t f,
                      const darc_dpoly_t r,
                      const darc_dpoly_struct *const *equation,
                      const darc_jet_t jet);

#endif
