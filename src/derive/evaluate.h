/* evaluate.h - what an expression is along some samples, and how it changes
 * with the error of every origin: forward differentiation, with no step.
 */
#pragma once

#include "derive/column.h"

typedef struct {
    bool slopes; /* wanted */
    int smooth;  /* half-width, in samples, of the filter that signals go
                    through first; 0: none.  Derivatives and integrals are of
                    signals as they are. */
} darc_pass;

typedef struct {
    darc_strip value;
    darc_strip *slope; /* by origin, that of an own error in units of its sd;
                          owned; NULL: not wanted */
} darc_dual;

/* Set d to col along the samples in `at`.  Where an expression has no value it
 * is not finite.  Thread-safe. */
void darc_evaluate(darc_dual *d, const darc_column *col, darc_segment at,
                   const darc_pass *pass);
void darc_dual_clear(darc_dual *d, const darc_column *col);

/* Whose errors, besides what counts where (column.h); ALONG: an error that
 * stays the same along some samples counts as many times. */
enum { DARC_MEASURED = 4, DARC_OWN = 8, DARC_ALL = 12, DARC_ALONG = 16 };

/* Set variance to the sum of those of all origins that `what` names. */
void darc_dual_variance(darc_strip *variance, const darc_dual *d,
                        const darc_column *col, int what, size_t n);

/* Return the samples that the arguments of col are needed at. */
darc_segment darc_evaluate_reach(const darc_column *col, darc_segment at,
                                 const darc_pass *pass);
