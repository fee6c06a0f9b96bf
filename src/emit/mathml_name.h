/* mathml_name.h - a name or its derivative as MathML: dots, indices, powers. */
#ifndef DARC_EMIT_MATHML_NAME_H
#define DARC_EMIT_MATHML_NAME_H

#include "emit/mathml.h"

typedef struct {
    const char *name; /* `length` letters, digits and _, at most 66 */
    size_t length;
    int order;         /* of derivation */
    const char *power; /* markup of an exponent; NULL: none */
} darc_mathml_name;

/* Append x: k12 is k with index 12, x_max x with max, zA z with A where z is
 * in names; dots for order 1 and 2, primes for names of several letters, above
 * it (3) as an exponent. */
void darc_mathml_derivative(darc_text_t out, const darc_mathml_name *x,
                            const darc_mathml_names *names);

#endif
