/* program.h - straight-line programs that evaluate differential polynomials
 * over blocks of samples.
 *
 * Input i of the program is derivative deriv[i] of the jet; every polynomial
 * is in Horner form, the code of a stack.  Evaluation works on blocks that stay
 * in the first-level cache, one loop over the block per operation, which
 * compilers turn into SIMD code.
 */
#pragma once

#include "algebra/dpoly.h"

typedef struct {
    int inputs, outputs;
    bool magnitude;
    slong *variable;   /* of each input: that of the context; owned */
    darc_deriv *deriv; /* of each input, NULL without a jet; owned */
    int *roundings;    /* of each output, K: it lies within gamma_K * (sum of
                          the absolute values of its terms) of the exact value
                          at the same inputs, gamma_K = K u / (1 - K u), u =
                          2^-53, where nothing underflows: no term passes
                          through more than K rounded operations [Hig02, 3.4];
                          owned */
    size_t *end;       /* of the code of each output; owned */
    size_t count;
    struct darc_code *code; /* owned */
    int depth;              /* columns of its stack, at most */
} darc_program;

/* Set *program to evaluate the polynomials p[0 .. count-1]; with
 * `magnitude`, count more outputs follow: the sum of the absolute values of
 * the terms of each.  The inputs are the derivatives that occur, in the
 * order of the jet's variables.  Integers too large for a double become
 * infinite. */
void darc_program_compile(darc_program **program, const darc_dpolys_t p,
                          bool magnitude, const darc_jet_t jet);

/* The same for `count` polynomials in any context, without derivatives. */
void darc_program_compile_mpoly(darc_program **program,
                                const fmpz_mpoly_struct *p, slong count,
                                bool magnitude, const fmpz_mpoly_ctx_t ctx);
void darc_program_free(darc_program *program);

/* Set out[j][t], t < n, from in[i][t], for n samples; no output overlaps an
 * input or another output.  Thread-safe: a program is never written after it
 * was compiled.  Cost O(n * operations). */
void darc_program_eval(const darc_program *program, const double *const *in,
                       double *const *out, size_t n);
