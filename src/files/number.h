/* number.h - decimal numbers to double, correctly rounded, without locale.
 *
 * An exact product or quotient of two doubles [Cli90], or of whole numbers of
 * 128 bits, rounded once; for all else strtod.
 */
#pragma once

/* Read [+-]digits[point digits][(e|E)[+-]digits], at least one digit in the
 * mantissa.  Return the first character after it and set *x to what strtod
 * gives in the C locale (infinity on overflow); return s if there is no
 * number. */
const char *darc_number_read(double *x, const char *s, char point);

/* The same by strtod, for any length, of a string. */
const char *darc_number_read_exact(double *x, const char *s, char point);
