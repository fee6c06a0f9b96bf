/* golden.h - chain.txt: the components of a system under several rankings.
 *
 *     ranking: x1 x2 >> y >> a b c d
 *     generic, dimension 0, 6
 *         y''*y - y'^2 + ... = 0
 *         y != 0
 *
 * Polynomials of more than 150 terms are given by their leader, number of
 * terms and total degree.
 */
#ifndef DARC_TEST_GOLDEN_H
#define DARC_TEST_GOLDEN_H

#include "base/text.h"

/* Return the contents of a file, to be freed; NULL if there is none. */
char *golden_read(const char *file);

/* Append what chain.txt should be for the model file and the rankings that
 * `expected` names; also verify each decomposition on power series where the
 * model has a solved form. */
void golden_recompute(darc_text_t out, const char *model, const char *expected);

#endif
