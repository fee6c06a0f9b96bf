/* sensor.h - outputs whose sensors do more than show them.
 *
 * `outputs zw offset delay lag gain` (any of them) says that the column zw is
 * not the zw of the equations, but, with parameters of its own,
 *     zw_lag*z' + z = zw_gain*zw_true(t - zw_delay) + zw_offset.
 * A delay d is the all-pass of first order, (1 - s d/2)/(1 + s d/2), which is
 * late by d to within (w d)^2/12 at the angular frequency w: 0.3 % at w d =
 * 0.2.
 */
#ifndef DARC_SYNTAX_SENSOR_H
#define DARC_SYNTAX_SENSOR_H

#include "syntax/parser.h"

/* Read the words behind the declaration d of an output.
 * Fails: DARC_SYNTAX, where one stands twice. */
DARC_CHECKED darc_status darc_sensor_parse(darc_parser *p, darc_declaration *d);

/* Write all sensors into the equations, and declare their parameters and, of a
 * delay, the state that is shown late.
 * Fails: DARC_MODEL, with the place, where such a name is taken, or a derived
 * signal is computed from the column of such a sensor; or where an output that
 * stands in no equation is nearly such a word. */
DARC_CHECKED darc_status darc_sensors_apply(darc_syntax *syntax,
                                            const darc_script *script);

#endif
