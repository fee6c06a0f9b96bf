/* units.h - units of measurement, by UDUNITS-2 (the package libudunits2-0).
 *
 * The library is loaded when the first unit is asked for that is not coherent
 * in the SI.  A unit is a product of powers of its names; powers may be
 * fractions: m^(5/2)/s.
 */
#pragma once

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

/* m kg s A K mol cd, then rad, which is 1 in the SI but tells rad/s from Hz. */
enum { DARC_UNIT_BASES = 8, DARC_UNIT_SI = 7 };

extern const char *const darc_unit_symbol[DARC_UNIT_BASES];

typedef struct {
    double scale, shift; /* x of the unit is scale x + shift of the SI's */
    double power[DARC_UNIT_BASES];
} darc_unit;

/* Set *unit to what text says; false if it is no unit, or the library is not
 * there. */
bool darc_unit_read(darc_unit *unit, const char *text);

/* Let x of the unit `from` be scale x + shift of the unit `to`.
 * Fails: DARC_DATA, with both names, where one is not known, where they are of
 * different dimensions, where one counts turns or cycles and one radians;
 * DARC_IO where the library is not there. */
DARC_STATUS darc_unit_convert(double *scale, double *shift, const char *from,
                              const char *to, darc_err *err);

/* Return what `from` means beside `to`, though it says something else: degC for
 * C (coulomb), degF for F (farad), standard_free_fall for g; NULL: what it
 * says.
 */
const char *darc_unit_meant(const char *from, const char *to);

/* Return whether the dimensions are the same; rad does not count. */
bool darc_unit_same(const double *a, const double *b);

/* Append what the powers of the SI's units are called: as in the first of
 * `own`, n units of whoever asks, that has them and a mass; else with one of N,
 * J, Pa, W, V, ohm, Wb, H, F where that is shorter, those first that stand in
 * `own`: "N*m/A", "W/m^2/K"; "1" for none.  own[i] may be "". */
void darc_unit_print(darc_text_t out, const double *power,
                     const char *const *own, size_t n);
