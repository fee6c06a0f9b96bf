/* program.h - straight-line programs that evaluate differential polynomials
 * over blocks of samples.
 *
 * Input i of the program is derivative input[i] of the jet; every polynomial
 * is in Horner form, the code of a stack.  Evaluation works on blocks that stay
 * in the first-level cache, one loop over the block per operation, which
 * compilers turn into SIMD code.
 */
#ifndef DARC_PROGRAM_PROGRAM_H
#define DARC_PROGRAM_PROGRAM_H

#include "algebra/dpoly.h"

typedef struct darc_program darc_program;

/* Set *program to evaluate the polynomials p[0 .. count-1]; with
 * `magnitude`, count more outputs follow: the sum of the absolute values of
 * the terms of each.  The inputs are the derivatives that occur, in the
 * order of the jet's variables.  Integers too large for a double become
 * infinite. */
void darc_program_compile(darc_program **program, const darc_dpolys_t p,
                          bool magnitude, const darc_jet_t jet);

/* The same for `count` polynomials in any context; input i is variable
 * darc_program_variable(program, i). */
void darc_program_compile_mpoly(darc_program **program,
                                const fmpz_mpoly_struct *p, slong count,
                                bool magnitude, const fmpz_mpoly_ctx_t ctx);
void darc_program_free(darc_program *program);

int darc_program_inputs(const darc_program *program);
int darc_program_outputs(const darc_program *program);

/* Return the derivative that input i stands for; the program was compiled
 * with a jet. */
darc_deriv darc_program_input(const darc_program *program, int i);

/* Return the variable of the context that input i stands for. */
slong darc_program_variable(const darc_program *program, int i);

/* Set out[j][t], t < n, from in[i][t], for n samples; no output overlaps an
 * input or another output.  Thread-safe: a program is never written after it
 * was compiled.  Cost O(n * operations). */
void darc_program_eval(const darc_program *program, const double *const *in,
                       double *const *out, size_t n);

/* Return K such that output j lies within gamma_K * (sum of the absolute
 * values of its terms) of the exact value at the same inputs, where
 * gamma_K = K u / (1 - K u), u = 2^-53, and nothing underflows: no term
 * passes through more than K rounded operations [Hig02, 3.4]. */
int darc_program_roundings(const darc_program *program, int j);

#endif
