/* modelica.h - models written in Modelica 3: one flat class.
 *
 *     model car "a quarter of one"
 *       parameter Real m(unit="kg") = 300, c(unit="N/m"), d;
 *       input Real z(unit="m");
 *       output Real a;
 *       Real x(start=0), v = der(x);
 *     equation
 *       m*a = c*(z - x) + d*(der(z) - v);
 *       a = der(v);
 *     end car;
 *
 * Real variables become states, those with `output` and `input` what is
 * measured.  A parameter is unknown whatever number it is given; one given 0
 * may be zero, one given by others is a state with that equation.  Start values
 * and initial equations are skipped: what is asked holds for any of them.
 */
#ifndef DARC_SYNTAX_MODELICA_H
#define DARC_SYNTAX_MODELICA_H

#include "syntax/syntax.h"

/* As darc_parse. */
DARC_CHECKED darc_status darc_parse_modelica(darc_syntax *syntax,
                                             const darc_script *script);

#endif
