/* multiple.h - roots of multiples: sqrt(3*x) is sqrt(3/2)*sqrt(2*x). */
#pragma once

#include "syntax/expr.h"

/* Where the root is a number times the root `known`, return the product of that
 * number, a power or a rational one, and the name; with `inverse` also of the
 * number and 1/name.  NULL: it is no such root. */
darc_expr *darc_multiple_of(const darc_expr *root, const darc_expr *known,
                            const char *name, bool inverse);

/* Make a power x^g whose exponent is no number exp(g*log(x)). */
void darc_power_to_function(darc_expr **e);
