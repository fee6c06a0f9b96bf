/* elementary.h - functions of one quantity along some samples, their slopes,
 * and how sure a switch is; what it was some time ago, and its integral.
 */
#pragma once

#include "derive/strip.h"
#include "model/model.h"
#include "syntax/expr.h"

/* Set y[i] to f(x[i]) and slope[i], unless slope is NULL, to f'(x[i]). */
void darc_elementary(darc_function f, const double *x, double *y, double *slope,
                     size_t n);

/* The same of x^q. */
void darc_elementary_power(double q, const double *x, double *y, double *slope,
                           size_t n);

/* Set out[i] to the sd of what changes by `jump` where x passes 0, if x has
 * errors of that variance: jump sqrt(p (1 - p)), p = Phi(-|x| / sd). */
void darc_switch_error(double *out, const darc_strip *x,
                       const darc_strip *variance, const darc_strip *jump,
                       size_t n);

/* Set y[i] to column[i] after a filter of weights 1 - (j / (half + 1))^2, which
 * keeps lines and the sign of all; towards the ends of segments it narrows. */
void darc_smooth(double *y, const double *column, int half,
                 const darc_table *table, darc_segment at);

/* Return by how many seconds the call of delay makes it later, where that is
 * computed from numbers and inputs that are one number in a recording; NAN:
 * not known. */
double darc_delay_time(const darc_expr *delay, const darc_model *model,
                       const darc_table *table);

/* Return the samples that those in `at` are made of. */
darc_segment darc_delay_reach(const darc_table *table, double delay,
                              darc_segment at);

/* Set out[i - at.begin] to what the stretch was `delay` seconds before sample
 * i, by a cubic through four samples where that is no sample; NAN where it
 * reaches over the begin of a segment.  Set source[i - at.begin] to the number
 * in the stretch of the sample nearest to that moment, SIZE_MAX for none. */
void darc_delay_values(double *out, size_t *source, const darc_stretch *v,
                       double delay, const darc_table *table, darc_segment at);

/* The same of a mean over the span before. */
darc_segment darc_mean_reach(const darc_table *table, double span,
                             darc_segment at);

/* Set out[i - at.begin] to the mean of the stretch over the `span` seconds
 * before sample i, of cubics through four samples; NAN where it reaches over
 * the begin of a segment or what is not known. */
void darc_mean_values(double *out, const darc_stretch *v, double span,
                      const darc_table *table, darc_segment at);

/* Integrals from the first sample of each run without a gap, where they are 0:
 * of cubics through four samples on even time, by trapezoids on the times as
 * they are elsewhere.  An integral depends on all samples before: its state is
 * kept every DARC_INTEGRAL_STEP samples, so that it can be taken up anywhere.
 */
typedef struct {
    int runs;        /* samples before that were known in a row, 3 at most */
    double last[3];  /* their values, the last first */
    double value;    /* the integral up to it */
    double variance; /* of its error */
} darc_integral_state;

/* Go from state s, before the first sample of the stretch, to that behind its
 * last.  Set out to the integral, and sd, unless NULL, to that of its error:
 * variance is that of the argument, of errors of neighbouring samples that
 * have nothing to do with each other. */
void darc_integral_run(darc_integral_state *s, double *out, double *sd,
                       const darc_stretch *v, const darc_strip *variance,
                       const darc_table *table);

/* Piecewise linear functions: table(x, "file") and
 * table(x; x1 y1, x2 y2, ...). */
typedef struct {
    size_t points;
    double *x, *y; /* x rises; one block, which x owns */
    char *file;    /* as it was opened; NULL: written in the model; owned */
} darc_lookup;

/* Set l to the points of the table e.
 * Fails: DARC_DATA, DARC_IO. */
DARC_STATUS darc_lookup_init(darc_lookup *l, const darc_expr *e,
                             const darc_model *model, darc_err *err);

/* Set y[i] to the value at x[i], NAN outside the table, and slope[i], unless
 * slope is NULL, to that of the line there. */
void darc_lookup_values(const darc_lookup *l, double *y, double *slope,
                        const double *x, size_t n);
