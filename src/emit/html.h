/* html.h - writing HTML and SVG so that no text breaks out of its place.
 *
 * Everything that comes from a user (names of files, columns, models) goes
 * through %s, which escapes it; markup stands in the format.
 */
#pragma once

#include "base/text.h"

/* Colour is never alone: a sign and a word go with it. */
typedef enum {
    DARC_TONE_GOOD,
    DARC_TONE_BAD,
    DARC_TONE_OPEN,
    DARC_TONE_PLAIN
} darc_tone;

/* Return the sign of a tone, and what its class is called. */
const char *darc_tone_sign(darc_tone tone);
const char *darc_tone_class(darc_tone tone);

/* Append format; its directives are
 *     %s  text: & < > " ' as references; what is hidden or no UTF-8 as
 *         darc_text_shown does        %h  markup as it is
 *     %d  int                      %z  size_t, in groups of three digits
 *     %n  double as people read it: 0.0123, 1.2 x 10^-7 (raised digits, no
 *         markup); a dash for NaN
 *     %p  the same of a fraction in percent    %v  of a p-value, as a bound
 *         what is too small to matter
 *     %M  two doubles: x +- half, as darc_text_measure does
 *     %P  the same in percent
 *     %u  text of a unit: m/s^2 with a raised digit, N*m with a point
 *     %m  an expression, typeset; where that cannot be, in <code>
 *     %t  darc_tone and text: a sign and the text in the colour of the tone
 *     %q  double with few digits, for coordinates
 *     %b  a number from 0 to 1, and in the cell of a table behind it a bar as
 *         long; %B  the bar alone, longer
 *     %%  a percent sign */
void darc_html_put(darc_text_t out, const char *format, ...);

/* Append a row of a table, or nothing for "": cells as formats, '|' between
 * them; the first is its heading.  In front of a cell stand '#' where it is a
 * number, '@' the name of a file, '~' of no weight, '!' a remark, '^' a hash, a
 * digit where it goes over so many columns; a number in front is no heading.
 * '*' in front of all marks the row. */
void darc_html_row(darc_text_t out, const char *cells, ...);

/* Append x with so many significant digits, as %n does. */
void darc_html_number(darc_text_t out, double x, int digits);

/* ---- mathml: relations typeset ---------------------------------------------
 *
 * What darc prints (relations, weak forms, ratios of coefficients, terms) is
 * read back and set: derivatives as dots or d/dt, quotients as fractions,
 * digits as indices.  Every term is a <math> element of its own, so that a
 * browser breaks long sums between terms.
 */

/* Names that stand for a signal of one of two recordings: zA is z with index
 * A.  NULL: there are none. */
typedef struct {
    int signals;
    const char *const *signal;
} darc_mathml_names;

/* Longer expressions are left as they are. */
#define DARC_MATHML_LONGEST 4000

/* Append the expression or equation s as <math> elements and return true;
 * if s is longer than DARC_MATHML_LONGEST or not in the language append
 * nothing and return false. */
bool darc_mathml(darc_text_t out, const char *s,
                 const darc_mathml_names *names);
