/* contrast.h - quantities that vanish under a hypothesis, with covariance.
 *
 * h_i, i < count, has covariance s.  Parameters that may drift by a fraction
 * move h by d r, |r_j| <= box; measure[i] turns h_i into the least relative
 * change of one parameter alone that makes it (changes of several may be less,
 * which is what the box stands for), weight[i] that into the least share of
 * the leading term by which one parameter alone, that of term[i], would move
 * the equation to make it.  The test is the joint one
 * (Wald's); but where the structure does not hold to within noise the
 * correlations of the estimates, which follow from the model of the noise, mean
 * little: then every h_i is tested on its own (Bonferroni's bound).
 */
#ifndef DARC_DECIDE_CONTRAST_H
#define DARC_DECIDE_CONTRAST_H

#include "coefficient/coeffrel.h"
#include "fit/weakfit.h"

typedef struct {
    int count, drifts;
    double *h, *s, *d; /* count, count^2, count x drifts; owned */
    double *measure;   /* count; owned */
    double *weight;    /* count, 0 .. 1; owned */
    int *term;         /* index of a coefficient, count; owned */
    double *share;     /* of the leading term that the term of a drifting
                          parameter is; drifts; owned */
    bool single;       /* every h_i on its own */
    bool curved;       /* h is linear in the coefficients only within their
                          errors, if these are small */
    bool partial;      /* more than h = 0 binds the recordings */
    double error_dof;  /* of s: HUGE_VAL, or that of HAC estimates */
} darc_contrast;

/* Logarithms of the ratios of coefficients of B over those of A; relative
 * differences where a ratio changes sign or is not clear of 0.  A coefficient
 * with vanishing[j] (it may be 0) changes in shares of the leading term. */
void darc_contrast_equal(darc_contrast *c, const darc_weakfit *a,
                         const darc_weakfit *b, const bool *vanishing);

/* The relations r that involve both recordings; b NULL: those among the
 * coefficients of one.  Every coefficient (of B, of two) may drift by the
 * tolerance: a ratio by twice as much. */
void darc_contrast_relations(darc_contrast *c, const darc_coeffrel_t r,
                             const darc_weakfit *a, const darc_weakfit *b,
                             const bool *vanishing);
void darc_contrast_clear(darc_contrast *c);

/* Set c to so many quantities, which are 0, all weights 1: to be filled in. */
void darc_contrast_init(darc_contrast *c, int count, int drifts);

/* Return relation k at the coefficients x; with v >= 0 its derivative by
 * coefficient v. */
double darc_contrast_value(const darc_coeffrel_t r, slong k, slong v,
                           const double *x);

/* Return the value at which coefficient j would make a term as large as the
 * leading one; 0 when that is not known. */
double darc_contrast_leading_size(const darc_weakfit *f, int j);

/* Let parameters drift by what moves the equation by the box. */
void darc_contrast_drift_by_effect(darc_contrast *c);

/* Return the upper end, level alpha, of the relative change that is row i. */
double darc_contrast_upper(const darc_contrast *c, int i, double alpha);

/* Return the p-value of a statistic of rank dof. */
double darc_contrast_p(const darc_contrast *c, double statistic, double dof);

/* Return min over |r_j| <= box of (h + d r)' S^-1 (h + d r); *dof the rank of
 * S; single: the largest square of (|h_i| - most of |d r|_i) / sd_i, *dof 1.
 * NAN where S is not finite. */
double darc_contrast_statistic(const darc_contrast *c, double box, double *dof);

/* Set verdict, statistic, p-value and interval of d from c; d->alpha is set.
 * inconsistent: the test rejects although all may drift by `reject`.
 * consistent: the upper ends of all changes, each at level alpha, are at most
 * `accept`; a change that is not shown to differ from 0 counts by what it may
 * do to the equation.  (An error needs but one
 * change that is larger: no correction for their number.)  defect: the
 * largest relative change where inconsistent, else the largest effect. */
void darc_contrast_decide(darc_decision *d, const darc_contrast *c,
                          double accept, double reject);

#endif
