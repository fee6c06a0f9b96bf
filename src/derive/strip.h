/* strip.h - quantities along a run of samples: one number for all of them, or
 * one a sample.  What is constant by the form of an expression stays so.
 */
#pragma once

#include "data/table.h"

/* Values x[i - at.begin] of the samples in `at`, NAN in gaps. */
typedef struct {
    const double *x;
    darc_segment at;
} darc_stretch;

typedef struct {
    double constant;     /* of all samples, where there are no values */
    const double *value; /* one a sample; NULL: constant */
    double *own;         /* the same, to be changed and freed; NULL: lent */
} darc_strip;

/* Return the value at sample i. */
static inline double darc_strip_at(const darc_strip *s, size_t i)
{
    return s->value != NULL ? s->value[i] : s->constant;
}

bool darc_strip_is_zero(const darc_strip *s);
void darc_strip_clear(darc_strip *s);

/* Return n values to be set, which s owns from now on; what it was is lost. */
double *darc_strip_renew(darc_strip *s, size_t n);

/* Give s values of its own, one a sample, equal to what it was; return them. */
double *darc_strip_expand(darc_strip *s, size_t n);

/* s *= f */
void darc_strip_multiply(darc_strip *s, const darc_strip *f, size_t n);

/* s += a b; a and b are not s. */
void darc_strip_add(darc_strip *s, const darc_strip *a, const darc_strip *b,
                    size_t n);

/* s += (a factor)^2 */
void darc_strip_add_square(darc_strip *s, const darc_strip *a, double factor,
                           size_t n);

/* Take over the values of other where take[i]. */
void darc_strip_select(darc_strip *s, const darc_strip *other, const bool *take,
                       size_t n);

/* Return the number of the first segment that ends behind sample i. */
int darc_segment_behind(const darc_table *table, size_t i);
