/* factors.h - irreducible factors, contents, cancelling known factors.
 *
 * A cheap fact comes first: a polynomial of degree 1 in some variable whose
 * two coefficients are coprime is irreducible, and most polynomials of
 * elimination are of that kind.  Others may be so on a plane modulo a prime,
 * which is seen at once.  Only what remains is factored by FLINT.
 */
#pragma once

#include "algebra/dpoly.h"

/* Return whether f is one irreducible factor with variable v, once, but for
 * factors without it; false where FLINT cannot tell. */
bool darc_is_one_factor(const nmod_mpoly_t f, slong v,
                        const nmod_mpoly_ctx_t ctx);

/* Append to out the distinct irreducible factors of p != 0 over the
 * rationals, without multiplicities: primitive, leading coefficient
 * positive, no numbers; nothing that out holds already.  A factor that FLINT
 * cannot split stays whole. */
void darc_factors(darc_dpolys_t out, const darc_dpoly_t p,
                  const darc_jet_t jet);

/* Set c to the content of p != 0 in variable v, the gcd of its coefficients
 * as a polynomial in v, and return true; where FLINT cannot tell, set c to 1
 * and return false. */
bool darc_content(darc_dpoly_t c, const darc_dpoly_t p, slong v,
                  const darc_jet_t jet);

/* Divide p != 0 by each entry of known (no numbers) as often as it divides, and
 * by its integer content; multiply c, unless NULL, by what was cancelled. */
void darc_cancel_factors(darc_dpoly_t p, darc_dpoly_struct *c,
                         const darc_dpolys_t known, const darc_jet_t jet);
