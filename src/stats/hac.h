/* hac.h - the covariance of scores where errors have any spectrum, or differ in
 * theirs from part to part: J = E (X'e)(X'e)'.
 *
 * Every part (equation) is a series.  J is the sum over frequencies of the
 * products of the columns' transforms with the spectra, and cross spectra, of
 * the errors: their periodograms, smoothed over neighbours.  What the fit has
 * taken of a frequency (its leverage) is given back.  Errors are to be whitened
 * roughly before [Andrews and Monahan, 1992].
 */
#pragma once

#include <stddef.h>

/* Half the width of the smoothing: so many frequencies of the recording, and at
 * least this share of the frequency (chosen). */
#define DARC_HAC_NEAR 3
#define DARC_HAC_SHARE 0.2

/* What is left of a frequency counts as so much at least (chosen). */
#define DARC_HAC_LEAST 0.2

/* Columns x and errors e, parts * n values each, part by part; h is X'X. */
typedef struct {
    const double *x, *e, *h;
    int columns, parts;
    size_t n;
} darc_hac_rows;

/* Set j (columns x columns).  Return the degrees of freedom of the variances of
 * h^-1 X'e, by the frequencies that the columns live at [Sat46]. */
double darc_hac(double *j, const darc_hac_rows *of);
