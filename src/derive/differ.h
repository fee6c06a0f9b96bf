/* differ.h - derivatives of sampled signals, with their errors.
 *
 * A difference formula is a row of weights per derivative; it is always
 * centred: near ends and gaps, where half of it would be missing, there is
 * no derivative.  Formulas come in a ladder of rising order: the difference
 * of two rungs estimates the truncation error of the lower one; the root of
 * the sum of the squared weights is the noise gain.  A derivative of order k
 * has the unit of the signal per s^k.
 */
#pragma once

#include "data/table.h"

typedef enum { DARC_DIFF_CENTRAL, DARC_DIFF_SG } darc_diff_kind;

/* Central differences of even order (on a non-uniform grid the order of an
 * even derivative is one less), or Savitzky-Golay: the derivatives of the
 * polynomial of `degree` fitted by least squares to `window` samples. */
typedef struct {
    darc_diff_kind kind;
    int order;          /* 2, 4, ... */
    int window, degree; /* window odd and > degree */
} darc_diff_spec;

/* Set spec from "central2", "central4", "central6" or "sg:WINDOW,DEGREE".
 * On failure spec is unchanged.
 * Fails: DARC_DOMAIN for any other text, an even window, a degree outside
 * 1 .. DARC_MAX_SG_DEGREE or a window outside degree + 1 .. DARC_MAX_WINDOW. */
DARC_STATUS darc_diff_spec_parse(darc_diff_spec *spec, const char *text,
                                 darc_err *err);

/* Return the next rung of the ladder: order + 2; degree + 2 in the same
 * window, widened when it must be. */
darc_diff_spec darc_diff_spec_finer(const darc_diff_spec *spec);

/* n points x, and the one at which derivatives are wanted. */
typedef struct {
    const long double *x;
    int n;
    long double z;
} darc_fdpoints;

/* Set w[k * n + j] to the weight of the value at x[j] in the derivative of
 * order k at z, k <= orders < n: exact for polynomials of degree < n.
 * Cost O(orders * n^2).  Source [For88]. */
void darc_fdweights_long(long double *w, int orders, darc_fdpoints at);

/* The same for the polynomial of `degree`, orders <= degree < n, fitted by
 * least squares; work has 3 * n entries.  By orthogonal polynomials on the
 * points: p_(j+1) = (x - a_j) p_j - b_j p_(j-1).  Cost O(degree * n). */
void darc_fdweights_fit(long double *w, int orders, int degree,
                        darc_fdpoints at, long double *work);

typedef struct {
    darc_diff_spec spec;
    int orders;
    const darc_table *table;
    double **weight; /* of derivative k on a uniform grid; owned; or NULL */
} darc_differ;

/* Return how many samples on each side derivative k needs; 0 for k = 0. */
int darc_diff_half(const darc_diff_spec *spec, int k);

/* Return the 2 half + 1 weights of derivative k > 0 on uniform time, to be
 * freed; a fitted polynomial has that degree at least. */
double *darc_diff_weights(const darc_diff_spec *spec, int k, double dt);

/* Set *differ to the formulas of spec for derivatives 0 .. orders on the
 * grid of the table, which must outlive it.
 * Fails: DARC_DOMAIN when the fitted polynomial has a lower degree than the
 * highest derivative. */
DARC_STATUS darc_differ_new(darc_differ **differ, const darc_diff_spec *spec,
                            int orders, const darc_table *table, darc_err *err);
void darc_differ_free(darc_differ *differ);

/* As darc_diff_half. */
int darc_differ_half(const darc_differ *differ, int k);

/* Set out[t] to derivative k of the column y at sample i + t, t < n.  The
 * samples i - half .. i + n - 1 + half lie in one segment.  Thread-safe. */
void darc_differ_eval(const darc_differ *differ, int k, const double *y,
                      size_t i, size_t n, double *out);

/* Set w to the 2 * half + 1 weights of derivative k at sample i. */
void darc_differ_weights(const darc_differ *differ, int k, size_t i, double *w);

/* A derivative by sample of a table, NAN where the formula does not fit into
 * its segment.  Nothing is owned. */
typedef struct {
    double *value;
    double *truncation; /* difference from the next rung; may be NULL */
    double *gain;       /* of noise; may be NULL */
} darc_differentiated;

/* Set out to derivative k of a signal.
 * Fails: as darc_differ_new. */
DARC_STATUS darc_differ_signal(darc_differentiated out, const darc_table *table,
                               int signal, int k, const darc_diff_spec *spec,
                               darc_err *err);
