/* julia.h - models as StructuralIdentifiability.jl has them, @ODEmodel(...).
 *
 * x'(t) = ... makes a state of x, y(t) = ... an output of y; other names with
 * (t) are inputs, those without parameters.  What stands around the macro is
 * passed over.
 */
#pragma once

#include "syntax/syntax.h"

/* Return whether the name of a file ends in .jl. */
bool darc_is_julia(const char *file);

/* As darc_parse. */
DARC_CHECKED darc_status darc_parse_julia(darc_syntax *syntax,
                                          const darc_script *script);
