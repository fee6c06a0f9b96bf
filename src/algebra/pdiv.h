/* pdiv.h - algebraic pseudo-division by a polynomial in one variable.
 *
 * h*f = q*g + r with deg_v r < deg_v g: the remainder of f by g in variable
 * v without fractions.  Each step cancels the gcd of the two leading
 * coefficients, so h divides a power of the leading coefficient of g and is
 * often much smaller than it.
 */
#pragma once

#include "algebra/dpoly.h"
#include "base/budget.h"

typedef struct {
    const darc_jet_struct *jet; /* not owned */
    const darc_budget *budget;
    darc_dpoly_t h, q, r;
    bool quotient; /* whether q and h are wanted; else they stay 0 and 1 */
} darc_pdiv_struct;

typedef darc_pdiv_struct darc_pdiv_t[1];

void darc_pdiv_init(darc_pdiv_t d, bool quotient, const darc_jet_t jet,
                    const darc_budget *budget);
void darc_pdiv_clear(darc_pdiv_t d);

/* Set d to the pseudo-division of f by g in v; deg_v g >= 1.
 * Fails: DARC_LIMIT on a spent budget; d is then undefined but valid. */
DARC_STATUS darc_pdiv(darc_pdiv_t d, const darc_dpoly_t f, const darc_dpoly_t g,
                      slong v, darc_err *err);
