/* ritt.h - Ritt reduction of a differential polynomial by a triangular set.
 *
 * Partial reduction removes the proper derivatives of all leaders (it
 * multiplies by separants only); full reduction then lowers the degrees in
 * the leaders below those of the equations (initials).  Derivatives are
 * removed from the highest down, so that one pass suffices.
 */
#ifndef DARC_CHAIN_RITT_H
#define DARC_CHAIN_RITT_H

#include "base/budget.h"
#include "chain/autored.h"
#include "chain/cert.h"

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
DARC_CHECKED darc_status darc_ritt_reduce(darc_dpoly_t r, const darc_dpoly_t f,
                                          darc_autored_t a,
                                          const darc_ritt_options *options,
                                          const darc_jet_t jet, darc_err *err);

/* Return whether full reduction by a leaves p as it is. */
bool darc_ritt_is_reduced(const darc_dpoly_t p, const darc_autored_t a,
                          const darc_jet_t jet);

#endif
