/* program.h - straight-line programs that evaluate differential polynomials
 * over blocks of samples.
 *
 * Input i of the program is derivative input[i] of the jet; common
 * subexpressions are shared, powers and sums in Horner form.  Evaluation
 * works on blocks that stay in the first-level cache, one loop over the
 * block per operation, which compilers turn into SIMD code.
 */
#ifndef DARC_PROGRAM_H
#define DARC_PROGRAM_H

#include "darc/dpoly.h"

typedef struct darc_program darc_program;

/* Set *program to evaluate the polynomials p[0 .. count-1]; with
 * `magnitude`, count more outputs follow: the sum of the absolute values of
 * the terms of each. */
void darc_program_compile(darc_program **program, const darc_dpolys_t p,
                          bool magnitude, const darc_jet_t jet);
void darc_program_free(darc_program *program);

int darc_program_inputs(const darc_program *program);
int darc_program_outputs(const darc_program *program);

/* Return the derivative that input i stands for. */
darc_deriv darc_program_input(const darc_program *program, int i);

/* Set out[j][t], t < n, from in[i][t], for n samples.  Thread-safe: all
 * scratch memory is the caller's or on the stack.  Cost O(n * operations). */
void darc_program_eval(const darc_program *program, const double *const *in,
                       double *const *out, size_t n);

/* Return the number of arithmetic operations per sample. */
int darc_program_operations(const darc_program *program);

#endif
