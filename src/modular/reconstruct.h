/* reconstruct.h - from residues to rational numbers, free of denominators.
 *
 * A residue modulo n is that of at most one a/b with 2*a^2, 2*b^2 < n.  Most
 * residues are those of some such number: only heights far below that bound,
 * or a check modulo another prime, tell that the number is meant.
 */
#pragma once

#include "base/flint.h"

#include <stdbool.h>
#include <stddef.h>

/* Any height: what is found is checked elsewhere. */
#define DARC_ANY_HEIGHT WORD_MAX

/* Set c[0 .. n-1] to m times the rational numbers with these residues, m the
 * least integer > 0 that makes them integers; return whether there are such
 * numbers with numerators and denominators below 2^bits. */
bool darc_reconstruct(fmpz *c, const fmpz *residue, slong n,
                      const fmpz_t modulus, slong bits);

/* The same for column k of a matrix, which has m->r entries. */
bool darc_reconstruct_column(fmpz *c, const nmod_mat_t m, slong k, slong bits);

/* Set f to sum_j c_j x^(e_j), c reconstructed from column k of m and e_j the
 * exponents at exp + j * (variables of ctx), all different; return whether
 * that is possible and f != 0. */
bool darc_reconstruct_polynomial(fmpz_mpoly_t f, const nmod_mat_t m, slong k,
                                 const ulong *exp, slong bits,
                                 const fmpz_mpoly_ctx_struct *ctx);

/* Residues of the entries of one vector, modulo a product of primes. */
typedef struct {
    slong n;
    fmpz *residue; /* owned */
    fmpz_t modulus;
} darc_residues;

/* Set r to n entries modulo 1. */
void darc_residues_init(darc_residues *r, slong n);
void darc_residues_clear(darc_residues *r);

/* Take in the image of the vector modulo p, a prime that is new. */
void darc_residues_add(darc_residues *r, const ulong *image, ulong p);

/* Set c (n places) to the integer vector with these residues up to a factor,
 * the least denominator; false: more primes are needed. */
bool darc_residues_integers(fmpz *c, const darc_residues *r);

/* A rational function of one variable modulo a prime, from its values. */
typedef struct {
    slong n; /* values */
    nmod_poly_t num, den;
} darc_quotient;

/* Set q to the quotient of least degrees, together, that has the values y at
 * the n places t, all different, as the extended Euclidean algorithm meets it;
 * den(0) may vanish. */
void darc_quotient_init(darc_quotient *q, const ulong *t, const ulong *y,
                        slong n, nmod_t mod);

/* Monomials as arrays of exponents, and lists of them: */

/* Advance e to the next exponents of n variables with a sum <= degree, 0 where
 * not used (NULL: all are); return whether there were any left, else e is 0
 * again.  The first are all 0; each stands once. */
bool darc_exponents_next(ulong *e, slong n, slong degree, const bool *used);

typedef struct {
    slong vars, count;
    ulong *exp; /* of monomial i at exp + i * vars; owned */
} darc_exponents;

/* Append the monomials of total degree 0 .. to in the variables used (NULL:
 * all), as long as the list has at most `most`; return whether that is all. */
bool darc_exponents_append(darc_exponents *l, slong to, const bool *used,
                           slong most);

/* Return the value of monomial i at x modulo mod.n. */
ulong darc_exponents_value(const darc_exponents *l, slong i, const ulong *x,
                           nmod_t mod);
