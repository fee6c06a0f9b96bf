/* coeffs.h - coefficient vectors of io-equations in a ring of parameters.
 *
 * The coefficients of an io-equation depend on parameters alone.  They are
 * carried over into a ring of parameters, where those that change between
 * two recordings stand twice; vector i holds the coefficients of one
 * equation for one recording.
 */
#pragma once

#include "algebra/finite.h"
#include "projection/ioeq.h"

typedef struct {
    fmpz_mpoly_ctx_t ctx;
    slong vars;   /* >= 1 */
    char **name;  /* name[v]: m, or mA and mB where it changes; owned */
    int *unknown; /* variable v is parameter unknown[v] of the model, */
    int *copy;    /* of recording copy[v] (0, 1), or shared (-1) */
    int vectors;  /* recordings * equations */
    int *recording, *equation; /* of vector i */
    slong *first; /* entries of vector i: b[first[i]] .. b[first[i+1] - 1] */
    fmpz_mpoly_struct *b;
} darc_coeffs_struct;

typedef darc_coeffs_struct darc_coeffs_t[1];

/* Set c to the vectors of io-equation `equation` (-1: all): of one recording
 * if changed is NULL, else of two that differ in the parameters changed[u].
 * The equations are expanded. */
void darc_coeffs_init(darc_coeffs_t c, const darc_ioeqs_t io, int equation,
                      const bool *changed);

/* Set c to one vector of n zeros, of one recording. */
void darc_coeffs_init_vector(darc_coeffs_t c, const darc_names_struct *names,
                             slong n);
void darc_coeffs_clear(darc_coeffs_t c);

/* Return a new name: name with the suffix of a recording ("A", "B") and
 * underscores behind until no symbol of names has it. */
char *darc_coeffs_copy_name(const char *name, int recording,
                            const darc_names_t names);

/* Set m, with vectors + vars rows and a column for each entry, to the entries
 * (row i: those of vector i) above their derivatives by the variables, at a
 * random point modulo m->mod.n. */
void darc_coeffs_jacobian(nmod_mat_t m, const darc_coeffs_t c,
                          flint_rand_t state);

/* Return the transcendence degree over Q of the ratios of the entries inside
 * each vector: the rank of their Jacobian at a random point modulo a random
 * prime, which is never too large and too small with probability 2^-50. */
slong darc_coeffs_dimension(const darc_coeffs_t c, flint_rand_t state);

/* Choose a Q-basis among the polynomials p[0 .. n-1], short ones first:
 * *basis gets the indices (n places), the count is returned, and q (n rows,
 * as many columns, initialised by the call) expresses p[k] = sum_j q_kj
 * p[basis[j]]. */
slong darc_coeffs_basis(slong *basis, fmpq_mat_t q, const fmpz_mpoly_struct *p,
                        slong n, const fmpz_mpoly_ctx_t ctx);
